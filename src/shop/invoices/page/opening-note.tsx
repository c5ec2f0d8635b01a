import { Alert } from "@mantine/core"
import type { Invoice } from "../../../console/api/types"
import { t } from "../../../console/texts"

/** Why an opening invoice has no PDF and no credit notes, and what can be done with it. */
export const OpeningNote = ({ invoice }: { invoice: Invoice }) =>
  invoice.isOpening && (
    <Alert color="gray" title={t(($) => $.invoices.openingTitle)}>
      {[t(($) => $.invoices.openingText), ...possible(invoice)].join(" ")}
    </Alert>
  )

function possible({ status, balance, payments, applications }: Invoice): string[] {
  if (status === "cancelled") return []
  const isUnused = payments.length === 0 && applications.length === 0
  return [
    ...(balance > 0 ? [t(($) => $.invoices.openingPay)] : []),
    ...(isUnused ? [t(($) => $.invoices.openingUndo)] : []),
  ]
}
