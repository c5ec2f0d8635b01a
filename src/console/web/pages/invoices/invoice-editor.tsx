import { useLocation } from "wouter"
import { useMe } from "../../api/hooks"
import type { Customer, Invoice, Me } from "../../api/types"
import { withinCredit } from "../../documents/credit"
import { DayInput } from "../../documents/day-input"
import { documentValues } from "../../documents/document-values"
import { DraftEditor } from "../../documents/draft-editor"
import { useDraft } from "../../documents/use-draft"
import { setStatus } from "../../documents/use-steps"
import { confirm } from "../../parts/confirm"
import { tellDone } from "../../parts/tell"
import { t } from "../../texts"

type Props = {
  /** The draft; null for a new invoice. */
  invoice: Invoice | null
  /** The customer of a new invoice, if known. */
  customer?: Customer
}

/** Edits and issues a draft. */
export function InvoiceEditor({ invoice, customer }: Props) {
  const state = useInvoiceDraft({ invoice, customer })
  const issue = async () => {
    const question = {
      title: t(($) => $.invoices.confirmIssue),
      text: t(($) => $.invoices.confirmIssueText),
      action: t(($) => $.invoices.issue),
      isDangerous: false,
    }
    if (await confirm(question)) await state.saveAndFinalize()
  }
  return (
    <DraftEditor
      kind="invoices"
      record={invoice}
      customer={customer}
      state={state}
      finalize={{ label: t(($) => $.invoices.issue), onClick: issue }}
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
  return useDraft({
    kind: "invoices",
    record: invoice,
    valuesOf: (from) => valuesOf(from, customer, company),
    // A new invoice is created and issued in one request. If it is rejected, no draft is left.
    finalBody: invoice ? undefined : { status: "unpaid" },
    finalize: (saved) =>
      withinCredit(role, { document: "invoice", action: t(($) => $.invoices.issueAnyway) }, (override) =>
        setStatus("invoices", saved, { status: "unpaid", ...(override ? { override } : {}) }),
      ),
    onDone: (saved, outcome) => {
      if (outcome === "kept") return
      tellDone(
        saved.status === "draft"
          ? t(($) => $.invoices.draftSaved)
          : t(($) => $.invoices.wasIssued, { number: saved.invoiceNumber ?? "" }),
      )
      if (!invoice) go(`/invoices/${saved.id}`, { replace: true })
    },
  })
}

/** A supply date that is the invoice date is empty, because it follows the invoice date. */
const valuesOf = (invoice: Invoice | null, customer: Customer | undefined, company: Me["company"]) => ({
  ...documentValues(invoice, customer, company),
  invoiceDate: invoice?.invoiceDate ?? company.today,
  supplyDate: invoice && invoice.supplyDate !== invoice.invoiceDate ? invoice.supplyDate : null,
})
