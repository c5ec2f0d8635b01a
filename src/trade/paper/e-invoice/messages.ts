/** What to do about a seller that lacks something, by rule. */
const byRule: Record<string, string> = {
  "BR-06": "The company has no legal name: enter it in the settings.",
  "BR-09": "The address of the company has no country: enter it in the settings.",
  "BR-CL-14": "The official list of countries does not contain the country of the company.",
  "BR-CO-09":
    "The VAT ID of the company must be the code of a country and a number, such as DE123456789: correct it in the settings.",
  "BR-IC-02": "An intra-Community supply needs the VAT ID of the company: enter it in the settings.",
  "BR-G-02": "An export needs the VAT ID of the company: enter it in the settings.",
  "BR-DE-1": "XRechnung needs the bank account of the company: enter the IBAN in the settings.",
  "BR-DE-3": "XRechnung needs the city of the company: enter it in the settings.",
  "BR-DE-4": "XRechnung needs the zip code of the company: enter it in the settings.",
  "BR-DE-6": "XRechnung needs the phone number of the company: enter it in the settings.",
  "BR-DE-7": "XRechnung needs the email address of the company: enter it in the settings.",
  "BR-DE-27": "The phone number of the company must have at least three digits: correct it in the settings.",
  "BR-DE-28": "The email address of the company must have a domain with a dot: correct it in the settings.",
}

/** Returns what to do about a field that the seller lacks. */
export function sellerMessage(field: string, rule: string): string {
  const found = byRule[rule]
  if (found !== undefined) return found
  return field === "registrationId"
    ? "A document that is not subject to tax needs the registration ID or the tax number of the company: enter it in the settings."
    : "The company has neither a VAT ID nor a tax number: enter one in the settings."
}
