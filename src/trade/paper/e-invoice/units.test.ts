import { expect, test } from "bun:test"
import { unitCodeOf } from "../../../shared/documents/units"
import { isUnitCode } from "../../../shared/documents/unit-codes"

const codeOf = (uom: string, own: Record<string, string> = {}) => unitCodeOf(uom, own, isUnitCode)

test("common words of three languages have codes, in any case and with a dot at the end", () => {
  const words = ["Nos", "pcs", "Stk.", "STÜCK", "pièce", "Std.", "heures", "kg", "m²", "Palette", "pauschal"]
  expect(words.map((word) => codeOf(word))).toEqual([
    "C62",
    "H87",
    "H87",
    "H87",
    "H87",
    "HUR",
    "HUR",
    "KGM",
    "MTK",
    "XPX",
    "LS",
  ])
})

test("words of the settings come first, in any case", () => {
  expect(codeOf("gebinde", { Gebinde: "XPK" })).toBe("XPK")
  expect(codeOf("Palette", { palette: "XPF" })).toBe("XPF")
})

test("a code is its own code, but only in upper case", () => {
  expect([codeOf("XPF"), codeOf("H87"), codeOf("xpf"), codeOf("Gebinde")]).toEqual(["XPF", "H87", null, null])
})

test("the names of properties of objects are not units", () => {
  expect([codeOf("constructor"), codeOf("__proto__"), codeOf("toString")]).toEqual([null, null, null])
})

test("the codes of common words are codes that e-invoices accept", () => {
  const words =
    "nos pcs Stück pièce h hrs hours Std Stunde Stunden heure heures min day days Tag Tage jour jours month Monat " +
    "Monate mois kg g t l ml m cm mm km m² m2 qm m³ box Karton carton pack Packung paquet pair Paar paire set roll " +
    "Rolle sheet Blatt bottle Flasche bag Sack pallet Palette kWh flat pauschal forfait week year dozen Dutzend " +
    "Eimer Dose crate tube Satz service Leistung Kiste inch foot lb oz hl cl mg"
  const wrong = words.split(" ").filter((word) => !isUnitCode(codeOf(word) ?? ""))
  expect(wrong).toEqual([])
})
