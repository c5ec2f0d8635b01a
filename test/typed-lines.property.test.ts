import { expect, test } from "bun:test"
import fc from "fast-check"
import { lineOf } from "../src/trade/page/lines/filled-line"
import { withOtherDiscount } from "../src/trade/page/lines/line-discount"
import type { LineTax } from "../src/trade/page/lines/line-tax"
import type { LineValues } from "../src/trade/page/lines/line-values"
import { figuresOf as typedFigures, linesBody } from "../src/trade/page/lines/lines-body"
import type { FieldError } from "../src/core/lib/refusal"
import { figuresOf } from "../src/trade/documents/lines"
import { lineToApi, type GivenLine, type Line } from "../src/trade/documents/model"
import { plainTotals } from "../src/shared/documents/totals"

const digits = 2
const sense = { includesTax: false, sellingPricesIncludeTax: false, isTaxRemoved: false }
const rest = {
  id: "sol_1",
  item: null,
  itemCode: null,
  itemName: null,
  description: "Work",
  uom: "h",
  documentDiscount: 0,
  grossAmount: null,
  taxCode: null,
  taxCategory: null,
  taxRate: 0,
  hasOwnTaxCode: 0,
}

/** The line that the server stores for a line of a body; null if the server refuses it. */
function stored(given: GivenLine, known?: Line): Line | null {
  if (Number(given.discount) > 100) return null
  const errors: FieldError[] = []
  const figures = figuresOf(given, known, null, "items[0]", { sense, digits, currency: "EUR", errors })
  return figures && errors.length === 0 ? { ...rest, ...figures } : null
}

/** A number with two decimals. */
const cents = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100)

const line = fc.record({
  quantity: cents(20).filter((value) => value > 0),
  rate: cents(400),
  discount: fc.oneof(
    cents(100).map((discount) => ({ discount })),
    cents(50).map((discountAmount) => ({ discountAmount })),
  ),
})

/** What a user does to a stored line: each part may be left out. */
const edit = fc.record(
  {
    quantity: cents(20).filter((value) => value > 0),
    rate: cents(400),
    isSwitched: fc.boolean(),
    discount: cents(50),
  },
  { requiredKeys: [] },
)

function edited(
  values: LineValues,
  { isSwitched, ...typed }: Partial<LineValues> & { isSwitched?: boolean },
) {
  const switched = isSwitched ? withOtherDiscount(values, digits) : values
  return { ...switched, ...typed }
}

const noTax: LineTax = { taxCode: null, taxCategory: null, taxRate: 0, from: "stored" }

test("The server stores the amount that the console shows for an edited line, with either kind of discount.", () => {
  fc.assert(
    fc.property(line, edit, ({ discount, ...figures }, change) => {
      const known = stored({ ...figures, ...discount })
      if (!known) return
      const shown = edited(lineOf(lineToApi(known, digits), digits), change)
      const [body] = linesBody([shown], digits)
      const after = stored(body as GivenLine, known)
      if (!after) return
      const { amounts } = plainTotals([typedFigures(shown, noTax)], { digits })
      const isSame = after.amount === Math.round((amounts[0] ?? 0) * 100)
      // A percentage that the user turns into the same amount stays a percentage with four decimals on the server.
      const isTurned = shown.isAmount && shown.discount === shown.stored?.discountAmount
      expect([body, isSame || isTurned]).toEqual([body, true])
      expect(Math.abs(after.amount / 100 - (amounts[0] ?? 0))).toBeLessThan(0.011)
    }),
    { numRuns: 5_000 },
  )
})
