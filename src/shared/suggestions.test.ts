import { expect, test } from "bun:test"
import { alsoCalled, methodIn } from "./suggestions"

test("A usual method of payment is read in each language, whatever language it was stored in.", () => {
  expect([methodIn("de", "Bank transfer"), methodIn("en", "Virement"), methodIn("de", "Bar")]).toEqual([
    "Überweisung",
    "Bank transfer",
    "Bar",
  ])
  expect(alsoCalled("Überweisung")).toEqual(["Bank transfer", "Virement"])
})

test("Any other text stays as it was typed.", () => {
  for (const typed of ["cash", "Cash on delivery", "voucher", "constructor", ""])
    expect([methodIn("de", typed), alsoCalled(typed)]).toEqual([typed, []])
})
