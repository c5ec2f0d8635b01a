import { expect, test } from "bun:test"
import { titleForm } from "./title-form"

test("Capital letters, accents, spaces and punctuation make no difference between titles.", () => {
  expect(titleForm("  Größe (cm)")).toBe(titleForm("grosse CM"))
  expect(titleForm("itemCode")).toBe(titleForm("Item code:"))
  expect(titleForm("itemCode")).not.toBe(titleForm("itemName"))
})

test("The form of a title is not longer than a title, although a character can become 18.", () => {
  expect(titleForm("ﷺ".repeat(200)).length).toBeLessThanOrEqual(200)
})
