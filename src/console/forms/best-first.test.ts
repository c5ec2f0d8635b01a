import { expect, test } from "bun:test"
import { bestFirst } from "./best-first"

const optionsOf = (...labels: string[]) => labels.map((label) => ({ value: label.slice(0, 3), label }))
const found = (labels: string[], typed: string) =>
  bestFirst(optionsOf(...labels), typed).map(({ label }) => label)

test("The code comes first, then the start of the label, the start of a word, and other matches.", () => {
  expect(found(["CHE – WIR euro", "EUR – Euro", "XEU – ECU"], "eur")).toEqual([
    "EUR – Euro",
    "CHE – WIR euro",
  ])
  expect(found(["British Indian Ocean", "India", "Indonesia"], "india")).toEqual([
    "India",
    "British Indian Ocean",
  ])
  expect(found(["Romania", "Sultanate of Oman", "Oman"], "oman")).toEqual([
    "Oman",
    "Sultanate of Oman",
    "Romania",
  ])
})

test("Case and accents are ignored, and an empty search finds all options in their order.", () => {
  expect(found(["Åland", "Österreich"], " OSTER")).toEqual(["Österreich"])
  expect(found(["Åland", "Österreich"], "")).toEqual(["Åland", "Österreich"])
})
