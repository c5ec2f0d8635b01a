// The two profiles of the cost test: the size of the shop, and the limits.
import { lineOf } from "./cost-measure"
import type { CostReport, Settings } from "./cost-run"

type Profile = Pick<Settings, "size" | "limits" | "isShort"> & {
  /** In MB, after all requests. */
  mostMemory: number
}

export const fullProfile: Profile = {
  size: {
    items: 20_000,
    pictured: 200,
    customers: 1_000,
    orders: 1_000,
    ordersOfOne: 10_000,
    largest: 100,
    openInvoices: 15_000,
    payments: 100,
    movements: 128_000,
    entries: 50_000,
    longEntries: 100,
  },
  limits: { hold: 50, largestHold: 100 },
  isShort: false,
  mostMemory: 600,
}

/**
 * A smaller shop, and limits that leave room for a busy machine, on which the same work takes more CPU time. A block grows
 * with the size of one record or document, which is the same here, rather than with their number.
 */
export const shortProfile: Profile = {
  size: {
    items: 1_000,
    pictured: 40,
    customers: 200,
    orders: 200,
    ordersOfOne: 500,
    largest: 40,
    openInvoices: 5_000,
    payments: 100,
    movements: 4_000,
    entries: 1_000,
    longEntries: 40,
  },
  limits: { hold: 150, largestHold: 250 },
  isShort: true,
  mostMemory: 600,
}

/** Returns one line for each problem. */
export function problemsIn({ results, memory }: CostReport, mostMemory: number): string[] {
  const problems = results.filter(({ problem }) => problem !== null).map(lineOf)
  const isTooMuch = memory !== null && memory.after > mostMemory
  return isTooMuch ? [...problems, `The server uses ${memory.after} MB after all requests.`] : problems
}
