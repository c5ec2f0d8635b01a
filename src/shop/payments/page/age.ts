import type { Invoice } from "../../../console/api/types"

export type Aged = Pick<Invoice, "dueDate" | "numberSeries" | "numberCounter">

/** Compares invoices in the order in which the server pays them: by due date, then by number. R-9 is before R-10. */
export const byAge = (a: Aged, b: Aged): number =>
  compare(a.dueDate, b.dueDate) ||
  compare(a.numberSeries ?? "", b.numberSeries ?? "") ||
  (a.numberCounter ?? 0) - (b.numberCounter ?? 0)

/** Compares texts by their characters, as the database does. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
