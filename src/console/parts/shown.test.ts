import "../../../test/support/fill-folders"
import { beforeAll, describe, expect, test } from "bun:test"
import { Glob } from "bun"
import i18next from "i18next"
import { folders } from "../folders"
import de from "../texts/de"
import en from "../texts/en"

/** These have sentences of their own on the page of a webhook. */
const inSentences = ["disabledReason", "pausedReason"]

/** The values of each field that has a few, and that a history or a filter can so show. */
const choices = Object.entries(folders).flatMap(([kind, { choices }]) =>
  Object.entries(choices)
    .filter(([field, values]) => !inSentences.includes(field) && !values.includes("true"))
    .flatMap(([field, values]) => values.map((value) => [kind, field, value] as const)),
)

describe.each(["en", "de"] as const)("in %s", (lng) => {
  beforeAll(async () => {
    const { kindTexts, ownNames } = await import("../texts/kinds")
    const texts = { en, de }[lng]
    const values = { ...texts.values, status: { ...texts.values.status, ...ownNames(lng).values.status } }
    await i18next.init({
      lng,
      resources: { [lng]: { translation: { ...texts, values, kinds: kindTexts(lng) } } },
      interpolation: { escapeValue: false },
    })
  })

  test("each value that is one of a few is shown in words, and not as the API has it", async () => {
    const { shown } = await import("./shown")
    // The words of item types are those of the API in English.
    const raw = choices.filter(
      ([kind, field, value]) => shown(field, value, kind) === value && (lng === "de" || field !== "itemType"),
    )
    expect(choices.length).toBeGreaterThan(50)
    expect(raw.map((each) => each.join(" "))).toEqual([])
  })

  test("each action that the server audits by a fixed name has words", async () => {
    const { t } = await import("../../office/audit/page/texts")
    const known = Object.keys(t.texts[lng].actions)
    const audited = new Set<string>()
    for (const file of new Glob("src/**/*.ts").scanSync())
      for (const [, action = ""] of (await Bun.file(file).text()).matchAll(/audit\(\s*"[a-z-]+\.([a-z-]+)"/g))
        audited.add(action)
    expect([...audited].filter((action) => !known.includes(action))).toEqual([])
  })
})

test("Dates and times are shown as people write them, whatever their field is called.", async () => {
  const { shown } = await import("./shown")
  for (const field of ["orderDate", "lockedUntil"]) expect(shown(field, "2026-01-31")).not.toContain("2026-")
  for (const field of ["createdAt", "failingSince"])
    expect(shown(field, "2026-01-31T12:00:00.000Z")).not.toContain("2026-")
  expect(shown("externalId", "2026-01-31")).toBe("2026-01-31")
})

test("A method of payment is shown in the language of the reader, and a text of the user as it is.", async () => {
  const { shown } = await import("./shown")
  expect([shown("method", "Überweisung"), shown("method", "Anzahlung")]).toEqual([
    "Bank transfer",
    "Anzahlung",
  ])
})

test("The meaning of a value depends on the kind: a type of customers is no type of OAuth clients.", async () => {
  const { shown } = await import("./shown")
  expect(shown("type", "Company", "customers")).toBe("Firma")
  expect(shown("type", "public", "oauth-clients")).toBe("Öffentlich")
  expect(shown("category", "S", "tax-codes")).toBe("Steuerpflichtig")
  expect(shown("category", "S", "items")).toBe("S")
  expect(shown("country", "AT")).not.toBe("AT")
})

test("Amounts, prices, percentages and quantities of a record are shown as what they are", async () => {
  const { money, price, number, storeCurrency } = await import("../format")
  const { shown } = await import("./shown")
  const { describeDocument } = await import("../../trade/page/describe")
  storeCurrency("EUR", 2)
  expect(shown("discountAmount", 59.5, "sales-orders")).toBe(money(59.5, "EUR"))
  expect(shown("creditLimit", 1000, "customers")).toBe(money(1000, "EUR"))
  expect(shown("sellingPrice", 0.0125, "items")).toBe(price(0.0125, "EUR"))
  expect(shown("reorderQty", 59.5, "items")).toBe(number(59.5))
  expect(shown("rate", 19, "tax-codes")).toBe("19 %")
  const line = { item: null, itemCode: "DESK", quantity: 3, rate: 59.9, discount: 5 }
  expect(shown("items", [line], "sales-orders")).toContain(price(59.9, "EUR"))
  expect(describeDocument()("items", [line])).toContain(`3 × DESK`)
  expect(describeDocument()("items", [line])).toContain(price(59.9, "EUR"))
  expect(describeDocument()("items", [line])).toContain("5 %")
  expect(describeDocument()("items", [{ ...line, rate: "abc" }])).toContain("abc")
})
