import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { areTermsUnderstood, dueDateOf } from "./terms"

const day = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9998-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

describe("The due date of net terms", () => {
  test("It is the given number of days after any invoice date.", () => {
    fc.assert(
      fc.property(day, fc.nat(364), (date, days) => {
        expect(daysBetween(date, dueDateOf(date, `Net ${days}`))).toBe(days)
      }),
    )
  })

  test.each([
    ["2028-02-01", "Net 30", "2028-03-02"],
    ["2026-02-01", "Net 30", "2026-03-03"],
    ["2026-12-31", "Net 1", "2027-01-01"],
    ["2026-03-01", "net30", "2026-03-31"],
    ["2026-03-01", "  NET   007 ", "2026-03-08"],
    ["2026-03-01", "Net 0", "2026-03-01"],
    ["2026-03-01", " 14 ", "2026-03-15"],
    ["2026-03-01", "Net\u00a014", "2026-03-15"],
  ])("An invoice of %p with the terms %p is due on %p.", (date, terms, due) => {
    expect(dueDateOf(date, terms)).toBe(due)
  })

  test("No due date is later than the last day with a year of four digits.", () => {
    expect(dueDateOf("9999-12-31", "Net 1")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-30", "Net 1")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-01", "Net 999999")).toBe("9999-12-31")
    expect(dueDateOf("9999-12-01", "EOM")).toBe("9999-12-31")
  })
})

describe("The due date at the end of the month", () => {
  test("It is the last day of the month of any invoice date.", () => {
    fc.assert(
      fc.property(day, (date) => {
        const due = dueDateOf(date, "EOM")
        const next = new Date(Date.parse(due) + 86_400_000).toISOString()
        expect(due.slice(0, 7)).toBe(date.slice(0, 7))
        expect(next.slice(8, 10)).toBe("01")
      }),
    )
  })

  test.each([
    ["2026-01-31", "2026-01-31"],
    ["2026-02-01", "2026-02-28"],
    ["2028-02-29", "2028-02-29"],
    ["2100-02-10", "2100-02-28"],
    ["2026-12-01", "2026-12-31"],
  ])("An invoice of %p is due on %p.", (date, due) => {
    for (const terms of ["EOM", "eom", " Eom ", "Monatsende", "zum Monatsende"])
      expect(dueDateOf(date, terms)).toBe(due)
  })
})

describe("Terms that name days", () => {
  test.each([
    ["30 days", 30],
    ["30 Days", 30],
    ["1 day", 1],
    ["14 Tage", 14],
    ["14 TAGE", 14],
    ["1 Tag", 1],
    ["14 Tage netto", 14],
    ["netto 14 Tage", 14],
    ["30 jours", 30],
    ["1 jour", 1],
    ["30 jours net", 30],
    ["Net 30 days", 30],
    ["net 30days", 30],
    ["30days", 30],
    ["30\u00a0days", 30],
    ["2/10 net 30", 30],
    ["2/10, Net 30", 30],
    ["2% / 10 net 30 days", 30],
    ["1.5/10 NET 45", 45],
    ["due on receipt", 0],
    ["DUE ON RECEIPT", 0],
    ["  Due  upon receipt ", 0],
    ["0 days", 0],
  ])("With the terms %p, an invoice is due after %p days.", (terms, days) => {
    expect(daysBetween("2026-03-01", dueDateOf("2026-03-01", terms))).toBe(days)
    expect(areTermsUnderstood(terms)).toBeTrue()
  })

  test("They mean the same for any number of days.", () => {
    fc.assert(
      fc.property(day, fc.nat(364), (date, days) => {
        const due = dueDateOf(date, `Net ${days}`)
        for (const terms of [`${days} days`, `${days} Tage`, `${days} jours`, `2/10 net ${days}`])
          expect(dueDateOf(date, terms)).toBe(due)
      }),
    )
  })
})

describe("Terms with a discount for early payment", () => {
  test.each([
    ["14 Tage, 2 % Skonto 7 Tage", 14],
    ["14 Tage 2 % Skonto 7 Tage", 14],
    ["30 Tage netto, 10 Tage 2%", 30],
    ["10 Tage 3 %, 20 Tage 2 %, 30 Tage netto", 30],
    ["2,5 % Skonto innerhalb von 8 Tagen, sonst 21 Tage netto", 21],
    ["14 Tage netto, bei Zahlung innerhalb von 7 Tagen 2 % Skonto", 14],
    ["innerhalb von 8 Tagen abzgl. 2 % Skonto, innerhalb von 30 Tagen ohne Abzug", 30],
    ["10 Tage 2% Skonto / 30 Tage netto", 30],
    ["2/10, n/30", 30],
    ["2% 10, net 30", 30],
    ["net 30, 2 % discount if paid within 10 days", 30],
    ["10 jours 2 %, 30 jours net", 30],
    ["escompte de 2 % à 10 jours, 30 jours nets", 30],
    ["2 % d’escompte sous 10 jours, sinon 30 jours net", 30],
  ])("%p is due after the net %p days.", (terms, days) => {
    expect([areTermsUnderstood(terms), daysBetween("2026-03-01", dueDateOf("2026-03-01", terms))]).toEqual([
      true,
      days,
    ])
  })

  test.each([
    ["Zahlbar innerhalb von 14 Tagen ohne Abzug", 14],
    ["Zahlungsziel: 30 Tage netto", 30],
    ["30 Tage Ziel", 30],
    ["14 Tage ab Rechnungsdatum", 14],
    ["within 30 days", 30],
    ["Payment due within 30 days of the invoice", null],
    ["paiement à 30 jours date de facture", 30],
    ["sofort ohne Abzug", 0],
    ["à réception de facture", 0],
  ])("So is %p, in other words, after %p days.", (terms, days) => {
    expect(areTermsUnderstood(terms)).toBe(days !== null)
    expect(daysBetween("2026-03-01", dueDateOf("2026-03-01", terms))).toBe(days ?? 0)
  })

  test("A long text that could be read in many ways is not.", () => {
    for (const terms of ["1 Tage ", "2 % 3 Tage 4 % ", "1/1 "])
      expect(areTermsUnderstood(terms.repeat(40))).toBeFalse()
  })
})

describe("Other terms", () => {
  test.each([
    "",
    "   ",
    "Net",
    "Net -5",
    "Net 1.5",
    "Net 1234567",
    "Net 999999999",
    "9999999 days",
    "Net ٣٠",
    "-5 days",
    "30 weeks",
    "30 days after delivery",
    "2 % Skonto 7 Tage",
    "10 jours 2 %",
    "14 Tage, 30 Tage",
    "30 Tage netto, sonst Mahnung",
    "Vorkasse",
    "2/10",
    "2/10 30",
    "EOM 30",
    "x EOM",
    "Nett 5",
    "days",
    "50 % in advance",
  ])("With the terms %p, the due date is the invoice date, and they are not understood.", (terms) => {
    expect(dueDateOf("2026-03-01", terms)).toBe("2026-03-01")
    expect(areTermsUnderstood(terms)).toBeFalse()
  })

  test("Any text gives a valid date, and text that is not understood gives the invoice date.", () => {
    const words = fc.constantFrom("net", "30", "days", "2/10", "EOM", " ", "/", "%", "9", "tage", "due")
    fc.assert(
      fc.property(day, fc.array(words, { maxLength: 8 }), (date, parts) => {
        const due = dueDateOf(date, parts.join(""))
        expect(due).toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(due >= date).toBeTrue()
        if (!areTermsUnderstood(parts.join(""))) expect(due).toBe(date)
      }),
    )
  })

  test("Without terms, the due date is the invoice date.", () => {
    expect(dueDateOf("2028-02-29", null)).toBe("2028-02-29")
    expect(areTermsUnderstood(null)).toBeTrue()
  })
})
