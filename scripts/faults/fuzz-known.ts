// What the fuzzer has learned from answers: the ids that exist, so that its requests are about something.
import type { Dice } from "./dice"

const mostOfAKind = 300
const idPattern = /^([a-z]+)_[0-9a-z]{26}$/

/** What a segment of the path holds: the prefix of its ids. */
const prefixes: Record<string, string> = {
  users: "usr",
  "api-keys": "key",
  "oauth-clients": "cli",
  grants: "grt",
  "audit-logs": "aud",
  items: "itm",
  customers: "cus",
  "stock-movements": "stk",
  "sales-orders": "so",
  invoices: "inv",
  payments: "pay",
}

export type Known = ReturnType<typeof knownIds>

/** Remembers ids by their prefix. Those `spared` are never handed out: a request may disable or delete them. */
export function knownIds(spared: readonly string[]) {
  const kinds = new Map<string, string[]>()
  const gone = new Set(spared)
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
    /** One that exists, as often as not the newest: the older ones have been through much. */
    pick(prefix: string, dice: Dice): string {
      const ids = kinds.get(prefix) ?? []
      return dice.chance(0.5) ? (ids.at(-1) ?? "") : dice.pick(ids)
    },
    payments: (): readonly (readonly [string, string])[] => payments,

    /** Takes over every id that stands in an answer. */
    learn(value: unknown): void {
      if (typeof value === "string") add(value)
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(this.learn, this)
    },

    learnPayment(location: string): void {
      const [, invoice, payment] = /\/invoices\/(inv_\w+)\/payments\/(pay_\w+)$/.exec(location) ?? []
      if (invoice && payment) payments.push([invoice, payment])
    },

    /** The id of what was deleted; the audit log goes on naming it. */
    forget(id: string): void {
      gone.add(id)
      for (const ids of kinds.values()) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
      const at = payments.findIndex((pair) => pair[1] === id)
      if (at >= 0) payments.splice(at, 1)
    },

    /** The prefix of the ids that follow a segment of a path, as `itm` after `items`. */
    prefixAfter(segment: string): string {
      const prefix = prefixes[segment]
      if (prefix === undefined) throw new Error(`Tell fuzz-known.ts which ids follow /${segment}/.`)
      return prefix
    },
  }
}
