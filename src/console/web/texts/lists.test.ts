import { beforeAll, describe, expect, test } from "bun:test"
import i18next from "i18next"
import type { AuditEntry } from "../api/types"
import type { Story } from "../parts/timeline-sentences"
import de from "./de"
import en from "./en"
import { t } from "./index"

const texts = { en, de }
const speak = (lng: "en" | "de") =>
  i18next.init({
    lng,
    resources: { [lng]: { translation: texts[lng] } },
    interpolation: { escapeValue: false },
  })

const entry = (action: string, changes: AuditEntry["changes"]) => ({ action, changes }) as AuditEntry
const storyOf = (kind: Story["kind"]): Story => ({
  kind,
  record: { id: "inv_1", createdAt: "2026-11-16T09:00:00.000Z", invoiceNumber: "INV-7" },
  currency: "EUR",
  isFinalizedLater: true,
})

async function tell(kind: Story["kind"], action: string, changes: AuditEntry["changes"]): Promise<string[]> {
  const { sentencesOf } = await import("../parts/timeline-sentences")
  return sentencesOf(storyOf(kind), entry(action, changes)).map((sentence) => sentence("Anna"))
}

const cancelled = { status: { from: "unpaid", to: "cancelled" }, reason: { from: null, to: "A & B" } }
const issued = { status: { from: "draft", to: "unpaid" }, creditOverride: { from: null, to: true } }
const seven = Object.fromEntries(
  ["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, { from: 1, to: 2 }]),
)

describe("in English", () => {
  beforeAll(async () => void (await speak("en")))

  test("the timeline tells what somebody did", async () => {
    expect(await tell("sales-orders", "sales-orders.create", {})).toEqual(["Anna created the order"])
    expect(await tell("invoices", "invoices.status", cancelled)).toEqual([
      "Anna cancelled the invoice (reason: A & B)",
    ])
    expect(await tell("invoices", "invoices.status", issued)).toEqual([
      "Anna issued the invoice as INV-7 above the credit limit",
    ])
    expect(await tell("items", "items.update", { isActive: { from: true, to: false } })).toEqual([
      "Anna deactivated the item",
    ])
    expect(await tell("items", "items.update", { reorderQty: { from: 5, to: 9 } })).toEqual([
      "Anna changed the reorder quantity from 5 to 9",
    ])
    expect(await tell("items", "items.update", { category: { from: null, to: "Tea" } })).toEqual([
      "Anna set the category to Tea",
    ])
    expect((await tell("items", "items.update", seven)).at(-1)).toBe("Anna changed 1 more field")
    expect(await tell("items", "items.frame-up", {})).toEqual(["Anna frame-up"])
  })

  test("a list counts what is selected", () => {
    expect(String(t(($) => $.kinds["stock-movements"].selected, { count: 1, shown: "1" }))).toBe(
      "1 stock movement selected.",
    )
    expect(String(t(($) => $.kinds["audit-logs"].selected, { count: 2, shown: "2" }))).toBe(
      "2 entries selected.",
    )
  })
})

describe("in German", () => {
  beforeAll(async () => void (await speak("de")))

  test("the timeline tells what somebody did", async () => {
    expect(await tell("invoices", "invoices.status", cancelled)).toEqual([
      "Anna hat die Rechnung storniert (Grund: A & B)",
    ])
    expect(await tell("items", "items.update", { itemName: { from: "Tee", to: "Kaffee" } })).toEqual([
      "Anna hat „Bezeichnung“ von Tee in Kaffee geändert",
    ])
    expect((await tell("items", "items.update", seven)).at(-1)).toBe("Anna hat 1 weiteres Feld geändert")
  })

  test("a list counts what is selected and what failed", () => {
    expect(String(t(($) => $.kinds.invoices.selected, { count: 1, shown: "1" }))).toBe(
      "1 Rechnung ausgewählt.",
    )
    expect(String(t(($) => $.lists.failed.issued, { count: 1, shown: "1" }))).toBe(
      "1 konnte nicht ausgestellt werden",
    )
    expect(String(t(($) => $.lists.failed.issued, { count: 2, shown: "2" }))).toBe(
      "2 konnten nicht ausgestellt werden",
    )
  })
})
