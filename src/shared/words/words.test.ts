import { expect, test } from "bun:test"
import { termsIn } from "./payment-terms"
import { unitIn } from "./units"

test.each([
  ["Net 30", "30 Tage netto", "30 jours net"],
  ["net 1", "1 Tag netto", "1 jour net"],
  ["14 days", "14 Tage netto", "14 jours net"],
  [
    "2/10 net 30",
    "30 Tage netto, 2 % Skonto innerhalb von 10 Tagen",
    "30 jours net, escompte de 2 % sous 10 jours",
  ],
  ["Due on receipt", "Sofort fällig", "À réception de la facture"],
  ["EOM", "Fällig am Monatsende", "Fin de mois"],
])("the terms %p are %p in German and %p in French", (typed, german, french) => {
  expect([termsIn("en", typed), termsIn("de", typed), termsIn("fr", typed)]).toEqual([typed, german, french])
})

test("terms of the language of the paper, and terms that are none of the common ones, stay as they were typed", () => {
  expect(termsIn("en", "30 Tage netto")).toBe("Net 30")
  expect(termsIn("fr", "sofort  fällig")).toBe("À réception de la facture")
  expect(termsIn("de", "netto 30")).toBe("netto 30")
  expect([termsIn("en", "14"), termsIn("de", "14")]).toEqual(["Net 14", "14 Tage netto"])
  for (const typed of [
    "14 Tage, 2 % Skonto 7 Tage",
    "Net 30 after inspection",
    "per Lastschrift",
    "",
    "2026",
  ])
    for (const language of ["en", "de", "fr"] as const) expect(termsIn(language, typed)).toBe(typed)
})

test.each([
  ["Nos", 2, "Nos", "Stk", "pces"],
  ["pcs", 1, "pcs", "Stk", "pce"],
  ["Stk.", 1.5, "pcs", "Stk.", "pce"],
  ["Stunden", 3, "h", "Stunden", "h"],
  ["days", 1, "days", "Tag", "jour"],
  ["Flasche", 6, "bottles", "Flasche", "bouteilles"],
  ["set", 2, "set", "set", "set"],
  ["kg", 2, "kg", "kg", "kg"],
  ["Gebinde", 2, "Gebinde", "Gebinde", "Gebinde"],
  ["constructor", 2, "constructor", "constructor", "constructor"],
])("the unit %p of a quantity of %p is %p, %p and %p", (uom, quantity, english, german, french) => {
  const written = (["en", "de", "fr"] as const).map((language) => unitIn(language, uom, quantity))
  expect(written).toEqual([english, german, french])
})
