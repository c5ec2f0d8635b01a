// The two forms of the cost test: what the shop holds, and what is allowed.
import { lineOf } from "./cost-measure"
import type { CostReport, Settings } from "./cost-run"

type Form = Pick<Settings, "size" | "bars" | "isShort"> & {
  /** In MB, after everything was asked. */
  mostMemory: number
}

export const longForm: Form = {
  size: {
    items: 20_000,
    pictured: 200,
    customers: 1_000,
    orders: 1_000,
    ordersOfOne: 10_000,
    largest: 100,
    movements: 128_000,
    entries: 50_000,
    longEntries: 100,
  },
  bars: { hold: 50, largestHold: 100, signIn: 5_000 },
  isShort: false,
  mostMemory: 600,
}

/** Smaller, and with bars that a noisy machine does not miss by itself; what was ever found shows here too. */
export const shortForm: Form = {
  size: {
    items: 3_000,
    pictured: 100,
    customers: 200,
    orders: 1_000,
    ordersOfOne: 2_000,
    largest: 100,
    movements: 30_000,
    entries: 5_000,
    longEntries: 100,
  },
  bars: { hold: 250, largestHold: 250, signIn: 10_000 },
  isShort: true,
  mostMemory: 600,
}

/** Everything that is wrong, a line each. */
export function judge({ results, memory }: CostReport, mostMemory: number): string[] {
  const faults = results.filter(({ fault }) => fault !== null).map(lineOf)
  const isTooMuch = memory !== null && memory.after > mostMemory
  return isTooMuch ? [...faults, `The server holds ${memory.after} MB after all this.`] : faults
}
