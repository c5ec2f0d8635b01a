import { beforeAll, expect, test } from "bun:test"
import i18next from "i18next"
import type { FieldError } from "../../core/lib/refusal"
import { date, money, number } from "../format"
import de from "./de"
import { addKindTexts } from "./kinds"
import { errors } from "./de/errors"
import type { WarningCode, WarningParams } from "../../core/lib/warning"
import { detailIn, detailMessage, errorMessage, warningIn } from "./errors"

beforeAll(async () => {
  // A copy, because the texts of the kinds are added to it.
  await i18next.init({ lng: "de", resources: { de: { translation: structuredClone(de) } } })
  addKindTexts()
})

const detail = (code: FieldError["code"], params: FieldError["params"]): FieldError => ({
  field: "quantity",
  code,
  message: "",
  params,
})

test.each<[FieldError, string]>([
  [detail("TOO_SMALL", { min: 1 }), "Mindestens 1"],
  [detail("TOO_SMALL", { above: 0 }), "Muss größer als 0 sein"],
  [detail("TOO_LONG", { max: 100 }), "Höchstens 100 Zeichen"],
  [{ ...detail("TOO_LONG", { max: 20 }), message: "must have at most 20 entries" }, "Höchstens 20 Einträge"],
  [{ ...detail("TOO_LONG", { max: 2 }), field: "address.country" }, "Dieses Land ist nicht bekannt"],
  [detail("FORMAT", { decimals: 4 }), "Höchstens 4 Nachkommastellen"],
  [detail("FORMAT", { allowed: ["asc", "desc"] }), "Möglich sind: asc, desc"],
  [detail("FORMAT", { format: "date" }), "Geben Sie ein gültiges Datum ein"],
  [detail("RULE", { rule: "STATUS", status: "paid" }), "Im Status Bezahlt nicht möglich"],
  [
    detail("RULE", { rule: "NOT_ENCRYPTED" }),
    "Ohne Verschlüsselung geht es nur zu einem Mailserver auf diesem Rechner oder im eigenen Netz",
  ],
  [detail("RULE", { rule: "A_NEW_RULE" }), "Das ist nicht erlaubt"],
  [detail("DUPLICATE", { value: "DESK" }), "DESK ist schon vergeben"],
  [detail("TOO_LARGE", { max: 59.5 }), `Höchstens ${number(59.5)}`],
  [detail("TOO_LARGE", { max: 59.5, currency: "EUR" }), `Höchstens ${money(59.5, "EUR")}`],
  [
    detail("TOO_SMALL", { min: 59.5, currency: "EUR", of: "total" }),
    `Der Gesamtbetrag muss mindestens ${money(59.5, "EUR")} bleiben: So viel ist schon abgerechnet oder als Abschlag verlangt`,
  ],
  [detail("FORMAT", { decimals: 2, currency: "EUR" }), "Höchstens 2 Nachkommastellen"],
  [
    detail("RULE", { rule: "DISCOUNT_KEPT", amount: 2, min: 5, max: 59.5, currency: "EUR" }),
    `Der Rabatt muss zwischen ${money(5, "EUR")} und ${money(59.5, "EUR")} liegen: Gelieferte oder abgerechnete Positionen behalten ihren Anteil`,
  ],
  [
    detail("RULE", {
      rule: "DISCOUNT_KEPT",
      amount: 2,
      min: 5,
      max: 59.5,
      minPercent: 4.17,
      maxPercent: 49.58,
      currency: "EUR",
    }),
    `Der Rabatt muss zwischen ${number(4.17)} % (${money(5, "EUR")}) und ${number(49.58)} % (${money(59.5, "EUR")}) liegen: Gelieferte oder abgerechnete Positionen behalten ihren Anteil`,
  ],
])("An error of a field is a German sentence with its values: %j", (given, sentence) => {
  expect(detailIn(errors, given)).toBe(sentence)
})

/** A code that the server has and that is not here does not compile. */
const sentences: { [C in keyof WarningParams]: [WarningParams[C], string] } = {
  BUYER_ADDRESS_MISSING: [
    { customerName: "Petersen", missing: ["street", "zipCode"] },
    "Die Adresse von Petersen ist unvollständig. Es fehlt: Straße, Postleitzahl.",
  ],
  CREDIT_LIMIT_EXCEEDED: [
    { customerName: "Petersen", limit: 500, used: 450.5, total: 1000, currency: "EUR" },
    `Petersen hat ein Kreditlimit von ${money(500, "EUR")}; davon sind ${money(450.5, "EUR")} genutzt, und dieser Beleg hat einen Gesamtbetrag von ${money(1000, "EUR")}.`,
  ],
  XRECHNUNG_INCOMPLETE: [
    { missing: ["seller.phone", "buyer.email", "items[0].taxCode"] },
    "Die Rechnung hat eine Leitweg-ID oder andere Kundenreferenz, wäre aber keine gültige XRechnung. Es fehlt oder ist falsch: Telefon (Firma), E-Mail (Kunde), Steuerschlüssel.",
  ],
  DEPOSIT_OPEN: [
    { number: "RE-2026-00007", open: 40, currency: "EUR" },
    `Von der Abschlagsrechnung RE-2026-00007 sind ${money(40, "EUR")} nicht bezahlt. Nur was bezahlt ist, wird abgezogen.`,
  ],
  BARCODE_CHECK_DIGIT: [
    { barcode: "4006381333930", expected: 1 },
    "Der Barcode 4006381333930 ist vielleicht falsch: Nach seiner Prüfziffer müsste er auf 1 enden.",
  ],
  CUSTOMER_MERGED: [
    { customerName: "Alt", customerNumber: "CUST-2", survivor: "Petersen", survivorNumber: "CUST-1" },
    "Alt (CUST-2) wurde mit Petersen (CUST-1) zusammengeführt. Gemeint ist jetzt Petersen.",
  ],
  DATE_BEFORE_ORDER: [
    { orderDate: "2026-03-10" },
    `Das Rechnungsdatum liegt vor dem Auftragsdatum (${date("2026-03-10")}).`,
  ],
  INSUFFICIENT_STOCK: [{ itemCode: "DESK", ordered: 3, available: 1 }, "DESK: 3 bestellt, 1 verfügbar."],
  LEITWEG_CHECK_DIGITS: [
    { buyerReference: "04011000-12345-30", expected: "03" },
    "Die Leitweg-ID 04011000-12345-30 enthält einen Tippfehler: Nach den übrigen Ziffern müsste sie auf 03 enden.",
  ],
  PER_PAGE_REDUCED: [{ perPage: 500, max: 100 }, "Eine Seite hat höchstens 100 Einträge."],
  RECURRING_CATCHES_UP: [
    { count: 3 },
    "Zeiträume, die schon begonnen haben: 3. Ihre Rechnungen entstehen jetzt.",
  ],
  STATUS_NEVER_MATCHES: [
    { status: "submitted", allowed: ["active", "inactive"] },
    "Den Status Bestätigt gibt es in dieser Liste nicht.",
  ],
  READ_ONLY_FIELD: [
    { field: "items[0].invoicedQuantity" },
    "Abgerechnete Menge kann nicht geändert werden und wurde ignoriert.",
  ],
  TAX_TREATMENT_CHANGED: [
    { customerName: "Petersen", taxTreatment: "domestic", current: "export" },
    "Petersen wird jetzt als „Ausfuhr“ besteuert; dieser Beleg hat noch die Steuer von „Inland“.",
  ],
  TERMS_NOT_UNDERSTOOD: [
    { terms: "Bar" },
    "Aus den Zahlungsbedingungen „Bar“ ergibt sich kein Fälligkeitsdatum. Die Rechnung ist deshalb sofort fällig.",
  ],
  TREATMENT_UNLIKELY: [
    {
      customerName: "Petersen",
      taxTreatment: "domestic",
      proposed: "export",
      country: "CH",
      reason: "OUTSIDE_EU",
    },
    "Petersen wird als „Inland“ besteuert, aber „Ausfuhr“ passt besser. Der Kunde sitzt außerhalb der EU (",
  ],
  UNUSUAL_DATE: [
    { date: "2024-03-10", today: "2026-03-10" },
    `Das Datum ${date("2024-03-10")} ist ungewöhnlich: Heute ist der ${date("2026-03-10")}.`,
  ],
  VAT_ID_UNLIKELY: [
    { taxId: "DE1", country: "DE", problem: "FORMAT", example: "DE136695976" },
    "„DE1“ sieht nicht wie eine USt-IdNr. aus (",
  ],
}

const warningCodes = Object.keys(sentences) as WarningCode[]

test.each(warningCodes)("The warning %s of the server is a German sentence with its values", (code) => {
  const [params, sentence] = sentences[code]
  expect(warningIn(errors, { code, field: "", message: "In English", params })).toStartWith(sentence)
})

test("A warning about a credit limit that is already exceeded names no document", () => {
  const params = { customerName: "Petersen", limit: 50, used: 80, currency: "EUR" }
  expect(warningIn(errors, { code: "CREDIT_LIMIT_EXCEEDED", field: "", message: "", params })).toBe(
    `Petersen hat ein Kreditlimit von ${money(50, "EUR")}; davon sind ${money(80, "EUR")} genutzt.`,
  )
})

test("An amount in the server's own words is money as people write it", () => {
  const params = { number: "INV-1.50", balance: 1059.5, currency: "EUR" }
  const message = "Invoice INV-1.50 has 1059.50 EUR left to pay."
  expect(errorMessage({ code: "OVERPAYMENT", message, params })).toBe(
    `Invoice INV-1.50 has ${money(1059.5, "EUR")} left to pay.`,
  )
  const inEnglish = "must be at most 59.50 EUR"
  const limited = { ...detail("TOO_LARGE", { max: 59.5, currency: "EUR" }), message: inEnglish }
  expect(detailMessage(limited, inEnglish)).toBe(`must be at most ${money(59.5, "EUR")}`)
})
