import { fieldError, Refusal } from "../../core/lib/refusal"
import type { Settings } from "./model"

/** Refuses a date in a period that is closed. `field` is the field that has the date. */
export function assertOpenPeriod(
  { lockedUntil }: Pick<Settings, "lockedUntil">,
  date: string,
  field: string,
): void {
  if (lockedUntil === null || date > lockedUntil) return
  const params = { date, lockedUntil }
  throw new Refusal("PERIOD_LOCKED", `The period up to ${lockedUntil} is closed; ${field} is ${date}.`, {
    params,
    details: [
      fieldError(field, "RULE", `must be after ${lockedUntil}`, { rule: "PERIOD_LOCKED", ...params }),
    ],
  })
}
