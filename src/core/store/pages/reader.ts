import type { ReadRows } from "../../engine/reader-thread"
import { steadyMillis } from "../../lib/clock"
import { assertConnected, nextStep } from "../../lib/turns"
import type { SqlValue } from "../filter"
import type { Prepared } from "../../engine/sql"

/** Runs the queries of one long list, in slices: on the event loop, or in another thread. */
export type Reader = {
  /** Resolves when the next slice may run. Rejects when the client has disconnected. */
  next(): Promise<void>
  all<T>(sql: string, values: readonly SqlValue[]): Promise<T[]>
  /** Milliseconds that only grow while slices run, to choose the size of the next slice. */
  spent(): number
  /**
   * In milliseconds. Slices grow while they take less than the first value, and shrink when they take more than the
   * second.
   */
  pace: readonly [number, number]
  /** The number of rows of the largest slice. */
  largest: number
}

/** Returns the first row of a query, or null. */
export const readOne = async <T>(
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
): Promise<T | null> => (await reader.all<T>(sql, values))[0] ?? null

/** Reads on the event loop, one slice per turn. The time includes the work of the caller, because it blocks too. */
export const loopReader = (prepared: Prepared, signal: AbortSignal | null): Reader => ({
  next: () => nextStep(signal),
  all: async <T>(sql: string, values: readonly SqlValue[]) => prepared(sql).all(...values) as T[],
  spent: steadyMillis,
  pace: [2, 5],
  largest: 8_000,
})

/** Reads in another thread, which blocks nobody. Slices are short, so that several lists take turns. */
export function threadReader(
  read: (sql: string, values: readonly SqlValue[]) => Promise<ReadRows>,
  signal: AbortSignal | null,
): Reader {
  let spent = 0
  return {
    next: async () => assertConnected(signal),
    async all<T>(sql: string, values: readonly SqlValue[]) {
      const { rows, took } = await read(sql, values)
      spent += took
      return rows as T[]
    },
    spent: () => spent,
    pace: [8, 20],
    largest: 16_000,
  }
}
