import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import type { Settings } from "../../office/settings/model"
import { tradeRefusals } from "./model"
import type { Warning } from "../../core/lib/warning"
import { dayAt } from "../../shared/dates"
import type { Revision } from "./kind"

/** Returns the date a number of months later. The 31st becomes the last day of a shorter month. */
function monthsLater(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number)
  const last = dayAt(year, month + months + 1, 0)
  return `${last.slice(0, 8)}${String(Math.min(day, Number(last.slice(8)))).padStart(2, "0")}`
}

/** Warns about the new date of a document, if an update changes it. */
export function warnOfMovedDate<H extends object>(
  { before, change, warnings }: Pick<Revision<H>, "before" | "change" | "warnings">,
  field: keyof H & string,
  today: string,
): void {
  const date = change[field]
  if (typeof date === "string" && date !== before[field]) warnOfDate(warnings, field, date, today)
}

/** Warns about a date that is probably a typing error: more than a year before today or a month after it. */
export function warnOfDate(warnings: Warning[], field: string, date: string, today: string): void {
  // Nearly all documents have the date of today.
  if (date === today || (date >= monthsLater(today, -12) && date <= monthsLater(today, 1))) return
  warnings.push({
    code: "UNUSUAL_DATE",
    field,
    message: `${field} is ${date}, and today is ${today}.`,
    params: { date, today },
  })
}

/** Returns the error of a date that is before another one of the document, such as a due date before the invoice date. */
export const dateOrderErrors = (
  [earlier, from]: readonly [field: string, date: unknown],
  [later, until]: readonly [field: string, date: unknown],
): FieldError[] =>
  typeof from === "string" && typeof until === "string" && until < from
    ? [
        fieldError(later, "RULE", `must not be before ${earlier}`, {
          rule: "DATE_ORDER",
          other: earlier,
        }),
      ]
    : []

/** Refuses a date in a period that is closed. `field` is the field that has the date. */
export function assertOpenPeriod(
  { lockedUntil }: Pick<Settings, "lockedUntil">,
  date: string,
  field: string,
): void {
  if (lockedUntil === null || date > lockedUntil) return
  const params = { date, lockedUntil }
  throw new Refusal(
    tradeRefusals.PERIOD_LOCKED,
    `The period up to ${lockedUntil} is closed; ${field} is ${date}.`,
    {
      params,
      details: [
        fieldError(field, "RULE", `must be after ${lockedUntil}`, { rule: "PERIOD_LOCKED", ...params }),
      ],
    },
  )
}
