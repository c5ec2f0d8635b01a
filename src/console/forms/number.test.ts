import { describe, expect, test } from "bun:test"
import { numbersIn } from "./number"

const [english, german, french, swiss, indian] = ["en-US", "de-DE", "fr-FR", "de-CH", "en-IN"].map(
  (language) => numbersIn([language]),
) as ReturnType<typeof numbersIn>[]

describe("a typed number", () => {
  test.each([
    ["12.50", 12.5, 12.5],
    ["12,50", 12.5, 12.5],
    ["1.234,50", 1234.5, 1234.5],
    ["1,234.50", 1234.5, 1234.5],
    ["1234,5", 1234.5, 1234.5],
    ["1,234,567", 1_234_567, 1_234_567],
    ["1.234.567", 1_234_567, 1_234_567],
    ["1.2345", 1.2345, 1.2345],
    ["0.125", 0.125, 0.125],
    ["0,125", 0.125, 0.125],
    ["1234.567", 1234.567, 1234.567],
    [".5", 0.5, 0.5],
    ["12.", 12, 12],
    [" −7 ", -7, -7],
    ["449.90", 449.9, 449.9],
    ["", "", ""],
  ])("is the same in English and German if it has only one meaning: %s", (text, inEnglish, inGerman) => {
    expect([english?.read(text), german?.read(text)]).toEqual([inEnglish, inGerman])
  })

  test("is read by the rules of the language if it has two meanings", () => {
    expect([english?.read("1,234"), german?.read("1,234")]).toEqual([1234, 1.234])
    expect([english?.read("1.234"), german?.read("1.234")]).toEqual([1.234, 1234])
  })

  test.each(["a dozen", "1,2,3", "12.34.56", "-", ".", "1e3", "2e0", "one", "0x10", "5,432,50", "1 2 3 a"])(
    "is returned as text if it is not a number: %s",
    (text) => {
      expect([english?.read(text), german?.read(text)]).toEqual([text, text])
    },
  )

  test("can have spaces, apostrophes or Indian grouping as thousands separators", () => {
    expect(french?.read("1 234 567,5")).toBe(1_234_567.5)
    expect(swiss?.read("1’234.50")).toBe(1234.5)
    expect(indian?.read("12,34,567.5")).toBe(1_234_567.5)
  })
})

test("A number is shown with thousands separators and edited without them, and both are read back.", () => {
  for (const value of [0, 0.1, 449.9, 1234.5, 999_999_999.9999, -7])
    for (const numbers of [english, german, french, swiss, indian])
      expect([numbers?.read(numbers.write(value)), numbers?.read(numbers.writePlain(value))]).toEqual([
        value,
        value,
      ])
  expect([german?.write(12.5), english?.write(12.5)]).toEqual(["12,5", "12.5"])
  expect([german?.write(1234.5), german?.writePlain(1234.5)]).toEqual(["1.234,5", "1234,5"])
  expect([english?.write(1234.5), english?.writePlain(1234.5)]).toEqual(["1,234.5", "1234.5"])
})
