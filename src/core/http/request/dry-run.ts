import type { Tx } from "../../write/writer"
import type { Warning } from "../../lib/warning"
import { badQuery, readParams } from "../../kind/query"
import { isBusinessArea, type Right } from "../../../shared/rights"

/** True when a write can be tried with `?dryRun=true`: every write of business records. */
export const canDryRun = (right: Right | null): boolean =>
  right !== null && isBusinessArea(right.area) && right.scope !== "read"

/** Parses the query of a write, which can only ask for a dry run. */
export function readDryRun(query: string, right: Right | null): boolean {
  if (query === "") return false
  const value = readParams(query, canDryRun(right) ? ["dryRun"] : []).get("dryRun")
  if (value === undefined || value === "true" || value === "false") return value === "true"
  throw badQuery("dryRun", "TYPE", "must be true or false", { type: "boolean" })
}

/** The headers of a dry run: there is no record that Location or ETag could name. */
export const dryRunHeader = { "dry-run": "true" }

export type Done<T> = { value: T; warnings: Warning[]; isDry: boolean }

/** Thrown at the end of a dry run, so that the writer rolls the write back. */
class Undo<T> extends Error {
  constructor(readonly done: Done<T>) {
    super("A dry run is rolled back.")
  }
}

/** Ends a write: returns its result, or rolls a dry run back. The numbers that it used belong to the next real write. */
export function endWrite<T>({ numbers }: Tx, done: Done<T>): Done<T> {
  if (!done.isDry) return done
  throw new Undo({ ...done, value: withoutNumbers(done.value, numbers) })
}

/** Returns the result of a dry run from the error that rolled it back. Other errors are thrown again. */
export function resultOfUndo<T>(error: unknown): Done<T> {
  if (error instanceof Undo) return error.done as Done<T>
  throw error
}

/** The parts of a response that contain records. */
const containers = ["body", "data", "results"]

/** Replaces the numbers that a write has assigned, and their counters, with null: in a record or in those of a response. */
function withoutNumbers<T>(value: T, numbers: readonly string[]): T {
  if (typeof value !== "object" || value === null || numbers.length === 0) return value
  if (Array.isArray(value)) return value.map((each: unknown) => withoutNumbers(each, numbers)) as T
  const isNumber = (name: string, each: unknown) => name.endsWith("Number") && numbers.includes(String(each))
  const entries: [string, unknown][] = Object.entries(value)
  const hidesNumber = entries.some(([name, each]) => isNumber(name, each))
  const hidden = entries.map(([name, each]) => {
    if (isNumber(name, each) || (hidesNumber && name === "numberCounter")) return [name, null]
    return [name, containers.includes(name) ? withoutNumbers(each, numbers) : each]
  })
  return Object.fromEntries(hidden) as T
}
