import { expect } from "bun:test"
import { sum, totalOf, type Counted, type Tax } from "./shop-model"
import { cents, type ShownOff } from "./shop-story"
import type { Trade } from "./trade"

export type Shown = Awaited<ReturnType<Trade["get"]>>

/** Compares the lines, taxes and totals of a document. */
export function compareSums(
  shown: Shown,
  parts: { line: { tax: Tax }; price: number; discount: number; share: number }[],
  { isGross, off: [percent, isAmount] }: { isGross: boolean; off: ShownOff },
  counted: Counted,
): void {
  expect(shown.pricesIncludeTax).toBe(isGross)
  expect(
    shown.items.map((line: Shown) => [
      ...[line.amount, line.grossAmount, line.discountAmount, line.documentDiscount].map(cents),
      line.taxCode,
      line.taxCategory,
      line.taxRate,
    ]),
  ).toEqual(
    parts.map(({ line: { tax }, price, discount, share }, i) => [
      counted.nets[i],
      isGross ? price : null,
      discount,
      share,
      tax.code,
      tax.category,
      tax.rate,
    ]),
  )
  expect(
    shown.taxes
      .map(({ category, rate, base, tax }: Shown) => [category, rate, cents(base), cents(tax)])
      .toSorted(),
  ).toEqual([...counted.rows.values()].map((row) => [row.category, row.rate, row.base, row.tax]).toSorted())
  for (const { category, reason } of shown.taxes)
    expect([category, reason !== null]).toEqual([category, ["E", "AE", "K", "G"].includes(category)])
  const net = sum(counted.nets)
  expect([shown.subtotal, shown.taxTotal, shown.total].map(cents)).toEqual([
    net,
    totalOf(counted) - net,
    totalOf(counted),
  ])
  const off = sum(parts.map(({ share }) => share))
  expect([shown.discountAmount, shown.discountTotal].map(cents)).toEqual([
    off,
    off + sum(parts.map(({ discount }) => discount)),
  ])
  expect([Math.round(shown.discount * 10_000), shown.isDiscountAmount]).toEqual([percent, isAmount])
  // The total of a gross document is what was typed.
  if (isGross) expect(cents(shown.total)).toBe(sum(parts.map(({ price }) => price)))
}
