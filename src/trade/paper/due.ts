import { roundedTo } from "../../shared/decimal"
import type { Paper } from "./model"

/** What a document takes off for deposits. */
export const depositsOf = ({ deposits, digits }: Pick<Paper, "deposits" | "digits">): number =>
  roundedTo(
    (deposits ?? []).reduce((sum, { net, tax }) => sum + net + tax, 0),
    digits,
  )

/** What is to be paid of a document: its total, without the deposits that it takes off. */
export const dueOf = (paper: Pick<Paper, "deposits" | "digits" | "total">): number =>
  paper.deposits?.length ? roundedTo(paper.total - depositsOf(paper), paper.digits) : paper.total
