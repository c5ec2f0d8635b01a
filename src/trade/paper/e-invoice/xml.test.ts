import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { byLines, goldenFileOf, goldenPapers } from "../../../../test/support/golden-papers"
import { lyon, paperOf, seller, type Wanted } from "../../../../test/support/papers"
import { papers } from "../../../../test/support/random-papers"
import { readXml, textsAt } from "../../../../test/support/xml"
import type { Paper, XmlFormat, XmlProfile } from "../model"
import { amountOf } from "../shown"
import { allowancesOf } from "./allowances"
import { missingIn } from "./missing"
import { xmlOf } from "./xml"

const formats: XmlFormat[] = ["cii", "ubl"]
const profiles: XmlProfile[] = ["en16931", "xrechnung"]
const line: Wanted = { quantity: 2, rate: 449.9 }
const read = (paper: Paper, format: XmlFormat = "cii", profile: XmlProfile = "en16931") =>
  readXml(xmlOf(paper, format, profile))

/** An amount in hundredths, and the category and rate that it belongs to. A row of tax has its base too. */
type Row = { key: string; amount: number; base?: number }
type Sums = [lines: number, allowances: number, net: number, tax: number, total: number]
type Figures = { lines: Row[]; allowances: Row[]; taxes: Row[]; totals: Sums }

const hundredths = (text: string | undefined): number => Math.round(Number(text) * 100)

/** The texts of elements below each other of the same kind, one list for each name. The rate may be missing in all. */
function rowsIn(
  xml: ReturnType<typeof read>,
  path: string,
  names: Record<keyof Row | "rate", string>,
): Row[] {
  const all = (name: string) => textsAt(xml, `${path}${name}`)
  const [categories, rates, amounts] = [all(names.key), all(names.rate), all(names.amount)]
  const bases = names.base ? all(names.base) : []
  return categories.map((category, i) => ({
    key: `${category} ${rates[i] ?? ""}`,
    amount: hundredths(amounts[i]),
    ...(names.base ? { base: hundredths(bases[i]) } : {}),
  }))
}

const ciiFigures = (xml: ReturnType<typeof read>): Figures => {
  const inLine = "SpecifiedLineTradeSettlement/ram:"
  const inHead = "ApplicableHeaderTradeSettlement/ram:"
  const ofTax = { key: "CategoryCode", rate: "RateApplicablePercent" }
  const inAllowance = `${inHead}SpecifiedTradeAllowanceCharge/ram:`
  const sum = (name: string) =>
    textsAt(xml, `SpecifiedTradeSettlementHeaderMonetarySummation/ram:${name}`).map(hundredths)[0] ?? 0
  return {
    lines: rowsIn(xml, inLine, {
      key: `ApplicableTradeTax/ram:${ofTax.key}`,
      rate: `ApplicableTradeTax/ram:${ofTax.rate}`,
      amount: "SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount",
      base: "",
    }),
    allowances: rowsIn(xml, inAllowance, {
      key: `CategoryTradeTax/ram:${ofTax.key}`,
      rate: `CategoryTradeTax/ram:${ofTax.rate}`,
      amount: "ActualAmount",
      base: "",
    }),
    taxes: rowsIn(xml, `${inHead}ApplicableTradeTax/ram:`, {
      ...ofTax,
      amount: "CalculatedAmount",
      base: "BasisAmount",
    }),
    totals: [
      sum("LineTotalAmount"),
      sum("AllowanceTotalAmount"),
      sum("TaxBasisTotalAmount"),
      sum("TaxTotalAmount"),
      sum("GrandTotalAmount"),
    ],
  }
}

const ublFigures = (xml: ReturnType<typeof read>): Figures => {
  const inDocument = /^(Invoice|CreditNote)$/.exec(xml[0]?.path.split("/")[0] ?? "")?.[0] ?? ""
  const sum = (name: string) => textsAt(xml, `LegalMonetaryTotal/cbc:${name}`).map(hundredths)[0] ?? 0
  return {
    lines: rowsIn(xml, "Line/", {
      key: "cac:Item/cac:ClassifiedTaxCategory/cbc:ID",
      rate: "cac:Item/cac:ClassifiedTaxCategory/cbc:Percent",
      amount: "cbc:LineExtensionAmount",
      base: "",
    }),
    allowances: rowsIn(xml, `${inDocument}/cac:AllowanceCharge/`, {
      key: "cac:TaxCategory/cbc:ID",
      rate: "cac:TaxCategory/cbc:Percent",
      amount: "cbc:Amount",
      base: "",
    }),
    taxes: rowsIn(xml, "TaxTotal/cac:TaxSubtotal/", {
      key: "cac:TaxCategory/cbc:ID",
      rate: "cac:TaxCategory/cbc:Percent",
      amount: "cbc:TaxAmount",
      base: "cbc:TaxableAmount",
    }),
    totals: [
      sum("LineExtensionAmount"),
      sum("AllowanceTotalAmount"),
      sum("TaxExclusiveAmount"),
      textsAt(xml, `${inDocument}/cac:TaxTotal/cbc:TaxAmount`).map(hundredths)[0] ?? 0,
      sum("TaxInclusiveAmount"),
    ],
  }
}

describe("the XML of an e-invoice", () => {
  for (const { name, paper, format, profile } of goldenPapers)
    test(`is the stored one: ${name} as ${format} by ${profile}`, async () => {
      const file = Bun.file(goldenFileOf({ name, format, profile }))
      expect(byLines(xmlOf(paper, format, profile))).toBe(await file.text())
      expect(missingIn(paper, profile)).toEqual([])
    })

  test("is well-formed with any text in any field, and the same every time", () => {
    fc.assert(
      fc.property(papers({ isHostile: true, isSparse: true }), (paper) => {
        for (const format of formats)
          for (const profile of profiles) {
            const xml = xmlOf(paper, format, profile)
            readXml(xml)
            expect(xmlOf(paper, format, profile)).toBe(xml)
          }
      }),
      { numRuns: 100 },
    )
  })

  test("has the amounts of the document in both formats", () => {
    fc.assert(
      fc.property(papers({ isHostile: false, isSparse: false }), (paper) => {
        const [cii, ubl] = [read(paper, "cii"), read(paper, "ubl")]
        const sums = (xml: typeof cii, name: string) => textsAt(xml, name).map(Number)
        const { lineAmounts } = allowancesOf(paper)
        const inLines = "SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount"
        expect(sums(cii, inLines)).toEqual(lineAmounts)
        expect(sums(ubl, "Line/cbc:LineExtensionAmount")).toEqual(lineAmounts)
        if (!paper.pricesIncludeTax)
          expect(lineAmounts).toEqual(paper.lines.map((each) => amountOf(each, paper)))
        const { total, digits, deposits = [] } = paper
        const prepaid = deposits.reduce((sum, { net, tax }) => sum + net + tax, 0)
        const due = [Number((total - prepaid).toFixed(digits))]
        expect([sums(cii, "DuePayableAmount"), sums(ubl, "PayableAmount")]).toEqual([due, due])
        const deducted = prepaid === 0 ? [] : [Number(prepaid.toFixed(digits))]
        expect([sums(cii, "TotalPrepaidAmount"), sums(ubl, "PrepaidAmount")]).toEqual([deducted, deducted])
      }),
      { numRuns: 100 },
    )
  })

  test("adds up by the rules of EN 16931, also with a discount on the whole document", () => {
    fc.assert(
      fc.property(papers({ isHostile: false, isSparse: false }), (paper) => {
        const [cii, ubl] = [ciiFigures(read(paper, "cii")), ublFigures(read(paper, "ubl"))]
        expect(cii).toEqual(ubl)
        const { lines, allowances, taxes, totals } = cii
        const [lineTotal, allowanceTotal, net, tax, total] = totals
        const all = (rows: readonly Row[]) => rows.reduce((sum, { amount }) => sum + amount, 0)
        expect([all(lines), all(allowances)]).toEqual([lineTotal, allowanceTotal]) // BR-CO-10, BR-CO-11
        expect(net).toBe(lineTotal - allowanceTotal) // BR-CO-13
        expect([all(taxes), total]).toEqual([tax, net + tax]) // BR-CO-14, BR-CO-15
        for (const { key, base = NaN } of taxes) {
          const of = (rows: readonly Row[]) => all(rows.filter((row) => row.key === key))
          expect(of(lines) - of(allowances)).toBe(base) // BR-S-08 and its like
        }
        const keys = allowances.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
        for (const { amount } of [...lines, ...allowances]) expect(amount).toBeGreaterThanOrEqual(0)
        expect(allowanceTotal > 0).toBe(paper.discountAmount > 0)
      }),
      { numRuns: 300 },
    )
  })

  test("has the discount of a document in each category and rate, with its reason", () => {
    const other = { ...line, rate: 100, taxRate: 7 }
    const paper = paperOf([line, other], { discount: 5, language: "de" })
    const [cii, ubl] = [read(paper), read(paper, "ubl")]
    const inCii = "ApplicableHeaderTradeSettlement/ram:SpecifiedTradeAllowanceCharge"
    const inUbl = "Invoice/cac:AllowanceCharge"
    for (const [xml, path, names] of [
      [cii, inCii, ["ram:ReasonCode", "ram:Reason", "ram:ActualAmount"]],
      [ubl, inUbl, ["cbc:AllowanceChargeReasonCode", "cbc:AllowanceChargeReason", "cbc:Amount"]],
    ] as const)
      expect(names.map((name) => textsAt(xml, `${path}/${name}`))).toEqual([
        ["95", "95"],
        ["Rabatt 5\u00a0%", "Rabatt 5\u00a0%"],
        ["44.99", "10.00"],
      ])
    expect(textsAt(cii, "CategoryTradeTax/ram:RateApplicablePercent")).toEqual(["19", "7"])
    expect(textsAt(cii, "AllowanceTotalAmount")).toEqual(["54.99"])
    const outside = read(paperOf([{ ...line, taxCategory: "O" }], { discountAmount: 10 }), "ubl")
    expect(textsAt(outside, `${inUbl}/cac:TaxCategory/cbc:ID`)).toEqual(["O"])
    expect(textsAt(outside, `${inUbl}/cac:TaxCategory/cbc:Percent`)).toEqual([])
    expect(textsAt(outside, "AllowanceChargeReason")).toEqual(["Discount"])
  })

  test("keeps text that looks like markup as text, and drops what XML cannot contain", () => {
    const paper = paperOf([line], { notes: "<b>&amp;</b> ]]>\u0000\u0007\ud800\uffff\ttab\r\nline" })
    for (const format of formats)
      expect(read(paper, format).map(({ text }) => text)).toContain("<b>&amp;</b> ]]>\ufffd\ttab\nline")
  })

  test("names the kind of document by its code", () => {
    const note = paperOf([line], { kind: "credit-note" })
    expect(textsAt(read(paperOf([line])), "ExchangedDocument/ram:TypeCode")).toEqual(["380"])
    expect(textsAt(read(note), "ExchangedDocument/ram:TypeCode")).toEqual(["381"])
    expect(textsAt(read(paperOf([line]), "ubl"), "Invoice/cbc:InvoiceTypeCode")).toEqual(["380"])
    expect(textsAt(read(note, "ubl"), "CreditNote/cbc:CreditNoteTypeCode")).toEqual(["381"])
  })

  test("names the means of payment: SEPA only in EUR to a country that takes part", () => {
    const codeOf = (paper: Paper, profile: XmlProfile = "en16931") =>
      textsAt(read(paper, "ubl", profile), "PaymentMeansCode")
    const abroad = { seller: { ...seller, iban: "BR1800360305000010009795493C1" } }
    expect(codeOf(paperOf([line]))).toEqual(["58"])
    expect(codeOf(paperOf([line], { currency: "CHF" }))).toEqual(["30"])
    expect(codeOf(paperOf([line], abroad))).toEqual(["30"])
    expect(codeOf(paperOf([line], { seller: { ...seller, iban: null } }))).toEqual([])
    expect(codeOf(paperOf([line], { kind: "credit-note" }))).toEqual([])
    expect(codeOf(paperOf([line], { kind: "credit-note" }), "xrechnung")).toEqual(["1"])
  })

  test("says in the language of the document that a credit note is not paid", () => {
    const terms = (language: Paper["language"]) =>
      textsAt(read(paperOf([line], { kind: "credit-note", language })), "PaymentTerms/ram:Description")
    expect(terms("de")).toEqual(["Der Betrag wird Ihnen gutgeschrieben."])
    expect(terms("fr")).toEqual(["Le montant est porté à votre crédit."])
  })

  test("leaves out terms of payment that XRechnung would read as a discount", () => {
    const paper = paperOf([line], { paymentTerms: "#1 customer" })
    expect(textsAt(read(paper), "PaymentTerms/ram:Description")).toEqual(["#1 customer"])
    expect(textsAt(read(paper, "cii", "xrechnung"), "PaymentTerms/ram:Description")).toEqual([])
    const noDate = { ...paper, dueDate: null }
    expect(textsAt(read(noDate, "ubl", "xrechnung"), "PaymentTerms/cbc:Note")).toEqual(["Due on receipt"])
  })

  test("marks a note with # as general information in UBL, where # begins a code", () => {
    const paper = paperOf([line], { notes: "Boxes #1, #2" })
    expect(textsAt(read(paper, "ubl"), "Invoice/cbc:Note")).toContain("#AAI#Boxes #1, #2")
    expect(textsAt(read(paper, "cii"), "IncludedNote/ram:Content")).toContain("Boxes #1, #2")
  })

  test("contains no VAT ID and no rate of lines when the document is not subject to tax", () => {
    const xml = xmlOf(paperOf([{ ...line, taxCategory: "O" }]), "cii", "en16931")
    expect(xml).not.toContain("DE123456789")
    expect(xml).not.toContain("RateApplicablePercent")
    expect(xml).toContain("VATEX-EU-O")
  })

  test("leaves out a VAT ID of the buyer without a country where it is optional", () => {
    const paper = paperOf([line])
    const plain = { ...paper, buyer: { ...paper.buyer, taxId: "12 345" } }
    expect(
      textsAt(read(plain, "ubl"), "AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID"),
    ).toEqual([])
    const spaced = { ...paper, buyer: { ...paper.buyer, taxId: "fr 12 345678901" } }
    expect(xmlOf(spaced, "ubl", "en16931")).toContain("FR12345678901")
  })

  test("identifies a seller without VAT ID and registration by the tax number", () => {
    const small = { seller: { ...seller, vatId: null, registrationId: null } }
    expect(textsAt(read(paperOf([line], small)), "SellerTradeParty/ram:ID")).toEqual(["22/815/08154"])
    expect(textsAt(read(paperOf([line])), "SellerTradeParty/ram:ID")).toEqual([])
  })

  test("has up to three lines of a street", () => {
    const address = { ...lyon, street: "A\nB\n\nC\nD" }
    const paper = paperOf([line], { shippingAddress: address })
    const lines = textsAt(read(paper), "ShipToTradeParty/ram:PostalTradeAddress/ram:LineThree")
    expect(lines).toEqual(["C, D"])
  })

  test("delivers an intra-Community supply to the buyer, unless there is another address", () => {
    const paper = paperOf([{ ...line, taxCategory: "K" }], { supplyDate: null })
    const xml = read(paper, "ubl")
    expect(textsAt(xml, "cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode")).toEqual([
      "FR",
    ])
    expect(textsAt(xml, "cac:Delivery/cbc:ActualDeliveryDate")).toEqual(["2026-11-16"])
  })
})
