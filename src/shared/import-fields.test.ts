import { expect, test } from "bun:test"
import { isCountedTitle } from "./import-fields"

test("a column with quantities in stock is known by its title", () => {
  for (const title of [
    "Bestand",
    "BESTAND (Stk)",
    "Lager-Bestand",
    "Stock on hand",
    "gezahlt",
    "Ist-Bestand",
  ])
    expect([title, isCountedTitle(title)]).toEqual([title, true])
  for (const title of ["Mindestbestand", "Lagerplatz", "Einheit", "Preis", ""])
    expect([title, isCountedTitle(title)]).toEqual([title, false])
})
