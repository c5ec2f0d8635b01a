// The IDs that the fuzzer has found in responses, so that its requests use existing records.
import { kindList } from "../../src/kinds"
import type { Random } from "./random"

const mostOfAKind = 300
const idPattern = /^([a-z]+)_[0-9a-z]{26}$/

/** The ID prefix for each path segment: those of the kinds, and those of what belongs to them. */
const prefixes: Record<string, string> = {
  ...Object.fromEntries(kindList.map(({ name, idPrefix }) => [name, idPrefix])),
  grants: "grt",
  allocations: "alc",
  applications: "app",
  refunds: "rfd",
  imports: "imp",
  jobs: "job",
  sessions: "ses",
  factors: "fac",
  "write-offs": "wof",
  reprice: "job",
}

/** A record in a response, with the fields that say what belongs together. */
type Related = { id?: unknown; customer?: unknown; items?: unknown; balance?: unknown; status?: unknown }

export type Known = ReturnType<typeof knownIds>

/** Stores IDs by their prefix. `protectedIds` are never returned, because a request could disable or delete them. */
export function knownIds(protectedIds: readonly string[]) {
  const kinds = new Map<string, string[]>()
  const gone = new Set(protectedIds)
  /** The parts of records by their path, for example `invoices/payments`. */
  const parts = new Map<string, [owner: string, part: string][]>()
  const customers = new Map<string, string>()
  const openInvoices = new Map<string, string>()
  const lines = new Map<string, string[]>()

  const add = (id: string): void => {
    const prefix = idPattern.exec(id)?.[1]
    // The test would end its own session.
    if (prefix === undefined || prefix === prefixes.sessions || gone.has(id)) return
    const ids = kinds.get(prefix) ?? []
    kinds.set(prefix, ids)
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > mostOfAKind) ids.shift()
  }

  /** Stores the customer of a record, its lines, and whether it is an invoice that can be paid. */
  const relate = ({ id, customer, items, balance, status }: Related): void => {
    if (typeof id !== "string" || typeof customer !== "string") return
    customers.set(id, customer)
    if (Array.isArray(items))
      lines.set(
        id,
        items.map((line: { id: string }) => line.id),
      )
    if (id.startsWith("inv_") && status !== "draft" && Number(balance) > 0) openInvoices.set(customer, id)
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
    /** The pairs of ids in a path with two of them. */
    parts: (path: string): readonly (readonly [string, string])[] => parts.get(path) ?? [],
    /** The open invoice of the customer that a payment or a credit note belongs to. */
    openInvoiceOf: (id: string): string | undefined => openInvoices.get(customers.get(id) ?? ""),
    openInvoices: (): readonly string[] => [...openInvoices.values()].filter((id) => !gone.has(id)),
    linesOf: (id: string): readonly string[] => lines.get(id) ?? [],

    /** Stores all IDs in a response, except those in the errors of a batch, which may name records that never existed. */
    learn(value: unknown): void {
      if (typeof value === "string") add(value)
      else if (typeof value === "object" && value !== null) {
        relate(value)
        for (const [name, each] of Object.entries(value)) if (name !== "error") this.learn(each)
      }
    },

    /** Stores the ids of a part and of its owner. */
    learnPart(location: string): void {
      const [, kind, owner, part, id] = /\/([\w-]+)\/(\w+_\w+)\/([\w-]+)\/(\w+_\w+)$/.exec(location) ?? []
      if (!kind || !owner || !part || !id) return
      const path = `${kind}/${part}`
      parts.set(path, [...(parts.get(path) ?? []), [owner, id]])
    },

    /** Removes the ID of a deleted record. The audit log still contains it. */
    forget(id: string): void {
      gone.add(id)
      for (const ids of kinds.values()) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
      for (const [path, pairs] of parts)
        parts.set(
          path,
          pairs.filter((pair) => !pair.includes(id)),
        )
    },

    /** The prefix of the IDs after a path segment, for example `itm` after `items`. */
    prefixAfter(segment: string): string {
      const prefix = prefixes[segment]
      if (prefix === undefined) throw new Error(`Add the ID prefix for /${segment}/ to fuzz-known.ts.`)
      return prefix
    },
  }
}
