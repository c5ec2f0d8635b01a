import type { Settings } from "../../office/settings/model"
import { sellerOf } from "../../office/settings/seller"
import type { Language } from "../../shared/languages"
import type { Customers } from "../../trade/needs"
import { lettersOnly } from "../../trade/paper/letter"
import type { Paper, PaperWords } from "../../trade/paper/model"
import type { Statement } from "./model"

/** How it is called on paper. */
const statementWords = {
  en: { title: "Statement of account", dateName: "Date" },
  de: { title: "Kontoauszug", dateName: "Datum" },
  fr: { title: "Relevé de compte", dateName: "Date" },
} satisfies PaperWords

type Needs = { customers: Customers; settings: () => Settings }

/** Returns a statement as it is put on paper, with the current data of the company and of the customer. */
export function statementPaper(
  { customers, settings }: Needs,
  {
    statement,
    language,
    today,
    digits,
  }: { statement: Statement; language: Language | null; today: string; digits: number },
): Paper {
  const { currency, customer, ...account } = statement
  const { customerNumber, name, contactName, phone, address, taxId, ...buyer } = customers.get(customer)
  const used = language ?? buyer.language ?? settings().defaultLanguage
  return {
    ...lettersOnly,
    number: null,
    ...statementWords[used],
    kind: "statement",
    language: used,
    date: today,
    seller: sellerOf(settings()),
    buyer: {
      customerNumber,
      name,
      contactName,
      email: buyer.invoiceEmail ?? buyer.email,
      phone,
      address,
      taxId,
    },
    currency,
    digits,
    account,
  }
}
