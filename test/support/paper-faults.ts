import type { Paper, PaperLine, XmlProfile } from "../../src/trade/paper/model"
import { buyer, hamburg, lyon, paperOf, seller, type Wanted } from "./papers"

/** A document with one fault, and what must be reported about it. */
export type PaperFault = {
  title: string
  rule: string
  field: string
  paper: Paper
  profile: XmlProfile
}

const usual: Wanted = { quantity: 2, rate: 449.9 }
const outside: Wanted = { ...usual, taxCategory: "O" }
const goods = (taxCategory: Wanted["taxCategory"], more: Partial<Paper> = {}) =>
  paperOf([{ ...usual, taxCategory }], more)
const sold = (more: Partial<Paper["seller"]>, rest: Partial<Paper> = {}) =>
  paperOf([usual], { seller: { ...seller, ...more }, ...rest })
const bought = (more: Partial<Paper["buyer"]>) => paperOf([usual], { buyer: { ...buyer, ...more } })
const withLine = (more: Partial<PaperLine>) => paperOf([usual, { ...usual, more }])
const noIds = { vatId: null, taxNumber: null, registrationId: null }

const fault = (
  title: string,
  rule: string,
  field: string,
  paper: Paper,
  profile: XmlProfile = "en16931",
): PaperFault => ({ title, rule, field, paper, profile })

const ofSeller = [
  fault("a seller without a legal name", "BR-06", "seller.legalName", sold({ legalName: null })),
  fault("a seller without an address", "BR-09", "seller.address.country", sold({ address: null })),
  fault(
    "a seller without a country",
    "BR-09",
    "seller.address.country",
    sold({ address: { ...hamburg, country: null } }),
  ),
  fault(
    "a seller in a country that the official list lacks",
    "BR-CL-14",
    "seller.address.country",
    sold({ address: { ...hamburg, country: "SS" } }),
  ),
  fault(
    "a VAT ID without a country",
    "BR-CO-09",
    "seller.vatId",
    sold({ vatId: "123456789", taxNumber: null }),
  ),
  fault("tax without an ID of the seller", "BR-S-02", "seller.vatId", sold({ vatId: null, taxNumber: null })),
  ...(
    [
      ["Z", "BR-Z-02"],
      ["E", "BR-E-02"],
      ["AE", "BR-AE-02"],
      ["K", "BR-IC-02"],
      ["G", "BR-G-02"],
    ] as const
  ).map(([category, rule]) =>
    fault(
      `category ${category} without an ID of the seller`,
      rule,
      "seller.vatId",
      goods(category, { seller: { ...seller, vatId: null, taxNumber: null } }),
    ),
  ),
  fault(
    "an export of a seller with a tax number but no VAT ID",
    "BR-G-02",
    "seller.vatId",
    goods("G", { seller: { ...seller, vatId: null } }),
  ),
  fault(
    "an untaxed document of a seller with nothing but a VAT ID",
    "BR-CO-26",
    "seller.registrationId",
    paperOf([outside], { seller: { ...seller, ...noIds, vatId: "DE123456789" } }),
  ),
]

const ofSellerInXrechnung = [
  fault(
    "XRechnung without the city of the seller",
    "BR-DE-3",
    "seller.address.city",
    sold({ address: { ...hamburg, city: null } }),
    "xrechnung",
  ),
  fault(
    "XRechnung without the zip code of the seller",
    "BR-DE-4",
    "seller.address.zipCode",
    sold({ address: { ...hamburg, zipCode: null } }),
    "xrechnung",
  ),
  fault("XRechnung without a phone number", "BR-DE-6", "seller.phone", sold({ phone: null }), "xrechnung"),
  fault(
    "XRechnung with a phone number of two digits",
    "BR-DE-27",
    "seller.phone",
    sold({ phone: "ext. 12" }),
    "xrechnung",
  ),
  fault(
    "XRechnung without the email address of the seller",
    "BR-DE-7",
    "seller.email",
    sold({ email: null }),
    "xrechnung",
  ),
  fault(
    "XRechnung with an email address without a dot in its domain",
    "BR-DE-28",
    "seller.email",
    sold({ email: "office@localhost" }),
    "xrechnung",
  ),
  fault("XRechnung without a bank account", "BR-DE-1", "seller.iban", sold({ iban: null }), "xrechnung"),
]

const ofBuyer = [
  fault("a buyer without a name", "BR-07", "buyer.name", bought({ name: "\u0001" })),
  fault("a buyer without an address", "BR-11", "buyer.address.country", bought({ address: null })),
  fault(
    "a buyer in a country that the official list lacks",
    "BR-CL-14",
    "buyer.address.country",
    bought({ address: { ...lyon, country: "SS" } }),
  ),
  fault(
    "reverse charge without the VAT ID of the buyer",
    "BR-AE-02",
    "buyer.taxId",
    goods("AE", { buyer: { ...buyer, taxId: null } }),
  ),
  fault(
    "an intra-Community supply without the VAT ID of the buyer",
    "BR-IC-02",
    "buyer.taxId",
    goods("K", { buyer: { ...buyer, taxId: null } }),
  ),
  fault(
    "reverse charge with a VAT ID of the buyer without a country",
    "BR-CO-09",
    "buyer.taxId",
    goods("AE", { buyer: { ...buyer, taxId: "12345678901" } }),
  ),
  fault(
    "a shipping address in a country that the official list lacks",
    "BR-CL-14",
    "shippingAddress.country",
    paperOf([usual], { shippingAddress: { ...lyon, country: "SS" } }),
  ),
]

const ofBuyerInXrechnung = [
  fault(
    "XRechnung without the reference of the buyer",
    "BR-DE-15",
    "buyerReference",
    paperOf([usual], { buyerReference: null }),
    "xrechnung",
  ),
  fault(
    "XRechnung without the city of the buyer",
    "BR-DE-8",
    "buyer.address.city",
    bought({ address: { ...lyon, city: null } }),
    "xrechnung",
  ),
  fault(
    "XRechnung without the zip code of the buyer",
    "BR-DE-9",
    "buyer.address.zipCode",
    bought({ address: { ...lyon, zipCode: null } }),
    "xrechnung",
  ),
  fault(
    "XRechnung without the email address of the buyer",
    "PEPPOL-EN16931-R010",
    "buyer.email",
    bought({ email: null }),
    "xrechnung",
  ),
  fault(
    "XRechnung of an intra-Community supply without the city of delivery",
    "BR-DE-10",
    "shippingAddress.city",
    goods("K", { shippingAddress: { ...lyon, city: null } }),
    "xrechnung",
  ),
  fault(
    "XRechnung of an intra-Community supply without the zip code of delivery",
    "BR-DE-11",
    "shippingAddress.zipCode",
    goods("K", { shippingAddress: { ...lyon, zipCode: null } }),
    "xrechnung",
  ),
]

const ofLines = [
  fault("a unit without a code", "BR-CL-23", "items[1].uom", withLine({ uom: "Gebinde", unitCode: null })),
  fault("a unit with an unknown code", "BR-CL-23", "items[1].uom", withLine({ unitCode: "QQQ" })),
  fault(
    "a line without a name",
    "BR-25",
    "items[1].description",
    withLine({ itemName: null, itemCode: null, description: "\u0000" }),
  ),
  fault(
    "a line without a tax category",
    "BR-CO-04",
    "items[1].taxCode",
    paperOf([usual, { ...usual, taxCategory: null }]),
  ),
  fault("a standard rate of zero", "BR-S-05", "items[1].taxCode", paperOf([usual, { ...usual, taxRate: 0 }])),
  fault(
    "an untaxed line among taxed ones",
    "BR-O-11",
    "items[1].taxCode",
    paperOf([usual, outside], { seller: { ...seller, vatId: null } }),
  ),
  fault(
    "an exempt line without a reason",
    "BR-E-10",
    "items[0].taxCode",
    goods("E", {
      taxes: [{ category: "E", rate: 0, base: 899.8, tax: 0, reason: null }],
    }),
  ),
]

const ofAmounts = [
  fault("a currency that is no longer in use", "BR-CL-04", "currency", paperOf([usual], { currency: "DEM" })),
  fault(
    "amounts with three decimals",
    "BR-DEC-23",
    "currency",
    paperOf([{ quantity: 1, rate: 1.005 }], { currency: "KWD", digits: 3 }),
  ),
  fault(
    "a tax with three decimals",
    "BR-DEC-20",
    "currency",
    paperOf([{ quantity: 1, rate: 1.15 }], { currency: "KWD", digits: 3 }),
  ),
  fault(
    "a subtotal that is not the sum of the lines",
    "BR-CO-10",
    "subtotal",
    paperOf([usual], { subtotal: 1, total: 171.96 }),
  ),
  fault(
    "a tax total that is not the sum of the taxes",
    "BR-CO-14",
    "taxTotal",
    paperOf([usual], { taxTotal: 1, total: 900.8 }),
  ),
  fault("a total that is not the sum of net and tax", "BR-CO-15", "total", paperOf([usual], { total: 1 })),
  fault(
    "a tax whose base is not the sum of its lines",
    "BR-S-08",
    "taxes",
    paperOf([usual], { taxes: [{ category: "S", rate: 19, base: 899, tax: 170.96, reason: null }] }),
  ),
  fault(
    "a tax that is not the rate of its base",
    "BR-CO-17",
    "taxes[0]",
    paperOf([usual], {
      taxes: [{ category: "S", rate: 19, base: 899.8, tax: 180, reason: null }],
      taxTotal: 180,
      total: 1_079.8,
    }),
  ),
  fault(
    "a rate that rounds to zero",
    "BR-CO-17",
    "taxes[0]",
    paperOf([{ quantity: 1, rate: 1_000, taxRate: 0.4 }]),
  ),
]

/** One document for each rule that a document of Kontor can break. */
export const paperFaults: readonly PaperFault[] = [
  ...ofSeller,
  ...ofSellerInXrechnung,
  ...ofBuyer,
  ...ofBuyerInXrechnung,
  ...ofLines,
  ...ofAmounts,
]
