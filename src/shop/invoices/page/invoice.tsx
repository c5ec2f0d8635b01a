import { Stack } from "@mantine/core"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Customer, Invoice } from "../../../console/api/types"
import { useHeld } from "../../../console/forms/unsaved"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { InvoiceBadges, InvoiceCheck, IssuedInvoice, invoiceFacts, OfRecurring } from "./issued-invoice"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { RecordPage } from "../../../trade/page/record-page"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { DayInput } from "../../../console/forms/day-input"
import { documentPage } from "../../../trade/page/document-page"
import { DraftEditor } from "../../../trade/page/draft/draft-editor"
import { useCopied } from "../../../trade/page/draft/use-copied"
import { askBeforeIssue } from "./ask-before-issue"

/** The page of an invoice: the form of a draft if the user may update it, or a read-only view. */
export default documentPage({
  kind: "invoices",
  create: {
    title: t(($) => $.new),
    onlyFor: t(($) => $.onlyFor),
    form: (customer) => <NewInvoice customer={customer} />,
  },
  show: (invoice) => <Existing invoice={invoice} />,
})

function NewInvoice({ customer }: { customer: Customer | undefined }) {
  const { id, copied, isLoading } = useCopied("invoices")
  return !isLoading && <InvoiceEditor key={id} invoice={null} customer={customer} copied={copied} />
}

function Existing({ invoice }: { invoice: Invoice }) {
  const mayWrite = useMay()("invoices", "write")
  const isDraft = useHeld(invoice.status) === "draft"
  return isDraft && mayWrite ? <DraftInvoice invoice={invoice} /> : <IssuedInvoice invoice={invoice} />
}

/** The page of a draft invoice. The form has the main action, issuing it. */
function DraftInvoice({ invoice }: { invoice: Invoice }) {
  const { id, version, customerName } = invoice
  const may = useMay()
  const { today } = useMe().company
  const duplicate = useDuplicate("/invoices", id)
  const removal = useDelete({
    kind: "invoices",
    id,
    version,
    name: t(($) => $.thisDraft),
    deleted: t(($) => $.draftDeleted),
    to: "/invoices",
  })
  return (
    <RecordPage
      kind="invoices"
      record={invoice}
      title={t(($) => $.draftFor, { customer: customerName })}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<PdfButton kind="invoices" id={id} />}
      more={{ actions: [duplicate, may("invoices", "delete") && removal.action], isBusy: removal.isBusy }}
      aside={<InvoiceCheck invoice={invoice} isEditable />}
      isWide
    >
      <Stack>
        <OfRecurring invoice={invoice} />
        <InvoiceEditor invoice={invoice} />
      </Stack>
    </RecordPage>
  )
}

type Props = {
  /** The draft; null for a new invoice. */
  invoice: Invoice | null
  /** The customer of a new invoice, if known. */
  customer?: Customer
  /** The invoice from which a new one is filled. */
  copied?: Invoice | null
}

/** Edits and issues a draft. */
const InvoiceEditor = ({ invoice, customer, copied }: Props) => (
  <DraftEditor
    kind="invoices"
    record={invoice}
    customer={customer}
    copied={copied}
    // A supply date that is the invoice date is empty, because it follows the invoice date.
    ownValues={(from, { today }) => ({
      invoiceDate: from?.invoiceDate ?? today,
      supplyDate: from && from.supplyDate !== from.invoiceDate ? from.supplyDate : null,
    })}
    finalize={{
      status: "unpaid",
      credit: { document: "invoice", anyway: t(($) => $.issueAnyway) },
      ask: askBeforeIssue,
    }}
    finalizeLabel={t(($) => $.issue)}
    told={({ status, version, invoiceNumber }, outcome) => {
      // The user kept a draft without changes.
      if (outcome === "kept" && version === invoice?.version) return null
      return status === "draft"
        ? t(($) => $.draftSaved)
        : t(($) => $.wasIssued, { number: invoiceNumber ?? "" })
    }}
    dates={(form) => (
      <DayInput label={common(($) => $.fields.invoiceDate)} required {...form.getInputProps("invoiceDate")} />
    )}
    supplyDate={(form) => (
      <DayInput
        label={common(($) => $.fields.supplyDate)}
        description={t(($) => $.supplyDateHint)}
        clearable
        {...form.getInputProps("supplyDate")}
      />
    )}
  />
)
