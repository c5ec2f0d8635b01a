import type { Invoice } from "../../api/types"
import { StatusBadge } from "../../parts/status-badge"

/** Where an invoice stands, and that it is overdue if it is. */
export const InvoiceBadges = ({ invoice }: { invoice: Pick<Invoice, "status" | "isOverdue"> }) => (
  <>
    <StatusBadge status={invoice.status} />
    {invoice.isOverdue && <StatusBadge status="overdue" />}
  </>
)
