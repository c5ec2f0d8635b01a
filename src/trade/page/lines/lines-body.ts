import type { PlainLine } from "../../../shared/documents/totals"
import type { Typed } from "../../../console/forms/number"
import { discountBody } from "./line-discount"
import type { LineTax } from "./line-tax"
import { counted, defaultUnit, filledLines, rateOf, type LineValues } from "./line-values"

/** Returns the lines for the request body, without those that say nothing. */
export function linesBody(lines: readonly LineValues[], digits: number, held?: ReadonlySet<string>) {
  return filledLines(lines).map((line) => ({
    ...subjectBody(line),
    quantity: given(line.quantity),
    ...(held?.has(line.id ?? "") ? {} : pricesBody(line, digits)),
  }))
}

const pricesBody = (line: LineValues, digits: number) => ({
  rate: line.rate === "" && (line.item || line.stored) ? line.defaultRate : given(line.rate),
  ...discountBody(line, digits),
  ...(line.taxCode ? { taxCode: line.taxCode } : {}),
})

/**
 * Returns what a line sells. The server keeps the description of a stored line that is sent without one, so a line whose
 * description was removed is sent as a new line, which the server rejects.
 */
function subjectBody({ id, isFree, item, description: typed, uom }: LineValues) {
  const description = typed.trim() || null
  const known = id && (!isFree || description) ? { id } : {}
  return isFree ? { ...known, description, uom: uom.trim() || defaultUnit } : { ...known, item: item || null }
}

/** Returns the value to send. Text that is not a number is sent as typed, and the server rejects it. */
const given = (value: Typed): Typed | null => (value === "" ? null : value)

/** Returns a line for the totals. Of one that is held, amounts go with the quantity. */
export function figuresOf(
  line: LineValues,
  { taxCategory, taxRate }: LineTax,
  held?: ReadonlySet<string>,
): PlainLine {
  const quantity = counted(line.quantity)
  const stored = held?.has(line.id ?? "") ? line.stored : null
  const part = stored ? quantity / stored.quantity : 1
  return {
    quantity,
    rate: rateOf(line),
    discount: line.isAmount ? 0 : counted(line.discount),
    discountAmount: line.isAmount ? counted(line.discount) * part : null,
    documentDiscount: stored && stored.documentDiscount * part,
    taxCategory,
    taxRate,
  }
}
