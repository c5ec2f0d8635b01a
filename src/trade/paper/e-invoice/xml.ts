import type { Paper, XmlFormat, XmlProfile } from "../model"
import { ciiOf } from "./cii"
import {
  type Allowance,
  type Content,
  type ContentLine,
  contentOf,
  type ContentTax,
  type Party,
  type Payment,
} from "./content"
import type { Address } from "../../../core/kind/address"
import { addressLines, amountText, decimalText, group, textElement } from "./text"

/** Writes a document as XML. Nothing may be missing in it. The same document always gives the same text. */
export const xmlOf = (paper: Paper, format: XmlFormat, profile: XmlProfile): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${(format === "cii" ? ciiOf : ublOf)(contentOf(paper, profile))}\n`

const schema = "urn:oasis:names:specification:ubl:schema:xsd"

/** What the two kinds of documents call their elements. */
const kinds = {
  invoice: { root: "Invoice", type: "InvoiceTypeCode", line: "InvoiceLine", quantity: "InvoicedQuantity" },
  creditNote: {
    root: "CreditNote",
    type: "CreditNoteTypeCode",
    line: "CreditNoteLine",
    quantity: "CreditedQuantity",
  },
}
type Kind = (typeof kinds)["invoice"]

/** Writes an e-invoice as an invoice or a credit note of UBL 2.1. The order of the elements is prescribed. */
function ublOf(content: Content): string {
  const kind = content.isCreditNote ? kinds.creditNote : kinds.invoice
  const namespaces =
    `xmlns="${schema}:${kind.root}-2" xmlns:cac="${schema}:CommonAggregateComponents-2" ` +
    `xmlns:cbc="${schema}:CommonBasicComponents-2"`
  return (
    `<${kind.root} ${namespaces}>${head(content, kind)}${references(content)}` +
    within("AccountingSupplierParty", within("Party", party(content.seller))) +
    within("AccountingCustomerParty", within("Party", party(content.buyer))) +
    `${delivery(content)}${content.payment ? paymentMeans(content.payment) : ""}` +
    within("PaymentTerms", cbc("Note", content.terms)) +
    content.allowances.map((each) => documentAllowance(each, content)).join("") +
    `${taxTotal(content)}${totals(content)}` +
    `${linesOf(content, kind)}</${kind.root}>`
  )
}

const cbc = (name: string, text: string | null, attributes = ""): string =>
  textElement(`cbc:${name}`, text, attributes)
const within = (name: string, content: string): string => group(`cac:${name}`, content)
const amountElement = (name: string, amount: number, { currency, digits }: Content): string =>
  `<cbc:${name} currencyID="${currency}">${amountText(amount, digits)}</cbc:${name}>`

function head(content: Content, kind: Kind): string {
  const { specification, process, number, date, dueDate, notes, currency, typeCode } = content
  return (
    cbc("CustomizationID", specification) +
    cbc("ProfileID", process) +
    cbc("ID", number) +
    cbc("IssueDate", date) +
    cbc("DueDate", dueDate) +
    cbc(kind.type, typeCode) +
    notes.map((note) => cbc("Note", withSubject(note))).join("") +
    cbc("DocumentCurrencyCode", currency) +
    cbc("BuyerReference", content.buyerReference)
  )
}

/**
 * UBL notes have no element for their subject: it is written as a code between # at the beginning. A note with # in its
 * text gets the code of general information, so that nothing else is read as a code.
 */
const withSubject = (note: string): string => (note.includes("#") ? `#AAI#${note}` : note)

/** UBL requires the buyer's number of an order; NA says that it is not known. */
function references({ period, orderNumber, preceding }: Content): string {
  const order = cbc("SalesOrderID", orderNumber)
  return (
    (period ? within("InvoicePeriod", cbc("StartDate", period.from) + cbc("EndDate", period.to)) : "") +
    (order === "" ? "" : within("OrderReference", `${cbc("ID", "NA")}${order}`)) +
    preceding
      .map(({ number, date }) =>
        within(
          "BillingReference",
          within("InvoiceDocumentReference", cbc("ID", number) + cbc("IssueDate", date)),
        ),
      )
      .join("")
  )
}

const party = ({ id, name, registrationId, contact, address, email, vatId, taxNumber }: Party): string =>
  cbc("EndpointID", email, ' schemeID="EM"') +
  within("PartyIdentification", cbc("ID", id)) +
  (address ? within("PostalAddress", addressOf(address)) : "") +
  taxScheme(vatId, "VAT") +
  taxScheme(taxNumber, "FC") +
  within("PartyLegalEntity", cbc("RegistrationName", name) + cbc("CompanyID", registrationId)) +
  within(
    "Contact",
    cbc("Name", contact.name) + cbc("Telephone", contact.phone) + cbc("ElectronicMail", contact.email),
  )

function taxScheme(id: string | null, scheme: string): string {
  const written = cbc("CompanyID", id)
  return written === "" ? "" : within("PartyTaxScheme", `${written}${schemeOf(scheme)}`)
}
const schemeOf = (id: string): string => `<cac:TaxScheme><cbc:ID>${id}</cbc:ID></cac:TaxScheme>`

function addressOf({ street, city, state, zipCode, country }: Address): string {
  const [one, two, three] = addressLines(street)
  return (
    cbc("StreetName", one) +
    cbc("AdditionalStreetName", two) +
    cbc("CityName", city) +
    cbc("PostalZone", zipCode) +
    cbc("CountrySubentity", state) +
    within("AddressLine", cbc("Line", three)) +
    within("Country", cbc("IdentificationCode", country))
  )
}

const delivery = ({ deliverTo, deliveryDate }: Content): string =>
  within(
    "Delivery",
    cbc("ActualDeliveryDate", deliveryDate) +
      (deliverTo ? within("DeliveryLocation", within("Address", addressOf(deliverTo))) : ""),
  )

const paymentMeans = ({ code, reference, account }: Payment): string =>
  within(
    "PaymentMeans",
    cbc("PaymentMeansCode", code) +
      cbc("PaymentID", reference) +
      (account
        ? within(
            "PayeeFinancialAccount",
            cbc("ID", account.iban) +
              cbc("Name", account.name) +
              within("FinancialInstitutionBranch", cbc("ID", account.bic)),
          )
        : ""),
  )

const taxTotal = (content: Content): string =>
  within(
    "TaxTotal",
    amountElement("TaxAmount", content.taxTotal, content) +
      content.taxes.map((tax) => taxOf(tax, content)).join(""),
  )

const taxOf = (tax: ContentTax, content: Content): string =>
  within(
    "TaxSubtotal",
    amountElement("TaxableAmount", tax.base, content) +
      amountElement("TaxAmount", tax.tax, content) +
      `<cac:TaxCategory><cbc:ID>${tax.category}</cbc:ID>${percent(tax.rate)}` +
      cbc("TaxExemptionReasonCode", tax.reasonCode) +
      cbc("TaxExemptionReason", tax.reason) +
      `${schemeOf("VAT")}</cac:TaxCategory>`,
  )

const percent = (rate: number | null): string =>
  rate === null ? "" : `<cbc:Percent>${decimalText(rate)}</cbc:Percent>`

const totals = (content: Content): string =>
  within(
    "LegalMonetaryTotal",
    amountElement("LineExtensionAmount", content.lineTotal, content) +
      amountElement("TaxExclusiveAmount", content.subtotal, content) +
      amountElement("TaxInclusiveAmount", content.total, content) +
      (content.allowanceTotal === 0
        ? ""
        : amountElement("AllowanceTotalAmount", content.allowanceTotal, content)) +
      (content.prepaid === 0 ? "" : amountElement("PrepaidAmount", content.prepaid, content)) +
      amountElement("PayableAmount", content.due, content),
  )

function linesOf(content: Content, kind: Kind): string {
  let text = ""
  for (const [i, line] of content.lines.entries()) text += lineOf(line, i + 1, content, kind)
  return text
}

function lineOf(line: ContentLine, id: number, content: Content, { line: name, quantity }: Kind): string {
  const unit = ` unitCode="${line.unitCode}"`
  const base = line.base === null ? "" : cbc("BaseQuantity", decimalText(line.base), unit)
  return (
    `<cac:${name}><cbc:ID>${id}</cbc:ID><cbc:${quantity}${unit}>${decimalText(line.quantity)}</cbc:${quantity}>` +
    `${amountElement("LineExtensionAmount", line.amount, content)}${allowance(line.allowance, content)}` +
    `<cac:Item>${cbc("Description", line.description)}${cbc("Name", line.name)}` +
    `${within("SellersItemIdentification", cbc("ID", line.code))}<cac:ClassifiedTaxCategory><cbc:ID>` +
    `${line.category}</cbc:ID>${percent(line.rate)}${schemeOf("VAT")}</cac:ClassifiedTaxCategory></cac:Item>` +
    `<cac:Price><cbc:PriceAmount currencyID="${content.currency}">${decimalText(line.price)}</cbc:PriceAmount>` +
    `${base}</cac:Price></cac:${name}>`
  )
}

/** The reason 95 is a discount. That of a document also has its reason as a text, and its tax. */
const allowance = (
  amount: number,
  content: Content,
  { reason, tax }: { reason: string; tax: string } = { reason: "", tax: "" },
): string =>
  amount === 0
    ? ""
    : `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>` +
      `<cbc:AllowanceChargeReasonCode>95</cbc:AllowanceChargeReasonCode>` +
      `${reason}${amountElement("Amount", amount, content)}${tax}</cac:AllowanceCharge>`

const documentAllowance = ({ amount, reason, category, rate }: Allowance, content: Content): string =>
  allowance(amount, content, {
    reason: cbc("AllowanceChargeReason", reason),
    tax:
      `<cac:TaxCategory><cbc:ID>${category}</cbc:ID>${percent(rate)}` +
      `${schemeOf("VAT")}</cac:TaxCategory>`,
  })
