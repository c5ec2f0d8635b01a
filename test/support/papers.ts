import type { TaxRow } from "../../src/trade/documents/model"
import type { Buyer, Seller } from "../../src/trade/documents/parties"
import type { Paper, PaperLine } from "../../src/trade/paper/model"
import type { Address } from "../../src/core/kind/address"
import { fromUnits, priceDigits } from "../../src/shared/decimal"
import { applyTax, lineAmounts, totalsOf } from "../../src/shared/money"
import { discountBy, spreadDiscount, sumBeforeDiscount } from "../../src/shared/documents/discount"
import type { TaxCategory } from "../../src/shared/documents/tax"
import { namedOnPaper } from "./paper"

export const hamburg: Address = {
  street: "Hafenstraße 12",
  city: "Hamburg",
  state: null,
  zipCode: "20457",
  country: "DE",
}
export const lyon: Address = {
  street: "3 rue de la République\nBâtiment B",
  city: "Lyon",
  state: null,
  zipCode: "69001",
  country: "FR",
}

export const seller: Seller = {
  legalName: "Nordlicht Handels GmbH",
  address: hamburg,
  email: "office@nordlicht.example",
  phone: "+49 40 1234567",
  website: null,
  vatId: "DE123456789",
  taxNumber: "22/815/08154",
  registrationId: "HRB 12345",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
  bankName: "Commerzbank",
  documentFooter: "Managing director: Anna Petersen",
  logo: null,
}
export const buyer: Buyer = {
  customerNumber: "CUST-00001",
  name: "Atelier Dupont SARL",
  contactName: "Marie Dupont",
  email: "compta@dupont.example",
  phone: "+33 4 12345678",
  address: lyon,
  taxId: "FR12345678901",
}

/** A line before its amounts are calculated. Quantity, rate, discount (percent) and tax rate are plain numbers. */
export type Wanted = {
  quantity: number
  rate: number
  discount?: number
  taxCategory?: TaxCategory | null
  taxRate?: number
  more?: Partial<PaperLine>
}

const reasons: Partial<Record<TaxCategory, string>> = {
  E: "Exempt by law",
  AE: "Reverse charge",
  K: "Intra-Community supply",
  G: "Export",
  O: "Outside the scope of VAT",
}

/**
 * Makes a paper as the server would: amounts, taxes and totals are calculated from its lines and its discount, which is a
 * percentage or, without one, an amount.
 */
export function paperOf(wanted: readonly Wanted[], more: Partial<Paper> = {}): Paper {
  const { digits = 2, pricesIncludeTax = false } = more
  const counted = wanted.map((line) => {
    const { quantity, rate, discount = 0, taxCategory = "S", taxRate = taxCategory === "S" ? 19 : 0 } = line
    const units = (value: number) => Math.round(value * 10 ** priceDigits)
    const figures = { quantity: units(quantity), rate: units(rate), discount: units(discount) }
    const { amount, discountAmount } = lineAmounts(figures, digits)
    const grossAmount = pricesIncludeTax ? amount : null
    const amounts = { amount, discountAmount, grossAmount, documentDiscount: 0 }
    return { given: line, ...amounts, taxCategory, taxRate: units(taxRate) }
  })
  const whole = discountOfPaper(more, sumBeforeDiscount(counted), digits)
  const { lines, taxes } = applyTax(spreadDiscount(counted, whole.discountAmount), pricesIncludeTax)
  const totals = totalsOf(lines, taxes)
  const plain = (minor: number) => fromUnits(minor, digits)
  return {
    ...namedOnPaper(more),
    number: "INV-2026-00001",
    mark: null,
    language: "en",
    date: "2026-11-16",
    period: null,
    supplyDate: "2026-11-15",
    deliveryDate: null,
    dueDate: "2026-12-16",
    ownDates: [],
    account: null,
    claim: null,
    text: null,
    ownTexts: [],
    paymentTerms: "Net 30",
    orderNumber: null,
    buyerReference: "04011000-12345-03",
    corrects: null,
    seller,
    buyer,
    shippingAddress: null,
    currency: "EUR",
    digits,
    pricesIncludeTax,
    lines: lines.map(({ given, amount, discountAmount, grossAmount, documentDiscount, ...tax }) => ({
      itemCode: "DESK-120",
      itemName: "Standing desk 120 cm",
      description: null,
      uom: "Nos",
      unitCode: "C62",
      quantity: given.quantity,
      rate: given.rate,
      discount: given.discount ?? 0,
      discountAmount: plain(discountAmount),
      amount: plain(amount),
      grossAmount: grossAmount === null ? null : plain(grossAmount),
      documentDiscount: plain(documentDiscount),
      taxCategory: tax.taxCategory,
      taxRate: fromUnits(tax.taxRate, priceDigits),
      isAmount: false,
      ...given.more,
    })),
    subtotal: plain(totals.subtotal),
    discountTotal: plain(totals.discountTotal),
    taxes: taxes.map(({ category, rate, base, tax }): TaxRow => ({
      category,
      rate: fromUnits(rate, priceDigits),
      base: plain(base),
      tax: plain(tax),
      reason: category === null ? null : (reasons[category] ?? null),
    })),
    taxTotal: plain(totals.taxTotal),
    total: plain(totals.total),
    notes: "Thank you for your order.",
    issuedAt: "2026-11-16T10:00:00.000Z",
    ...more,
    discount: fromUnits(whole.discount, priceDigits),
    discountAmount: plain(whole.discountAmount),
    isDiscountAmount: whole.isDiscountAmount === 1,
  }
}

function discountOfPaper({ discount, discountAmount = 0 }: Partial<Paper>, full: number, digits: number) {
  return discount === undefined
    ? discountBy(full, { discountAmount: Math.min(full, Math.round(discountAmount * 10 ** digits)) })
    : discountBy(full, { discount: Math.round(discount * 10 ** priceDigits) })
}
