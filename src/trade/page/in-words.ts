import { number } from "../../console/format"
import { language } from "../../console/texts"
import { termsIn } from "../../shared/words/payment-terms"
import { unitIn } from "../../shared/words/units"

/** A unit as paper in the person's language writes it: "Nos" is "Stk" in German. */
export const unitOf = (uom: string, quantity: number): string => unitIn(language, uom, quantity)

/** A quantity with its unit: 3 Stk. */
export const inUnits = (quantity: number, uom: string): string =>
  `${number(quantity)} ${unitOf(uom, quantity)}`

/** Payment terms as paper in the person's language writes them: "Net 30" is "30 Tage netto" in German. */
export const termsOf = (typed: string | null): string => (typed ? termsIn(language, typed) : "–")
