import { fromUnits, largestPrice, priceDigits } from "../../shared/decimal"
import type { ItemPrice } from "../items/service"
import type { JobFault } from "../../office/jobs/model"
import type { PriceChange, Target } from "./model"
import { newPrice, type NoPrice } from "./price"

/** Computes the new prices of items: those that differ, and those that are impossible. */
export function targetsOf(some: readonly ItemPrice[], change: PriceChange) {
  const targets: Target[] = []
  const faults: JobFault[] = []
  for (const { id, price } of some) {
    const after = newPrice(price, change)
    if (typeof after === "string")
      faults.push(faultOf(id, codes[after], `The price stays ${shown(price)}, because ${why[after]}.`))
    else if (after !== price) targets.push({ record: id, before: price, after })
  }
  return { targets, faults, unchanged: some.length - targets.length - faults.length }
}

const codes: Record<NoPrice, string> = { negative: "NEGATIVE", "too-large": "TOO_LARGE" }

const why: Record<NoPrice, string> = {
  negative: "it would be below 0",
  "too-large": `it would be above ${largestPrice}`,
}

const shown = (price: number): number => fromUnits(price, priceDigits)

export const faultOf = (record: string, code: string, message: string): JobFault => ({
  row: null,
  column: null,
  field: "sellingPrice",
  record,
  code,
  message,
})

/** The fault of an item whose price is no longer the one that its new price was computed from. */
export const changedMeanwhile = ({ record, before }: Target, price: number): JobFault =>
  faultOf(
    record,
    "CHANGED",
    `The price stays ${shown(price)}, because it was changed from ${shown(before)} meanwhile.`,
  )
