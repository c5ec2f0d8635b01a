import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { messageOf } from "../../../console/api/client"
import { useMe } from "../../../console/api/hooks"
import type { Customer, Invoice, Me } from "../../../console/api/types"
import { withinCredit } from "../../../trade/page/credit"
import { DayInput } from "../../../console/forms/day-input"
import { documentValues } from "../../../trade/page/document-values"
import { DraftEditor } from "../../../trade/page/draft-editor"
import { useDraft } from "../../../trade/page/use-draft"
import { setStatus } from "../../../trade/page/use-steps"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { confirmIssue } from "./confirm-issue"

type Props = {
  /** The draft; null for a new invoice. */
  invoice: Invoice | null
  /** The customer of a new invoice, if known. */
  customer?: Customer
}

/** Edits and issues a draft. */
export function InvoiceEditor({ invoice, customer }: Props) {
  const state = useInvoiceDraft({ invoice, customer })
  return (
    <DraftEditor
      kind="invoices"
      record={invoice}
      customer={customer}
      state={state}
      finalize={{ label: t(($) => $.invoices.issue), onClick: state.saveAndFinalize }}
      dates={
        <DayInput
          label={t(($) => $.fields.invoiceDate)}
          required
          {...state.form.getInputProps("invoiceDate")}
        />
      }
      supplyDate={
        <DayInput
          label={t(($) => $.fields.supplyDate)}
          description={t(($) => $.invoices.supplyDateHint)}
          clearable
          {...state.form.getInputProps("supplyDate")}
        />
      }
    />
  )
}

function useInvoiceDraft({ invoice, customer }: Props) {
  const { role, company } = useMe()
  const [, go] = useLocation()
  const openNew = ({ id }: Invoice) => {
    if (!invoice) go(`/invoices/${id}`, { replace: true })
  }
  return useDraft({
    kind: "invoices",
    record: invoice,
    valuesOf: (from) => valuesOf(from, customer, company),
    finalize: async (saved) => ((await confirmIssue(saved)) ? issue(saved, role) : null),
    onDone: (saved, outcome) => {
      // The user kept a draft without changes.
      if (outcome === "kept" && saved.version === invoice?.version) return
      tellDone(
        saved.status === "draft"
          ? t(($) => $.invoices.draftSaved)
          : t(($) => $.invoices.wasIssued, { number: saved.invoiceNumber ?? "" }),
      )
      openNew(saved)
    },
    // A new invoice is already saved as a draft, so the user continues on its page.
    onRefused: invoice
      ? undefined
      : (saved, error) => {
          notifications.show({ message: messageOf(error), color: "red", autoClose: false })
          openNew(saved)
        },
  })
}

const issue = (draft: Invoice, role: Me["role"]) =>
  withinCredit(role, { document: "invoice", action: t(($) => $.invoices.issueAnyway) }, (override) =>
    setStatus("invoices", draft, { status: "unpaid", ...(override ? { override } : {}) }),
  )

/** A supply date that is the invoice date is empty, because it follows the invoice date. */
const valuesOf = (invoice: Invoice | null, customer: Customer | undefined, company: Me["company"]) => ({
  ...documentValues(invoice, customer, company),
  invoiceDate: invoice?.invoiceDate ?? company.today,
  supplyDate: invoice && invoice.supplyDate !== invoice.invoiceDate ? invoice.supplyDate : null,
})
