import { beforeAll, describe, expect, test } from "bun:test"
import i18next from "i18next"
import type { AuditEntry } from "../api/types"
import type { Story } from "../../trade/page/timeline-sentences"
import de from "./de"
import en from "./en"
import { kindTexts } from "./kinds"
import { t } from "./index"

const texts = { en, de }
const speak = (lng: "en" | "de") =>
  i18next.init({
    lng,
    resources: { [lng]: { translation: { ...texts[lng], kinds: kindTexts(lng) } } },
    interpolation: { escapeValue: false },
  })

const entry = (action: string, changes: AuditEntry["changes"]) => ({ action, changes }) as AuditEntry
/** What was paid, credited, applied or refunded, and the same voided. */
const amount = { amount: { from: null, to: 12.5 }, application: { from: null, to: "app_1" } }
const voided = { amount: { from: 12.5, to: null }, application: { from: "app_1", to: null } }
/** The format of an amount is that of the system, not of the texts. */
const shown = async () => (await import("../format")).money(12.5, "EUR")
const storyOf = (kind: Story["kind"]): Story => ({
  kind,
  record: {
    id: "inv_1",
    createdAt: "2026-11-16T09:00:00.000Z",
    invoiceNumber: "INV-7",
    ...(kind === "credit-notes" ? { creditNoteNumber: "CN-3" } : {}),
    applications: [{ id: "app_1", invoiceNumber: "INV-8", creditNoteNumber: "CN-3" }],
  },
  currency: "EUR",
  isFinalizedLater: true,
})

async function tell(kind: Story["kind"], action: string, changes: AuditEntry["changes"]): Promise<string[]> {
  const { sentencesOf } = await import("../../trade/page/timeline-sentences")
  return sentencesOf(storyOf(kind), entry(action, changes)).map((sentence) => sentence("Anna"))
}

const cancelled = { status: { from: "unpaid", to: "cancelled" }, reason: { from: null, to: "A & B" } }
const issued = { status: { from: "draft", to: "unpaid" }, creditOverride: { from: null, to: true } }
const papers = { "pdf-de": { from: null, to: "a1" }, "ubl-xrechnung": { from: null, to: "b2" } }
const ofPayment = [
  ["payments.create", { amount: { from: null, to: 30 } }],
  ["payments.allocation", { amount: { from: null, to: 5 }, invoiceNumber: { from: null, to: "INV-7" } }],
  [
    "payments.allocation-removed",
    { amount: { from: 5, to: null }, invoiceNumber: { from: "INV-7", to: null } },
  ],
  ["payments.refund", { amount: { from: null, to: 2 } }],
  ["payments.refund-removed", { amount: { from: 2, to: null } }],
] as const
const tellPayment = async () =>
  (await Promise.all(ofPayment.map(([action, changes]) => tell("payments", action, changes)))).flat()
/** An amount in the format of the machine. */
const euros = async (text: string) => {
  const { money } = await import("../format")
  return text.replace(/€(\d+)/g, (_, amount) => money(Number(amount), "EUR"))
}
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
    expect(await tell("invoices", "invoices.paper", papers)).toEqual([
      "Anna created the PDF in German",
      "Anna created the e-invoice (XRechnung, UBL)",
    ])
  })

  test("the timeline tells how an invoice was credited, and how a credit note was used", async () => {
    const invoice = async (action: string, changes = amount as AuditEntry["changes"]) =>
      (await tell("invoices", `invoices.${action}`, changes)).join()
    const note = async (action: string, changes = amount as AuditEntry["changes"]) =>
      (await tell("credit-notes", `credit-notes.${action}`, changes)).join()
    expect(await invoice("credit")).toBe(`Anna credited ${await shown()}`)
    expect(await invoice("application")).toBe(`Anna applied ${await shown()} of CN-3`)
    expect(await invoice("application", { ...amount, application: { from: null, to: "app_2" } })).toBe(
      `Anna applied ${await shown()} of a credit note`,
    )
    expect(await invoice("application-removed", voided)).toBe(
      `Anna voided the application of ${await shown()}`,
    )
    expect(await invoice("status", { status: { from: "unpaid", to: "credited" } })).toBe(
      "Anna settled the invoice: it is credited in full",
    )
    expect(await invoice("write-off", { ...amount, reason: { from: null, to: "Bank charges" } })).toBe(
      `Anna wrote off ${await shown()} (reason: Bank charges)`,
    )
    expect(await invoice("write-off-removed", voided)).toBe(`Anna voided the write-off of ${await shown()}`)
    expect(await invoice("deduction", amount)).toBe(
      `Anna deducted ${await shown()} of the deposit from a later invoice`,
    )
    expect(await note("create", {})).toBe("Anna issued the credit note as CN-3 for INV-7")
    expect(await note("application")).toBe(`Anna applied ${await shown()} to INV-8`)
    expect(await note("refund")).toBe(`Anna refunded ${await shown()}`)
    expect(await note("refund-removed", voided)).toBe(`Anna voided the refund of ${await shown()}`)
  })

  test("the timeline of a payment tells its parts", async () => {
    expect((await tellPayment()).join("\n")).toBe(
      await euros(
        [
          "Anna recorded the payment of €30",
          "Anna allocated €5 to INV-7",
          "Anna voided the allocation of €5 to INV-7",
          "Anna refunded €2",
          "Anna voided the refund of €2",
        ].join("\n"),
      ),
    )
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
    expect(await tell("credit-notes", "credit-notes.paper", papers)).toEqual([
      "Anna hat das PDF auf Deutsch erstellt",
      "Anna hat die E-Rechnung (XRechnung, UBL) erstellt",
    ])
  })

  test("the timeline tells how an invoice was credited, and how a credit note was used", async () => {
    expect(await tell("invoices", "invoices.credit", amount)).toEqual([
      `Anna hat die Rechnung um ${await shown()} korrigiert`,
    ])
    expect(await tell("invoices", "invoices.application", amount)).toEqual([
      `Anna hat ${await shown()} aus CN-3 verrechnet`,
    ])
    expect(await tell("credit-notes", "credit-notes.create", {})).toEqual([
      "Anna hat die Rechnungskorrektur CN-3 zu INV-7 ausgestellt",
    ])
    expect(await tell("credit-notes", "credit-notes.refund-removed", voided)).toEqual([
      `Anna hat die Erstattung über ${await shown()} storniert`,
    ])
  })

  test("the timeline of a payment tells its parts", async () => {
    expect((await tellPayment()).join("\n")).toBe(
      await euros(
        [
          "Anna hat die Zahlung über €30 erfasst",
          "Anna hat €5 der Rechnung INV-7 zugeordnet",
          "Anna hat die Zuordnung von €5 zu INV-7 storniert",
          "Anna hat €2 erstattet",
          "Anna hat die Erstattung über €2 storniert",
        ].join("\n"),
      ),
    )
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
