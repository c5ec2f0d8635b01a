import type { Read } from "./prefetched"
import type { Translation } from "../translate"

type Counter = { last: number; isStored: boolean }

/**
 * Counters that only this connection changes while it has the lock of writes, so that the next value needs no answer. Each
 * write reads the last values anew, and stores them before something else reads them, or with the commit. A savepoint that is
 * undone restores what was counted before it.
 */
export class Counters {
  #all = new Map<string, Counter>()
  #savepoints: { name: string; before: Map<string, Counter> }[] = []

  /** The next value, if the last one is known. */
  next(name: string): number | null {
    const known = this.#all.get(name)
    if (!known) return null
    this.#all.set(name, { last: known.last + 1, isStored: false })
    return known.last + 1
  }

  /** The next value after the last one, which is stored. */
  nextAfter(name: string, last: number): number {
    this.#all.set(name, { last: last + 1, isStored: false })
    return last + 1
  }

  /** The counters to store. Afterwards they are. */
  takeUnstored(): [name: string, last: number][] {
    const found: [string, number][] = []
    for (const [name, { last, isStored }] of this.#all) {
      if (isStored) continue
      found.push([name, last])
      this.#all.set(name, { last, isStored: true })
    }
    return found
  }

  has(name: string): boolean {
    return this.#all.has(name)
  }

  /** Others are counted anew. A savepoint that is undone restores those of before. */
  forgetAll(): void {
    this.#all.clear()
  }

  clear(): void {
    this.#all.clear()
    this.#savepoints = []
  }

  savepoint(name: string): void {
    this.#savepoints.push({ name, before: new Map(this.#all) })
  }

  release(name: string): void {
    const at = this.#savepoints.findLastIndex((each) => each.name === name)
    if (at >= 0) this.#savepoints.length = at
  }

  undoTo(name: string): void {
    const at = this.#savepoints.findLastIndex((each) => each.name === name)
    const found = this.#savepoints[at]
    if (!found) return
    this.#savepoints.length = at + 1
    this.#all = new Map(found.before)
  }
}

/** The name of a savepoint. */
export const nameIn = ({ sql }: Translation): string => sql.split(" ").at(-1) ?? ""

/** The number of the last row of a table. While this connection has the lock of writes, no other one adds rows. */
export const lastRow = (table: string): Read => ({
  sql: `SELECT pg_sequence_last_value(pg_get_serial_sequence('${table}', 'seq')) AS last`,
  values: [],
})

export const lastNumber = (name: string): Read => ({
  sql: "SELECT last FROM number_series WHERE name = ?",
  values: [name],
})
