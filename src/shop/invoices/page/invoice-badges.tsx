import { Badge } from "@mantine/core"
import type { Invoice } from "../../../console/api/types"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "./texts"

type Props = { invoice: Pick<Invoice, "status" | "isOverdue" | "isOpening"> }

/** The status of an invoice, an overdue badge, and the badge of an opening invoice. */
export const InvoiceBadges = ({ invoice }: Props) => (
  <>
    <StatusBadge status={invoice.status} />
    {invoice.isOverdue && <StatusBadge status="overdue" />}
    {invoice.isOpening && (
      <Badge color="gray" variant="light" tt="none" fw={600}>
        {t(($) => $.openingBadge)}
      </Badge>
    )}
  </>
)
