import { creditNotePaperWords } from "../../src/shop/credit-notes/paper"
import { invoicePaperWords } from "../../src/shop/invoices/paper"
import { orderPaperWords } from "../../src/shop/sales-orders/paper"
import type { Paper, PaperLine } from "../../src/trade/paper/model"

/** A line of a document on paper. */
export const paperLine = (values: Partial<PaperLine> = {}): PaperLine => ({
  itemCode: "DESK-120",
  itemName: "Standing desk 120 cm",
  description: null,
  uom: "Nos",
  quantity: 2,
  rate: 449.9,
  discount: 0,
  discountAmount: 0,
  amount: 899.8,
  grossAmount: null,
  documentDiscount: 0,
  taxCategory: "S",
  taxRate: 19,
  unitCode: "C62",
  isAmount: false,
  ...values,
})

/** Lines of a catalogue, each with its own code, name and amount. */
export const paperLines = (count: number): PaperLine[] =>
  Array.from({ length: count }, (_, i) => {
    const [quantity, rate] = [((i * 7) % 13) + 1, ((i * 37) % 900) + 0.99]
    const amount = Math.round(quantity * rate * 100) / 100
    return paperLine({
      itemCode: `ART-${1000 + i}`,
      itemName: `Article ${i + 1} of the catalogue`,
      quantity,
      rate,
      amount,
    })
  })

/** The sum of amounts in EUR. */
export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100

const hamburg = { street: "Hafenstraße 12", city: "Hamburg", state: null, zipCode: "20457", country: "DE" }

export const paperSeller: Paper["seller"] = {
  legalName: "Hafen Möbel GmbH",
  address: hamburg,
  email: "hallo@hafen.example",
  phone: "+49 40 1234567",
  website: "https://hafen.example",
  vatId: "DE123456789",
  taxNumber: "22/815/08151",
  registrationId: "HRB 123456",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
  bankName: "Hafenbank",
  documentFooter: "Managing director: Anna Petersen",
  logo: null,
}

export const paperBuyer: Paper["buyer"] = {
  customerNumber: "C-1001",
  name: "Nordlicht Architekten",
  contactName: "Jonas Weber",
  email: null,
  phone: null,
  address: { street: "Elbchaussee 99", city: "Hamburg", state: null, zipCode: "22763", country: "DE" },
  taxId: "DE987654321",
}

const words = {
  invoice: invoicePaperWords,
  "credit-note": creditNotePaperWords,
  "sales-order": orderPaperWords,
}

/** What the kind and the language of a paper say about its names. */
export const namedOnPaper = ({ kind = "invoice", language = "en" }: Partial<Paper>) => ({
  kind,
  ...words[kind as keyof typeof words][language],
})

/** An issued invoice in EUR with 19 % tax on its lines, whose totals are those of the lines. */
export function samplePaper(values: Partial<Paper> = {}): Paper {
  const lines = values.lines ?? [paperLine(), paperLine({ itemCode: "LAMP-7", itemName: "Desk lamp" })]
  const subtotal = sumOf(lines.map(({ amount }) => amount))
  const tax = Math.round(subtotal * 19) / 100
  return {
    ...namedOnPaper(values),
    number: "INV-2026-00042",
    mark: null,
    language: "en",
    date: "2026-11-16",
    period: null,
    supplyDate: "2026-11-12",
    deliveryDate: null,
    dueDate: "2026-11-30",
    ownDates: [],
    account: null,
    claim: null,
    text: null,
    paymentTerms: "14 days net",
    orderNumber: "SO-2026-00017",
    buyerReference: "04011000-12345-03",
    corrects: null,
    seller: paperSeller,
    buyer: paperBuyer,
    shippingAddress: null,
    currency: "EUR",
    digits: 2,
    pricesIncludeTax: false,
    lines,
    discount: 0,
    discountAmount: 0,
    isDiscountAmount: false,
    subtotal,
    discountTotal: sumOf(lines.map(({ discountAmount }) => discountAmount)),
    taxes: [{ category: "S", rate: 19, base: subtotal, tax, reason: null }],
    taxTotal: tax,
    total: sumOf([subtotal, tax]),
    notes: "Thank you for your order.",
    ownTexts: [],
    issuedAt: "2026-11-16T09:12:33.123Z",
    ...values,
  }
}
