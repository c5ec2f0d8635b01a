import { beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import { lacksOfSeller } from "../../../shared/documents/e-invoice"
import de from "../../../console/texts/de"
import { kindTexts } from "../../../console/texts/kinds"
import { missingInWords } from "./missing-list"

beforeAll(() =>
  i18next.init({
    lng: "de",
    resources: { de: { translation: { ...de, kinds: kindTexts("de") } } },
    interpolation: { escapeValue: false },
  }),
)

const empty = {
  legalName: null,
  address: null,
  email: null,
  phone: null,
  vatId: null,
  taxNumber: null,
  registrationId: null,
  iban: null,
}
const wrong = { ...empty, address: { city: null, zipCode: null, country: "SS" }, email: "a@b", phone: "1" }

test("everything that a company can lack has a German sentence.", () => {
  const cases = [empty, wrong, { ...wrong, vatId: "123" }].flatMap((seller) =>
    (["S", "K", "G", "O"] as const).flatMap((category) =>
      lacksOfSeller(seller, { profile: "xrechnung", categories: [category], isCreditNote: false }),
    ),
  )
  const rules = new Set(cases.map(({ rule }) => rule))
  expect(rules.size).toBeGreaterThan(12)
  for (const { field, rule } of cases) {
    const sentence = missingInWords({ field: `seller.${field}`, rule, message: "An English sentence." })
    expect([rule, sentence]).toEqual([rule, expect.stringMatching(/ der Firma\b|Firmennamen/)])
  }
})

test("a sentence names the line and its unit, and an unknown field has the server's sentence.", () => {
  const lines = [{ uom: "Stk" }, { uom: "Kolli" }]
  expect(missingInWords({ field: "items[1].uom", rule: "BR-CL-23" }, lines)).toBe(
    "Tragen Sie den UN/ECE-Code der Einheit „Kolli“ ein.",
  )
  expect(missingInWords({ field: "items[1].taxCode", rule: "BR-CO-04" }, lines)).toBe(
    "Wählen Sie in Position 2 einen Steuerschlüssel.",
  )
  expect(missingInWords({ field: "moon", rule: "BR-99", message: "The moon is missing." })).toBe(
    "The moon is missing.",
  )
})
