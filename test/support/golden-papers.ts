import type { Paper, XmlFormat, XmlProfile } from "../../src/trade/paper/model"
import { buyer, lyon, paperOf, seller } from "./papers"

const usual = paperOf(
  [
    { quantity: 2, rate: 449.9, discount: 5 },
    {
      quantity: 1.5,
      rate: 80,
      taxRate: 7,
      more: { uom: "h", unitCode: "HUR", itemCode: "ASM", itemName: "Assembly" },
    },
    {
      quantity: 1,
      rate: 25,
      more: { itemCode: null, itemName: null, description: "Delivery\nUp to the second floor" },
    },
  ],
  { orderNumber: "SO-2026-00007", language: "de" },
)

const gross = paperOf(
  [
    { quantity: 3, rate: 9.99 },
    { quantity: 1, rate: 5.5, taxRate: 7, more: { isAmount: true } },
  ],
  {
    kind: "credit-note",
    number: "CN-2026-00001",
    pricesIncludeTax: true,
    language: "fr",
    dueDate: null,
    paymentTerms: null,
    corrects: { number: "INV-2026-00001", date: "2026-11-01", reason: "Article endommagé" },
  },
)

const abroad = paperOf([{ quantity: 4, rate: 12.3456, taxCategory: "K" }], {
  shippingAddress: { ...lyon, street: "Quai 4", city: "Marseille", zipCode: "13002" },
  seller: { ...seller, iban: "CH9300762011623852957", bic: null },
  currency: "CHF",
})

const untaxed = paperOf([{ quantity: 1, rate: 100, taxCategory: "O" }], {
  buyer: { ...buyer, contactName: null, phone: null, taxId: null },
  notes: null,
})

/** Prices with tax, two rates, and a discount on everything. */
const discounted = paperOf(
  [
    { quantity: 3, rate: 9.99, discount: 10 },
    { quantity: 1, rate: 5.5, taxRate: 7 },
    { quantity: 2, rate: 0 },
  ],
  { pricesIncludeTax: true, discount: 5, language: "de" },
)

/** A deposit on prices with tax, and the final invoice that takes off two of them. */
const deposit = paperOf(
  [
    { quantity: 1, rate: 107.1 },
    { quantity: 1, rate: 21.4, taxRate: 7 },
  ].map(asked),
  {
    number: "INV-2026-00002",
    isDeposit: true,
    supplyDate: null,
    pricesIncludeTax: true,
    orderNumber: "SO-2026-00007",
    language: "de",
  },
)
const final = paperOf(
  [
    { quantity: 2, rate: 449.9 },
    { quantity: 1, rate: 80, taxRate: 7 },
  ],
  {
    orderNumber: "SO-2026-00007",
    language: "de",
    deposits: [
      { number: "INV-2026-00002", date: "2026-10-01", net: 110, tax: 18.5 },
      { number: "INV-2026-00003", date: "2026-10-20", net: 50, tax: 9.5 },
    ],
  },
)

function asked<W extends object>(wanted: W) {
  const description = "Abschlagszahlung 30 % auf Auftrag SO-2026-00007"
  return { ...wanted, more: { itemCode: null, itemName: null, description } }
}

type Golden = { name: string; paper: Paper; format: XmlFormat; profile: XmlProfile }

/** Where the XML of a document is stored. `bun scripts/e-invoice.ts --golden` writes and checks it. */
export const goldenFileOf = ({ name, format, profile }: Omit<Golden, "paper">): string =>
  `${import.meta.dir}/../../src/trade/paper/e-invoice/golden/${name}.${format}-${profile}.xml`

/** One element per line, so that a difference is easy to find. */
export const byLines = (xml: string): string => xml.replaceAll("><", ">\n<")

/** The documents whose XML is stored. */
export const goldenPapers: readonly Golden[] = [
  { name: "invoice", paper: usual, format: "cii", profile: "en16931" },
  { name: "invoice", paper: usual, format: "ubl", profile: "xrechnung" },
  { name: "gross-credit-note", paper: gross, format: "cii", profile: "xrechnung" },
  { name: "gross-credit-note", paper: gross, format: "ubl", profile: "en16931" },
  { name: "discount", paper: discounted, format: "cii", profile: "en16931" },
  { name: "discount", paper: discounted, format: "ubl", profile: "xrechnung" },
  { name: "deposit", paper: deposit, format: "cii", profile: "en16931" },
  { name: "deposit", paper: deposit, format: "ubl", profile: "xrechnung" },
  { name: "final", paper: final, format: "cii", profile: "xrechnung" },
  { name: "final", paper: final, format: "ubl", profile: "en16931" },
  { name: "intra-community", paper: abroad, format: "cii", profile: "en16931" },
  { name: "untaxed", paper: untaxed, format: "ubl", profile: "xrechnung" },
]
