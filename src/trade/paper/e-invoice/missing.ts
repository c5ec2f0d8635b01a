import { lacksOfSeller } from "../../../shared/e-invoice"
import type { Missing, Paper, XmlProfile } from "../model"
import { wrongAmounts } from "./missing-amounts"
import { missingOfBuyer } from "./missing-buyer"
import { wrongLines } from "./missing-lines"
import { sellerMessage } from "./messages"

/**
 * Returns why the e-invoice of a document would not be valid. When the list is empty, `xmlOf` writes a valid one. A draft
 * gets its number at issue: `ignoreNumber` leaves it out.
 */
export function missingIn(
  paper: Paper,
  profile: XmlProfile,
  { ignoreNumber = false }: { ignoreNumber?: boolean } = {},
): Missing[] {
  const categories = paper.lines.map(({ taxCategory }) => taxCategory)
  const isCreditNote = paper.kind === "credit-note"
  return [
    ...(ignoreNumber || paper.number !== null ? [] : [noNumber(paper)]),
    ...lacksOfSeller(paper.seller, { profile, categories, isCreditNote }).map(({ field, rule }) => ({
      field: `seller.${field}`,
      rule,
      message: sellerMessage(field, rule),
    })),
    ...missingOfBuyer(paper, profile),
    ...wrongAmounts(paper),
    ...wrongLines(paper),
  ]
}

const noNumber = ({ mark }: Paper): Missing => ({
  field: "invoiceNumber",
  rule: "BR-02",
  message:
    mark === "cancelled"
      ? "The invoice was cancelled before it had a number."
      : "A draft has no number: issue it.",
})
