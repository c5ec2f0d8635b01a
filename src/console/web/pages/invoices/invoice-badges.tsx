import type { Invoice } from "../../api/types"
import { StatusBadge } from "../../parts/status-badge"

/** The status of an invoice, and an overdue badge. */
export const InvoiceBadges = ({ invoice }: { invoice: Pick<Invoice, "status" | "isOverdue"> }) => (
  <>
    <StatusBadge status={invoice.status} />
    {invoice.isOverdue && <StatusBadge status="overdue" />}
  </>
)
