import fc from "fast-check"
import type { Buyer, Seller } from "../../src/trade/documents/parties"
import type { Paper } from "../../src/trade/paper/model"
import type { Address } from "../../src/core/kind/address"
import { fromUnits } from "../../src/shared/decimal"
import type { TaxCategory } from "../../src/shared/documents/tax"
import { hamburg, lyon, paperOf, type Wanted } from "./papers"

/** Texts that break documents that are written without care. */
const hostileTexts = [
  "<b>&amp;</b>",
  "]]>",
  "<!--",
  "&#0;",
  "“quotes” 'and' \"more\"",
  "\u0000\u0001\u001f\u007f\u0085",
  "\ud800 alone",
  "\uffff\ufffe",
  "日本語 עברית \u202e",
  "#SKONTO#",
  "Boxes #1, #2",
  "a\n\n#b\nc",
  "  ",
  "x".repeat(10_000),
]
const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
)
/** A usual text or, now and then, a hostile one. */
const textOr = (usual: string, isHostile: boolean) =>
  isHostile
    ? fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: hostile })
    : fc.constant(usual)
const nullable = <T>(arbitrary: fc.Arbitrary<T>, isSparse: boolean) =>
  isSparse ? fc.option(arbitrary, { freq: 5 }) : arbitrary

export type Wildness = {
  /** Texts are hostile. */
  isHostile: boolean
  /** Optional values are missing, also those that an e-invoice needs. */
  isSparse: boolean
}

const addresses = ({ isHostile, isSparse }: Wildness, base: Address): fc.Arbitrary<Address> =>
  fc.record({
    street: nullable(textOr(base.street ?? "", isHostile), isSparse),
    city: nullable(textOr(base.city ?? "", isHostile), isSparse),
    state: fc.option(textOr("Süd", isHostile)),
    zipCode: nullable(textOr(base.zipCode ?? "", isHostile), isSparse),
    country: nullable(fc.constantFrom("DE", "FR", "AT", "GR", "CH", "US"), isSparse),
  })

const sellers = (wild: Wildness): fc.Arbitrary<Seller> => {
  const text = (usual: string) => nullable(textOr(usual, wild.isHostile), wild.isSparse)
  return fc.record({
    legalName: text("Nordlicht Handels GmbH"),
    address: nullable(addresses(wild, hamburg), wild.isSparse),
    email: nullable(
      fc.constantFrom("office@nordlicht.example", ...(wild.isSparse ? ["a@localhost"] : [])),
      wild.isSparse,
    ),
    phone: nullable(fc.constantFrom("+49 40 1234567", ...(wild.isSparse ? ["12"] : [])), wild.isSparse),
    website: fc.constant(null),
    vatId: nullable(
      fc.constantFrom("DE123456789", "de 123 456 789", ...(wild.isSparse ? ["123", "SS1"] : [])),
      wild.isSparse,
    ),
    taxNumber: text("22/815/08154"),
    registrationId: text("HRB 12345"),
    iban: nullable(
      fc.constantFrom("DE89370400440532013000", "CH9300762011623852957", "BR1800360305000010009795493C1"),
      wild.isSparse,
    ),
    bic: fc.option(fc.constant("COBADEFFXXX")),
    bankName: fc.constant(null),
    documentFooter: fc.option(textOr("Managing director: Anna Petersen\nCourt: Hamburg", wild.isHostile)),
    logo: fc.constant(null),
  })
}

const buyers = (wild: Wildness): fc.Arbitrary<Buyer> =>
  fc.record({
    customerNumber: textOr("CUST-00001", wild.isHostile),
    name: textOr("Atelier Dupont SARL", wild.isHostile),
    contactName: fc.option(textOr("Marie Dupont", wild.isHostile)),
    email: nullable(fc.constant("compta@dupont.example"), wild.isSparse),
    phone: fc.option(textOr("+33 4 12345678", wild.isHostile)),
    address: nullable(addresses(wild, lyon), wild.isSparse),
    taxId: nullable(
      fc.constantFrom("FR12345678901", "EL123456789", ...(wild.isSparse ? ["12 345"] : [])),
      wild.isSparse,
    ),
  })

const categories: (TaxCategory | null)[] = ["S", "S", "S", "Z", "E", "AE", "K", "G"]

const lines = (wild: Wildness, categoriesOf: (TaxCategory | null)[]): fc.Arbitrary<Wanted> =>
  fc
    .record({
      quantity: fc.oneof(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 400_000 }).map((n) => n / 10_000),
        fc.constantFrom(0.0001, 999_999, 12_345_678.9),
      ),
      rate: fc.oneof(
        fc.integer({ min: 0, max: 99_999 }).map((n) => n / 100),
        fc.integer({ min: 0, max: 9_999_999 }).map((n) => n / 10_000),
        fc.constantFrom(0, 0.0001, 99_999.9999),
      ),
      discount: fc.constantFrom(0, 0, 0, 5, 33.3333, 100),
      taxCategory: fc.constantFrom(...categoriesOf),
      standard: fc.constantFrom(19, 7, 5.5, 2.1, 25, ...(wild.isSparse ? [0.4, 0] : [])),
      names: fc.oneof(
        fc.record({
          itemCode: textOr("A-1", wild.isHostile),
          itemName: textOr("Desk", wild.isHostile),
          description: fc.constant(null),
        }),
        fc.record({
          itemCode: fc.constant(null),
          itemName: fc.constant(null),
          description: textOr("Assembly\non site, two people", wild.isHostile),
        }),
      ),
      unit: fc.constantFrom("C62", "HUR", "KGM", "XPX", ...(wild.isSparse ? [null, "QQQ"] : [])),
      isAmount: fc.constantFrom(false, false, false, true),
    })
    .map(({ quantity, rate, discount, taxCategory, standard, names, unit, isAmount }) => ({
      quantity,
      rate,
      discount,
      taxCategory,
      taxRate: taxCategory === "S" ? standard : 0,
      more: { ...names, uom: unit ?? "Palette", unitCode: unit, isAmount },
    }))

/** Random documents: all categories, net and gross, with currencies of 0, 2 and 3 decimals. */
export const papers = (wild: Wildness): fc.Arbitrary<Paper> =>
  fc
    .record({
      kind: fc.constantFrom("invoice" as const, "credit-note" as const),
      isOutside: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
      money: fc.constantFrom(
        { currency: "EUR", digits: 2 },
        { currency: "EUR", digits: 2 },
        { currency: "CHF", digits: 2 },
        { currency: "JPY", digits: 0 },
        { currency: "HUF", digits: 2 },
        ...(wild.isSparse
          ? [
              { currency: "KWD", digits: 3 },
              { currency: "DEM", digits: 2 },
            ]
          : []),
      ),
      pricesIncludeTax: fc.boolean(),
      /** The discount of the document in percent, or as an amount. */
      off: fc.oneof(
        fc.constant({}),
        fc.record({ discount: fc.constantFrom(5, 2.5, 33.3333, 99.99, 100) }),
        fc.record({ discountAmount: fc.integer({ min: 1, max: 20_000 }) }),
      ),
      language: fc.constantFrom("en" as const, "de" as const, "fr" as const),
      seller: sellers(wild),
      buyer: buyers(wild),
      shippingAddress: fc.option(addresses(wild, lyon)),
      supplyDate: fc.option(fc.constant("2026-11-15")),
      dueDate: fc.option(fc.constant("2026-12-16")),
      paymentTerms: fc.option(textOr("Net 30", wild.isHostile)),
      orderNumber: fc.option(textOr("SO-2026-00007", wild.isHostile)),
      buyerReference: nullable(textOr("04011000-12345-03", wild.isHostile), wild.isSparse),
      notes: fc.option(textOr("Thank you.\nSee you soon.", wild.isHostile)),
      reason: textOr("Damaged goods", wild.isHostile),
      /** The shares of deposits in the total. */
      shares: fc.array(fc.integer({ min: 1, max: 33 }), { maxLength: 3 }),
    })
    .chain(({ isOutside, money, kind, reason, off, shares, ...more }) => {
      const mixed = wild.isSparse ? [...categories, null, "O" as const] : categories
      const used = isOutside ? ["O" as const] : mixed
      return fc.array(lines(wild, used), { minLength: 1, maxLength: 6 }).map((wanted) => {
        const corrects =
          kind === "credit-note" ? { number: "INV-2026-00001", date: "2026-11-01", reason } : null
        const paper = paperOf(wanted, { ...money, ...off, kind, corrects, ...more })
        return { ...paper, isDeposit: shares.length === 0, deposits: depositsOf(paper, shares) }
      })
    })

/** Deposits of shares of a document, each with a fifth of it as tax. */
const depositsOf = ({ total, digits }: Paper, shares: readonly number[]) =>
  shares.flatMap((share, i) => {
    const amount = Math.floor((total * 10 ** digits * share) / 100)
    const tax = Math.floor(amount / 5)
    const deposit = { number: `INV-2026-0010${i}`, date: "2026-11-01", net: fromUnits(amount - tax, digits) }
    return amount > 0 ? [{ ...deposit, tax: fromUnits(tax, digits) }] : []
  })
