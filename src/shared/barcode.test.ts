import { expect, test } from "bun:test"
import { isShortened, missedCheckDigit, plainBarcode } from "./barcode"

test.each(["4006381333931", "96385074", "036000291452", "00012345600012", "9783161484100"])(
  "the check digit of %s is right",
  (barcode) => {
    expect(missedCheckDigit(barcode)).toBeNull()
  },
)

test.each([
  ["4006381333930", 1],
  ["96385079", 4],
  ["036000291450", 2],
  ["00012345600011", 2],
])("%s should end with %d", (barcode, digit) => {
  expect(missedCheckDigit(barcode)).toBe(digit)
})

test.each(["LE-1299", "123456789", "12345", "400638133393X", ""])("%p has no check digit", (barcode) => {
  expect(missedCheckDigit(barcode)).toBeNull()
})

test("only digits are written without the spaces between them", () => {
  expect(plainBarcode("4 006381 333931")).toBe("4006381333931")
  expect(plainBarcode("SHELF 4")).toBe("SHELF 4")
})

test("a number that a spreadsheet has shortened is recognized", () => {
  expect(["4.00638E+12", "4,00638133393E+12", "4E+12"].map(isShortened)).toEqual([true, true, true])
  expect(["4006381333931", "E+12", "LE+12"].map(isShortened)).toEqual([false, false, false])
})
