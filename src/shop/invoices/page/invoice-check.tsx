import type { Invoice } from "../../../console/api/types"
import { EInvoicePanel } from "../../../trade/page/e-invoice-panel"
import { t as eInvoiceTexts } from "../../../trade/page/e-invoice-texts"

type Props = { invoice: Invoice; isEditable?: boolean }

/** The check of the e-invoice of an invoice. A cancelled one is not sent any more. */
export const InvoiceCheck = ({ invoice, isEditable = false }: Props) =>
  invoice.status !== "cancelled" && (
    <EInvoicePanel
      kind="invoices"
      id={invoice.id}
      isIssued={invoice.status !== "draft"}
      document={{ ...invoice, path: `/invoices/${invoice.id}`, isEditable }}
      advice={mayBeCredited(invoice) ? eInvoiceTexts(($) => $.issued.invoices) : undefined}
    />
  )

/** True if something is left that a credit note can credit, before the invoice is issued again. */
const mayBeCredited = ({ status, total, creditedTotal }: Invoice): boolean =>
  status !== "draft" && creditedTotal < total
