import { useLocation } from "wouter"
import { useMe } from "../../api/hooks"
import type { Customer, Invoice } from "../../api/types"
import { withinCredit } from "../../documents/credit"
import { DayInput } from "../../documents/day-input"
import { DraftEditor } from "../../documents/draft-editor"
import { blankLine, lineOf } from "../../documents/line-values"
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
    />
  )
}

function useInvoiceDraft({ invoice, customer }: Props) {
  const { role, company } = useMe()
  const [, go] = useLocation()
  return useDraft({
    kind: "invoices",
    record: invoice,
    valuesOf: (from) => valuesOf(from, customer, company.today),
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

const valuesOf = (invoice: Invoice | null, customer: Customer | undefined, today: string) => ({
  customer: invoice?.customer ?? customer?.id ?? "",
  paymentTerms: (invoice ? invoice.paymentTerms : customer?.paymentTerms) ?? "",
  invoiceDate: invoice?.invoiceDate ?? today,
  notes: invoice?.notes ?? "",
  items: invoice ? invoice.items.map(lineOf) : [blankLine()],
})
