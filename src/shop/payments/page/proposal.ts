import { fromUnits, nearestUnits } from "../../../shared/decimal"
import type { Typed } from "../../../console/forms/number"
import type { Invoice } from "../../../console/api/types"

/** What is left to pay of an invoice, and the part that the user has typed for it; undefined without one. */
type Line = { balance: number; typed: Typed | undefined }

/**
 * Proposes which part of an amount pays each invoice, in the order of the invoices, as the server does without
 * allocations. A part that the user has typed stays, and the others share what it leaves. An empty part pays nothing.
 */
export function proposedParts(amount: Typed, lines: readonly Line[], digits: number): Typed[] {
  const units = (value: Typed | undefined) => (typeof value === "number" ? nearestUnits(value, digits) : 0)
  let left = lines.reduce((rest, { typed }) => rest - units(typed), units(amount))
  return lines.map(({ balance, typed }) => {
    if (typed !== undefined) return typed
    const part = Math.max(0, Math.min(left, units(balance)))
    left -= part
    return part === 0 ? "" : fromUnits(part, digits)
  })
}

/** What the parts add up to, and what they leave of the amount: negative if they exceed it. */
export function sumsOf(amount: Typed, parts: readonly Typed[], digits: number) {
  const units = (value: Typed) => (typeof value === "number" ? nearestUnits(value, digits) : 0)
  const allocated = parts.reduce<number>((sum, part) => sum + units(part), 0)
  return { allocated: fromUnits(allocated, digits), rest: fromUnits(units(amount) - allocated, digits) }
}

export type Aged = Pick<Invoice, "dueDate" | "numberSeries" | "numberCounter">

/** Compares invoices in the order in which the server pays them: by due date, then by number. R-9 is before R-10. */
export const byAge = (a: Aged, b: Aged): number =>
  compare(a.dueDate, b.dueDate) ||
  compare(a.numberSeries ?? "", b.numberSeries ?? "") ||
  (a.numberCounter ?? 0) - (b.numberCounter ?? 0)

/** Compares texts by their characters, as the database does. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
