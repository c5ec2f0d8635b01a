// The IDs that the fuzzer has found in responses, so that its requests use existing records.
import type { Random } from "./random"

const mostOfAKind = 300
const idPattern = /^([a-z]+)_[0-9a-z]{26}$/

/** The ID prefix for each path segment. */
const prefixes: Record<string, string> = {
  users: "usr",
  "api-keys": "key",
  "oauth-clients": "cli",
  grants: "grt",
  "audit-logs": "aud",
  items: "itm",
  "tax-codes": "tax",
  customers: "cus",
  "stock-movements": "stk",
  "sales-orders": "so",
  invoices: "inv",
  payments: "pay",
}

export type Known = ReturnType<typeof knownIds>

/** Stores IDs by their prefix. `protectedIds` are never returned, because a request could disable or delete them. */
export function knownIds(protectedIds: readonly string[]) {
  const kinds = new Map<string, string[]>()
  const gone = new Set(protectedIds)
  const payments: [invoice: string, payment: string][] = []

  const add = (id: string): void => {
    const prefix = idPattern.exec(id)?.[1]
    if (prefix === undefined || gone.has(id)) return
    const ids = kinds.get(prefix) ?? []
    kinds.set(prefix, ids)
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > mostOfAKind) ids.shift()
  }

  return {
    of: (prefix: string): readonly string[] => kinds.get(prefix) ?? [],
    /**
     * Returns an existing ID, in half of the cases the newest, because older records have already been changed often.
     */
    pick(prefix: string, random: Random): string {
      const ids = kinds.get(prefix) ?? []
      return random.chance(0.5) ? (ids.at(-1) ?? "") : random.pick(ids)
    },
    payments: (): readonly (readonly [string, string])[] => payments,

    /** Stores all IDs in a response, except those in the errors of a batch, which may name records that never existed. */
    learn(value: unknown): void {
      if (typeof value === "string") add(value)
      else if (typeof value === "object" && value !== null)
        for (const [name, each] of Object.entries(value)) if (name !== "error") this.learn(each)
    },

    learnPayment(location: string): void {
      const [, invoice, payment] = /\/invoices\/(inv_\w+)\/payments\/(pay_\w+)$/.exec(location) ?? []
      if (invoice && payment) payments.push([invoice, payment])
    },

    /** Removes the ID of a deleted record. The audit log still contains it. */
    forget(id: string): void {
      gone.add(id)
      for (const ids of kinds.values()) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
      const at = payments.findIndex((pair) => pair[1] === id)
      if (at >= 0) payments.splice(at, 1)
    },

    /** The prefix of the IDs after a path segment, for example `itm` after `items`. */
    prefixAfter(segment: string): string {
      const prefix = prefixes[segment]
      if (prefix === undefined) throw new Error(`Add the ID prefix for /${segment}/ to fuzz-known.ts.`)
      return prefix
    },
  }
}
