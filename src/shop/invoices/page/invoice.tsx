import { useMay, useMe, useRecord } from "../../../console/api/hooks"
import type { Customer, Invoice, Me } from "../../../console/api/types"
import { NewDocument } from "../../../trade/page/new-document"
import { useHeld } from "../../../console/forms/unsaved"
import { Loaded, OnlyFor } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as eInvoiceTexts } from "../../../trade/page/e-invoice-texts"
import { InvoiceBadges, InvoiceCheck, IssuedInvoice } from "./issued-invoice"
import { PdfButton } from "../../../trade/page/pdf-button"
import { RecordPage } from "../../../trade/page/record-page"
import { useDelete } from "../../../console/parts/use-delete"
import { invoiceFacts } from "./invoice-facts"
import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { call, messageOf } from "../../../console/api/client"
import { withinCredit } from "../../../trade/page/credit"
import { DayInput } from "../../../console/forms/day-input"
import { documentValues } from "../../../trade/page/document-values"
import { DraftEditor } from "../../../trade/page/draft-editor"
import { useDraft } from "../../../trade/page/use-draft"
import { setStatus } from "../../../trade/page/use-steps"
import { tellDone } from "../../../console/parts/tell"
import { Text } from "@mantine/core"
import { type Check, checkPath } from "../../../trade/page/e-invoice-check"
import { MissingList } from "../../../trade/page/missing-list"
import { confirm } from "../../../console/parts/confirm"

const parent = { title: common(($) => $.kinds.invoices.title), href: "/invoices" }

/** The page of an invoice: the form of a draft if the user may update it, or a read-only view. */
export default function InvoicePage({ id }: { id: string }) {
  const query = useRecord("invoices", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="invoices"
        scope="write"
        title={t(($) => $.new)}
        parent={parent}
        sentence={t(($) => $.onlyFor)}
      >
        <NewDocument title={t(($) => $.new)} parent={parent}>
          {(customer) => <InvoiceEditor invoice={null} customer={customer} />}
        </NewDocument>
      </OnlyFor>
    )
  return <Loaded query={query}>{(invoice) => <Existing invoice={invoice} />}</Loaded>
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
      parent={{ title: common(($) => $.kinds.invoices.title), href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<PdfButton kind="invoices" id={id} />}
      more={{ actions: [may("invoices", "delete") && removal.action], isBusy: removal.isBusy }}
      aside={<InvoiceCheck invoice={invoice} isEditable />}
      isWide
    >
      <InvoiceEditor invoice={invoice} />
    </RecordPage>
  )
}

type Props = {
  /** The draft; null for a new invoice. */
  invoice: Invoice | null
  /** The customer of a new invoice, if known. */
  customer?: Customer
}

/** Edits and issues a draft. */
function InvoiceEditor({ invoice, customer }: Props) {
  const state = useInvoiceDraft({ invoice, customer })
  return (
    <DraftEditor
      kind="invoices"
      record={invoice}
      customer={customer}
      state={state}
      finalize={{ label: t(($) => $.issue), onClick: state.saveAndFinalize }}
      dates={
        <DayInput
          label={common(($) => $.fields.invoiceDate)}
          required
          {...state.form.getInputProps("invoiceDate")}
        />
      }
      supplyDate={
        <DayInput
          label={common(($) => $.fields.supplyDate)}
          description={t(($) => $.supplyDateHint)}
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
          ? t(($) => $.draftSaved)
          : t(($) => $.wasIssued, { number: saved.invoiceNumber ?? "" }),
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
  withinCredit(role, { document: "invoice", action: t(($) => $.issueAnyway) }, (override) =>
    setStatus("invoices", draft, { status: "unpaid", ...(override ? { override } : {}) }),
  )

/** A supply date that is the invoice date is empty, because it follows the invoice date. */
const valuesOf = (invoice: Invoice | null, customer: Customer | undefined, company: Me["company"]) => ({
  ...documentValues(invoice, customer, company),
  invoiceDate: invoice?.invoiceDate ?? company.today,
  supplyDate: invoice && invoice.supplyDate !== invoice.invoiceDate ? invoice.supplyDate : null,
})

/** Asks before a saved draft is issued, and says what it lacks for a valid e-invoice: this is the last moment to add it. */
async function confirmIssue(draft: Invoice): Promise<boolean> {
  const { data: check } = await call<Check>("GET", checkPath("invoices", draft.id))
  const answer = await confirm({
    title: t(($) => $.confirmIssue),
    text: (
      <>
        {t(($) => $.confirmIssueText)}
        {!check.valid && <Lacks draft={draft} check={check} />}
      </>
    ),
    action: t(($) => $.issue),
    isDangerous: false,
  })
  return answer !== null
}

const Lacks = ({ draft, check }: { draft: Invoice; check: Check }) => (
  <>
    <Text size="sm" my="xs">
      {eInvoiceTexts(($) => $.beforeIssue)}
    </Text>
    <MissingList missing={check.missing} lines={draft.items} />
  </>
)
