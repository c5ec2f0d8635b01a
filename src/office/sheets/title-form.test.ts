import { expect, test } from "bun:test"
import { bareForm, senseOf, titleForm } from "./title-form"

test("Capital letters, accents, spaces and punctuation make no difference between titles.", () => {
  expect(titleForm("  Größe (cm)")).toBe(titleForm("grosse CM"))
  expect(titleForm("itemCode")).toBe(titleForm("Item code:"))
  expect(titleForm("itemCode")).not.toBe(titleForm("itemName"))
})

test("The form of a title is not longer than a title, although a character can become 18.", () => {
  expect(titleForm("ﷺ".repeat(200)).length).toBeLessThanOrEqual(200)
})

test("A title says whether prices include tax, in several languages.", () => {
  for (const title of [
    "VK brutto",
    "Bruttopreis",
    "Preis inkl. MwSt.",
    "Gross price",
    "Prix TTC",
    "VK (inkl. 19 % USt)",
  ])
    expect([title, senseOf(title)]).toEqual([title, "gross"])
  for (const title of ["VK netto", "Net price", "Prix HT", "Preis zzgl. MwSt", "EK exkl. USt"])
    expect([title, senseOf(title)]).toEqual([title, "net"])
  for (const title of ["VK", "Größe", "VK Großhandel", "Netto und brutto", "Netherlands", "MwSt"])
    expect([title, senseOf(title)]).toEqual([title, null])
})

test("A title of prices is compared without what it says about tax and currency.", () => {
  for (const title of ["VK brutto", "VK (EUR)", "VK netto in €", "VK inkl. MwSt."])
    expect(bareForm(title)).toBe(titleForm("VK"))
  expect(bareForm("Bruttopreis")).toBe(titleForm("Preis"))
  expect(bareForm("brutto")).toBe("")
})
