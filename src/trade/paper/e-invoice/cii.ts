import type { Address } from "../../../core/kind/address"
import { addressLines, amountText, decimalText, group, textElement } from "./text"
import type { Allowance, Content, ContentLine, ContentTax, Party, Payment } from "./content"

const namespaces = [
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
  'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
  'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100"',
].join(" ")

/** Writes an e-invoice as a Cross Industry Invoice of UN/CEFACT (D16B). The order of the elements is prescribed. */
export const ciiOf = (content: Content): string =>
  `<rsm:CrossIndustryInvoice ${namespaces}>${context(content)}${head(content)}<rsm:SupplyChainTradeTransaction>` +
  `${linesOf(content)}${agreement(content)}${delivery(content)}${settlement(content)}` +
  `</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`

const ram = (name: string, text: string | null, attributes = ""): string =>
  textElement(`ram:${name}`, text, attributes)
const within = (name: string, content: string): string => group(`ram:${name}`, content)

/** Dates have the format 102, which is YYYYMMDD. */
const dateString = (date: string, type: "udt" | "qdt" = "udt"): string =>
  `<${type}:DateTimeString format="102">${date.replaceAll("-", "")}</${type}:DateTimeString>`

const context = ({ process, specification }: Content): string =>
  `<rsm:ExchangedDocumentContext>` +
  within("BusinessProcessSpecifiedDocumentContextParameter", ram("ID", process)) +
  within("GuidelineSpecifiedDocumentContextParameter", ram("ID", specification)) +
  `</rsm:ExchangedDocumentContext>`

const head = ({ number, typeCode, date, notes }: Content): string =>
  `<rsm:ExchangedDocument>${ram("ID", number)}<ram:TypeCode>${typeCode}</ram:TypeCode>` +
  within("IssueDateTime", dateString(date)) +
  notes.map((note) => within("IncludedNote", ram("Content", note))).join("") +
  `</rsm:ExchangedDocument>`

function linesOf({ lines, digits }: Content): string {
  let text = ""
  for (const [i, line] of lines.entries()) text += lineOf(line, i + 1, digits)
  return text
}

function lineOf(line: ContentLine, id: number, digits: number): string {
  const unit = ` unitCode="${line.unitCode}"`
  const base = line.base === null ? "" : ram("BasisQuantity", decimalText(line.base), unit)
  return (
    `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${id}</ram:LineID>` +
    `</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct>${ram("SellerAssignedID", line.code)}` +
    `${ram("Name", line.name)}${ram("Description", line.description)}</ram:SpecifiedTradeProduct>` +
    `<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>` +
    `${decimalText(line.price)}</ram:ChargeAmount>${base}</ram:NetPriceProductTradePrice>` +
    `</ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity${unit}>` +
    `${decimalText(line.quantity)}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>` +
    `<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>` +
    `<ram:CategoryCode>${line.category}</ram:CategoryCode>${rate(line.rate)}</ram:ApplicableTradeTax>` +
    `${allowance(line.allowance, digits)}<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>` +
    `${amountText(line.amount, digits)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>` +
    `</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`
  )
}

const rate = (percent: number | null): string =>
  percent === null ? "" : `<ram:RateApplicablePercent>${decimalText(percent)}</ram:RateApplicablePercent>`

/** The reason 95 is a discount. `more` is what that of a document has in addition. */
const allowance = (amount: number, digits: number, more = ""): string =>
  amount === 0
    ? ""
    : `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator>` +
      `</ram:ChargeIndicator><ram:ActualAmount>${amountText(amount, digits)}</ram:ActualAmount>` +
      `<ram:ReasonCode>95</ram:ReasonCode>${more}</ram:SpecifiedTradeAllowanceCharge>`

const documentAllowance = ({ amount, reason, category, rate: percent }: Allowance, digits: number): string =>
  allowance(
    amount,
    digits,
    `${ram("Reason", reason)}<ram:CategoryTradeTax><ram:TypeCode>VAT</ram:TypeCode>` +
      `<ram:CategoryCode>${category}</ram:CategoryCode>${rate(percent)}</ram:CategoryTradeTax>`,
  )

const agreement = ({ buyerReference, seller, buyer, orderNumber }: Content): string =>
  within(
    "ApplicableHeaderTradeAgreement",
    ram("BuyerReference", buyerReference) +
      within("SellerTradeParty", party(seller)) +
      within("BuyerTradeParty", party(buyer)) +
      within("SellerOrderReferencedDocument", ram("IssuerAssignedID", orderNumber)),
  )

const party = ({ id, name, registrationId, contact, address, email, vatId, taxNumber }: Party): string =>
  ram("ID", id) +
  ram("Name", name) +
  within("SpecifiedLegalOrganization", ram("ID", registrationId)) +
  contactOf(contact) +
  (address ? within("PostalTradeAddress", addressOf(address)) : "") +
  within("URIUniversalCommunication", ram("URIID", email, ' schemeID="EM"')) +
  within("SpecifiedTaxRegistration", ram("ID", vatId, ' schemeID="VA"')) +
  within("SpecifiedTaxRegistration", ram("ID", taxNumber, ' schemeID="FC"'))

const contactOf = ({ name, phone, email }: Party["contact"]): string =>
  within(
    "DefinedTradeContact",
    ram("PersonName", name) +
      within("TelephoneUniversalCommunication", ram("CompleteNumber", phone)) +
      within("EmailURIUniversalCommunication", ram("URIID", email)),
  )

function addressOf({ street, city, state, zipCode, country }: Address): string {
  const [one, two, three] = addressLines(street)
  return (
    ram("PostcodeCode", zipCode) +
    ram("LineOne", one) +
    ram("LineTwo", two) +
    ram("LineThree", three) +
    ram("CityName", city) +
    ram("CountryID", country) +
    ram("CountrySubDivisionName", state)
  )
}

/** The element is required, even without content. */
const delivery = ({ deliverTo, deliveryDate }: Content): string =>
  `<ram:ApplicableHeaderTradeDelivery>` +
  (deliverTo ? within("ShipToTradeParty", within("PostalTradeAddress", addressOf(deliverTo))) : "") +
  (deliveryDate === null
    ? ""
    : within("ActualDeliverySupplyChainEvent", within("OccurrenceDateTime", dateString(deliveryDate)))) +
  `</ram:ApplicableHeaderTradeDelivery>`

const periodOf = ({ period }: Content): string =>
  period === null
    ? ""
    : within(
        "BillingSpecifiedPeriod",
        within("StartDateTime", dateString(period.from)) + within("EndDateTime", dateString(period.to)),
      )

const settlement = (content: Content): string =>
  within(
    "ApplicableHeaderTradeSettlement",
    ram("PaymentReference", content.payment?.reference ?? null) +
      ram("InvoiceCurrencyCode", content.currency) +
      (content.payment ? paymentMeans(content.payment) : "") +
      content.taxes.map((tax) => taxOf(tax, content.digits)).join("") +
      periodOf(content) +
      content.allowances.map((each) => documentAllowance(each, content.digits)).join("") +
      terms(content) +
      totals(content) +
      preceding(content),
  )

const paymentMeans = ({ code, account }: Payment): string =>
  within(
    "SpecifiedTradeSettlementPaymentMeans",
    ram("TypeCode", code) +
      (account
        ? within(
            "PayeePartyCreditorFinancialAccount",
            ram("IBANID", account.iban) + ram("AccountName", account.name),
          ) + within("PayeeSpecifiedCreditorFinancialInstitution", ram("BICID", account.bic))
        : ""),
  )

const taxOf = (tax: ContentTax, digits: number): string =>
  `<ram:ApplicableTradeTax><ram:CalculatedAmount>${amountText(tax.tax, digits)}</ram:CalculatedAmount>` +
  `<ram:TypeCode>VAT</ram:TypeCode>${ram("ExemptionReason", tax.reason)}` +
  `<ram:BasisAmount>${amountText(tax.base, digits)}</ram:BasisAmount>` +
  `<ram:CategoryCode>${tax.category}</ram:CategoryCode>${ram("ExemptionReasonCode", tax.reasonCode)}` +
  `${rate(tax.rate)}</ram:ApplicableTradeTax>`

const terms = ({ terms: text, dueDate }: Content): string =>
  within(
    "SpecifiedTradePaymentTerms",
    ram("Description", text) + (dueDate === null ? "" : within("DueDateDateTime", dateString(dueDate))),
  )

function totals(content: Content): string {
  const { lineTotal, allowanceTotal, subtotal, taxTotal, total, prepaid, currency, digits } = content
  const [lines, net, tax, gross, due] = [lineTotal, subtotal, taxTotal, total, content.due].map((amount) =>
    amountText(amount, digits),
  )
  const allowances = allowanceTotal === 0 ? null : amountText(allowanceTotal, digits)
  return (
    `<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${lines}</ram:LineTotalAmount>` +
    `${ram("AllowanceTotalAmount", allowances)}` +
    `<ram:TaxBasisTotalAmount>${net}</ram:TaxBasisTotalAmount>` +
    `<ram:TaxTotalAmount currencyID="${currency}">${tax}</ram:TaxTotalAmount>` +
    `<ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount>` +
    ram("TotalPrepaidAmount", prepaid === 0 ? null : amountText(prepaid, digits)) +
    `<ram:DuePayableAmount>${due}</ram:DuePayableAmount>` +
    `</ram:SpecifiedTradeSettlementHeaderMonetarySummation>`
  )
}

/** There can be only one such element. The others stand in the notes. */
const preceding = ({ preceding: [first] }: Content): string =>
  first
    ? within(
        "InvoiceReferencedDocument",
        ram("IssuerAssignedID", first.number) +
          within("FormattedIssueDateTime", dateString(first.date, "qdt")),
      )
    : ""
