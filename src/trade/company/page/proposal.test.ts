import { expect, test } from "bun:test"
import { currencyOf } from "./proposal"

test("The proposed currency is that of the browser's region, or of the main region of its language.", () => {
  expect(currencyOf(["de-DE", "en"])).toBe("EUR")
  expect(currencyOf(["en", "de-CH"])).toBe("CHF")
  expect(currencyOf(["de"])).toBe("EUR")
  expect(currencyOf(["en-GB"])).toBe("GBP")
  expect(currencyOf(["en-001"])).toBeNull()
  expect(currencyOf([])).toBeNull()
})
