import { isIban } from "../../../shared/iban"
import type { Paper } from "../model"

/** The most characters of the name and of the text of a transfer, and the most bytes of a code (EPC069-12). */
const [mostName, mostText, mostBytes] = [70, 140, 331]
const mostAmount = 999_999_999.99
/** The countries of the EEA. A transfer to an account elsewhere needs the BIC. */
const eea = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
)

/** True for a document that asks for money: an issued invoice. */
export const isPayable = ({ kind, number, mark, total }: Paper): boolean =>
  kind === "invoice" && number !== null && mark === null && total > 0

/**
 * Returns the content of the QR code of a SEPA transfer that pays an invoice (EPC069-12, version 2), or null if the
 * invoice is not in EUR or lacks data.
 */
export function epcPayload(paper: Paper): string | null {
  const { iban, bic, legalName } = paper.seller
  if (!isPayable(paper) || paper.currency !== "EUR" || paper.total > mostAmount) return null
  if (!iban || !isIban(iban) || !legalName) return null
  if (!bic && !eea.has(iban.slice(0, 2))) return null
  const payload = [
    "BCD",
    "002",
    "1",
    "SCT",
    bic ?? "",
    firstOf(legalName, mostName),
    iban,
    `EUR${paper.total.toFixed(2)}`,
    "",
    "",
    firstOf(paper.number ?? "", mostText),
  ].join("\n")
  return Buffer.byteLength(payload) <= mostBytes ? payload : null
}

/** The first characters of a text, on one line. */
export const firstOf = (text: string, most: number): string =>
  [...text.replace(/\s+/g, " ")].slice(0, most).join("").trim()
