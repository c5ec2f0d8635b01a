/** The check of an e-invoice: what is missing, and what the company's country asks for. */
export const eInvoice = {
  title: "E-invoice",
  valid: "Valid e-invoice (EN 16931)",
  notValid: "Not a valid e-invoice",
  /** The heading of the list of a draft. */
  lacks_one: "No e-invoice yet: {{shown}} entry is missing",
  lacks_other: "No e-invoice yet: {{shown}} entries are missing",
  /** The heading of the list of an issued document. */
  lackedAtIssue_one: "No e-invoice: {{shown}} entry was missing",
  lackedAtIssue_other: "No e-invoice: {{shown}} entries were missing",
  issued: {
    invoices:
      "An issued invoice no longer changes. Fill in the data, credit this invoice, and issue it again.",
    "credit-notes":
      "An issued credit note no longer changes. Fill in the data, so that the next ones are valid.",
  },
  /** A part of the question before an invoice is issued. */
  beforeIssue: "It is not a valid e-invoice yet. What is missing:",
  xrechnungValid: "XRechnung: valid",
  xrechnungLacks_one: "XRechnung: {{shown}} entry missing",
  xrechnungLacks_other: "XRechnung: {{shown}} entries missing",
  more: "And {{shown}} more.",
  adminFillsIn: "An admin fills this in.",
  /** What to do, by the field and the rule. */
  missing: {
    sellerName: "Enter the legal name of the company.",
    sellerCountry: "Enter the country of the company.",
    sellerCountryUnlisted: "The official list of countries does not contain the country of the company.",
    sellerTaxId: "Enter the VAT ID or the tax number of the company.",
    sellerVatIdPrefix: "The VAT ID of the company must begin with the code of a country, such as DE.",
    sellerVatIdForSupply: "An intra-Community supply needs the VAT ID of the company.",
    sellerVatIdForExport: "An export needs the VAT ID of the company.",
    sellerRegistrationId: "Enter the registration ID or the tax number of the company.",
    sellerStreet: "Enter the street of the company.",
    sellerCity: "Enter the city of the company.",
    sellerZipCode: "Enter the postal code of the company.",
    sellerPhone: "Enter the phone number of the company.",
    sellerPhoneDigits: "The phone number of the company needs at least three digits.",
    sellerEmail: "Enter the email address of the company.",
    sellerEmailDomain: "The email address of the company needs a domain with a dot.",
    sellerIban: "Enter the IBAN of the company.",
    sellerIbanForQrBill: "Enter an IBAN of the company that begins with CH or LI.",
    buyerName: "Enter the name of the customer.",
    buyerCountry: "Enter the country of the customer.",
    buyerCountryUnlisted: "The official list of countries does not contain the country of the customer.",
    buyerTaxIdForSupply: "An intra-Community supply needs the tax ID (VAT ID) of the customer.",
    buyerTaxIdForReverseCharge: "Reverse charge needs the tax ID (VAT ID) of the customer.",
    buyerTaxIdPrefix:
      "The tax ID of the customer must be a VAT ID, which begins with the code of a country, such as DE.",
    buyerCity: "Enter the city of the customer.",
    buyerZipCode: "Enter the postal code of the customer.",
    buyerEmail: "Enter the email address of the customer.",
    shippingCountry: "Enter the country of the shipping address.",
    shippingCity: "Enter the city of the shipping address.",
    shippingZipCode: "Enter the postal code of the shipping address.",
    buyerReference: "Enter the buyer reference. For public customers it is their Leitweg-ID.",
    currency: "An e-invoice cannot have this currency, or so many decimals.",
    amounts: "The amounts of the document do not add up.",
    taxCodes: "Add the tax codes of your country. Each line needs one.",
    defaultTaxCode: "Choose the default tax code, for new items and for lines without an item.",
    description: "Enter a description in line {{line}}.",
    unit: "Enter the UN/ECE code of the unit “{{unit}}”.",
    unitOfLine: "The unit of line {{line}} has no UN/ECE code.",
    taxCode: "Choose a tax code in line {{line}}.",
    taxRate: "The tax rate of line {{line}} does not fit its category.",
    taxAlone: "Line {{line}} is not subject to tax. It needs a document of its own.",
    taxReason:
      "Line {{line}} is exempt from tax without a reason. Enter it in the tax code or in the customer.",
  },
  /** The panel of the company page. */
  company: "E-invoicing",
  companyHint:
    "If nothing is missing, the PDFs of new invoices contain the e-invoice. The check looks at what you have entered here, also before you save.",
  noCountry: "Choose the country of the company to see what is required there.",
  complete: "Nothing is missing.",
  standard: {
    qrBill: "QR bill: needs an IBAN of CH or LI, and the address with street, postal code and city",
    en16931: "EN 16931, the European standard",
    xrechnung: "In addition for XRechnung, which public customers in Germany require",
  },
  inCountry: "In {{country}}",
  betweenBusinesses: "Between businesses",
  forPublic: "For public customers",
  way: {
    "factur-x": "the PDF, which contains the e-invoice (Factur-X, also named ZUGFeRD).",
    xrechnung: "XRechnung. The menu beside the PDF button of a document has the file.",
    "peppol-ubl": "UBL in the Peppol network.",
    en16931: "any form of EN 16931, which are the PDF, CII and UBL.",
    "qr-bill": "an invoice on paper or as a PDF, with a QR bill if the currency is CHF.",
    other: "a national format that Kontor does not write. Ask your tax adviser.",
  },
  peppol:
    "Kontor writes UBL by EN 16931: the menu beside the PDF button of a document has the file. Kontor does not send it. Your Peppol provider adds the addresses and the profile of the network (Peppol BIS).",
  dutySince: "Businesses must send e-invoices to each other since {{date}}.",
  dutyFrom: "Businesses must send e-invoices to each other from {{date}}.",
  note: {
    DE: "Businesses with a turnover of more than 800,000 EUR must send them from 2027.",
    FR: "Large and mid-size businesses must issue e-invoices to each other since 1 September 2026, all others from 1 September 2027. All businesses must be able to receive them since 1 September 2026. They are sent through an approved platform.",
  },
  /** The unit codes of the company page. */
  units: "Units in e-invoices",
  unitsHint:
    "E-invoices name units by codes of UN/ECE Recommendation 20 or 21. Enter the codes of your own words. Common words are known, for example:",
  /** Words that the server knows, separated by spaces. */
  unitExamples: "Nos pcs h day kg l m m² box pair set",
  unitWord: "Unit, row {{row}}",
  unitCode: "Code, row {{row}}",
  word: "Unit",
  code: "UN/ECE code",
  unitKnown: "Known already as {{code}}",
  addUnit: "Add unit",
  removeUnit: "Remove row {{row}}",
} as const
