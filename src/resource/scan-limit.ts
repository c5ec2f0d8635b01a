import { fieldError, Refusal } from "../lib/refusal"
import type { Resource } from "./define"
import type { Planner, Selection } from "./plan"
import type { Reader } from "./reader"
import { rangeOf } from "./row-range"
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

/** Fails if a whole table has too many rows to scan. They are counted first, which takes less time than to read them. */
export async function assertScannable(
  { table, isBounded }: Resource,
  totals: Totals,
  reader: Reader,
): Promise<void> {
  if (isBounded) return
  const { low, high } = await rangeOf(table, reader)
  // Numbers of deleted rows are in the range too, so the rows are counted.
  if (high - low + 1 < mostRows) return
  if ((await totals.countBy(reader, [])) >= mostRows) throw new ScanLimitExceeded()
}

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
