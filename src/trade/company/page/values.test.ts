import { expect, test } from "bun:test"
import { unitCodesOf, unitRow, unitRowsOf } from "./values"

test("units that were not changed are sent as they are stored, in the same order.", () => {
  const stored = { Palette: "XPX", Fass: "XBA" }
  expect(JSON.stringify(unitCodesOf(unitRowsOf(stored), stored))).toBe(JSON.stringify(stored))
})

test("a removed or renamed unit is sent as null, and an empty row is left out.", () => {
  const stored = { Palette: "XPX", Fass: "XBA" }
  const units = [{ key: "1", word: "Fässer ", code: "XBA" }, unitRow("")]
  expect(unitCodesOf(units, stored)).toEqual({ Palette: null, Fass: null, Fässer: "XBA" })
})
