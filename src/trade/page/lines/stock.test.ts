import { expect, test } from "bun:test"
import { revisedHints, stockHints } from "./stock"

const items = new Map([
  ["desk", { itemType: "Product" as const, availableStock: 5, uom: "Nos" }],
  ["oil", { itemType: "Consumable" as const, availableStock: 0.3, uom: "l" }],
  ["none", { itemType: "Product" as const, availableStock: -2, uom: "Nos" }],
  ["advice", { itemType: "Service" as const, availableStock: 0, uom: "h" }],
])
const hints = (...lines: [string, number | string][]) =>
  stockHints(
    lines.map(([item, quantity]) => ({ item, quantity })),
    (id) => items.get(id),
  )

test("A line with a quantity above the available stock is short.", () => {
  expect(hints(["desk", 5])).toEqual([{ available: 5, uom: "Nos", isShort: false }])
  expect(hints(["desk", 5.5])).toEqual([{ available: 5, uom: "Nos", isShort: true }])
})

test("A second line of the same item gets the stock that the first line leaves.", () => {
  expect(hints(["oil", 0.1], ["desk", 1], ["oil", 0.2]).map((hint) => hint?.available)).toEqual([0.3, 5, 0.2])
  expect(hints(["desk", 4], ["desk", 2])[1]).toEqual({ available: 1, uom: "Nos", isShort: true })
})

test("Negative stock is shown as it is.", () => {
  expect(hints(["none", 1])).toEqual([{ available: -2, uom: "Nos", isShort: true }])
})

test("Services, unknown items and empty lines have no hint.", () => {
  expect(hints(["advice", 9], ["gone", 1], ["", ""])).toEqual([null, null, null])
})

test("A submitted order has what it reserves, and needs nothing for what has left.", () => {
  const stored = [{ id: "a", item: "desk", quantity: 4, invoicedQuantity: 1, deliveredQuantity: 2 }]
  const hintOf = (quantity: number) =>
    revisedHints([{ id: "a", item: "desk", quantity }], (id) => items.get(id), stored)[0]
  expect(hintOf(9)).toEqual({ available: 7, uom: "Nos", isShort: false })
  expect(hintOf(10)).toEqual({ available: 7, uom: "Nos", isShort: true })
})
