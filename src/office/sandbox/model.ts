import { body } from "../../core/kind/body"
import { instant, required } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { invalid, Refusal, refusalsOf } from "../../core/lib/refusal"
import { addDuration } from "../../shared/dates"

export const sandboxRefusals = refusalsOf({
  CLOCK_BACKWARDS: {
    about: "The clock of a demo is only moved forward; a reset or a snapshot sets it back",
    de: "Die Uhr der Demo lässt sich nur vorstellen.",
  },
})

export const clockBody = body({ now: instant(), advance: text({ max: 50 }) }, { example: { advance: "P1M" } })
export const snapshotBody = body(
  { name: required(text({ max: 64 })) },
  { example: { name: "before-import" } },
)

/** The clock is not moved further at once, in years: each day on the way may have work. */
const farthest = "P10Y"
const lastTime = "2100"

/** Returns the time to which a clock is moved. */
export function targetOf(
  { now, advance }: { now: string | null; advance: string | null },
  from: string,
): string {
  if (now === null && advance === null)
    throw invalid("advance", "REQUIRED", "is required, unless now is given")
  if (now !== null && advance !== null)
    throw invalid("advance", "RULE", "cannot be combined with now", { rule: "EXCLUSIVE" })
  const target = now ?? addDuration(from, advance ?? "")
  if (target === null)
    throw invalid("advance", "FORMAT", "must be a duration such as P1D, P1M or PT2H", {
      allowed: ["P1D", "P1M", "PT2H"],
    })
  if (target < from)
    throw new Refusal(
      sandboxRefusals.CLOCK_BACKWARDS,
      `The clock says ${from} and cannot be moved back. A reset or a snapshot sets it back.`,
      { params: { now: from } },
    )
  const most = addDuration(from, farthest) ?? from
  if (target > most || target >= lastTime)
    throw invalid(
      now === null ? "advance" : "now",
      "TOO_LARGE",
      "must be at most 10 years ahead, and before 2100",
      { max: 10 },
    )
  return target
}
