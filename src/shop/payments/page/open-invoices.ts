import { useQuery } from "@tanstack/react-query"
import type { Invoice } from "../../../console/api/types"
import { date } from "../../../console/format"
import { readAll } from "../../../console/lists/read-all"
import { t } from "./texts"
import { byAge, type Aged } from "./proposal"

export type OpenInvoice = Aged & Pick<Invoice, "id" | "invoiceNumber" | "balance" | "isOverdue">

/** When an invoice is due, in words. */
export const dueOf = ({ dueDate }: OpenInvoice): string => t(($) => $.due, { date: date(dueDate) })

/** The number of invoices that one payment can pay. */
export const mostInvoices = 500

/** The open invoices of a customer in the order in which the server pays them: by due date, then by number. */
export const useOpenInvoices = (customer: string) =>
  useQuery({
    queryKey: ["invoices", "open", customer],
    queryFn: ({ signal }) => readOpen(customer, signal),
    enabled: customer !== "",
  })

async function readOpen(customer: string, signal: AbortSignal): Promise<OpenInvoice[]> {
  const query = {
    customer,
    "status[in]": "unpaid,partially_paid",
    sort: "dueDate",
    order: "asc",
    fields: "id,invoiceNumber,numberSeries,numberCounter,dueDate,balance,isOverdue",
  }
  const found: OpenInvoice[] = []
  for await (const { rows } of readAll<OpenInvoice>("/invoices", query, signal)) {
    found.push(...rows)
    if (found.length >= mostInvoices) break
  }
  return found.toSorted(byAge)
}
