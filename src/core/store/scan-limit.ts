import { fieldError, Refusal } from "../lib/refusal"
import type { Resource } from "../kind/define"
import type { Planner, Selection } from "./plan"
import { readOne, type Reader } from "./reader"
import { rangeOf } from "./page"
import type { Totals } from "./totals"

/**
 * A scan of up to `guaranteedRows` rows always succeeds. A longer scan fails after `mostRows` rows, or after
 * `mostBytes` of long texts.
 */
export const guaranteedRows = 100_000
export const mostRows = 500_000
export const mostBytes = 128 * 1024 * 1024

/** Thrown when one request would scan too many records. */
export class ScanLimitExceeded extends Error {}

/**
 * Fails if a whole table has too many rows to scan. If their number is not known, they are skipped up to the limit, which
 * takes less time than to read them, and as long in a table of any size.
 */
export async function assertScannable(
  { table, isBounded }: Resource,
  totals: Totals,
  reader: Reader,
): Promise<void> {
  if (isBounded) return
  const { low, high } = await rangeOf(table, reader)
  // Numbers of deleted rows are in the range too.
  if (high - low + 1 < mostRows) return
  const known = totals.of([]).total
  const isTooLong = known === undefined ? await hasRow(table, mostRows - 1, reader) : known >= mostRows
  if (isTooLong) throw new ScanLimitExceeded()
}

/** True if a table has a row after that many others. */
const hasRow = async (table: string, after: number, reader: Reader): Promise<boolean> =>
  (await readOne(reader, `SELECT 1 AS found FROM ${table} LIMIT 1 OFFSET ?`, [after])) !== null

type Deps = { plan: Planner; resource: Resource }

export function tooExpensive({ plan, resource }: Deps, selection: Selection): Refusal {
  const names = plan.names()
  const advice = names.length > 0 ? ` Filter by ${names.join(", ")}, or follow meta.nextCursor.` : ""
  return new Refusal(
    "QUERY_TOO_EXPENSIVE",
    `This query would have to scan too many ${resource.noun} records.${advice}`,
    {
      params: { kind: resource.name, fields: names },
      details: [
        fieldError(plan.unindexedPart(selection), "RULE", "has no index, and there are too many records", {
          rule: "NO_INDEX",
        }),
      ],
    },
  )
}
