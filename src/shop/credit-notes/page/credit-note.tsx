import { Alert, Button, Stack } from "@mantine/core"
import { useMay, useMe } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { CustomerLink, Entry, Parties, InvoiceLink } from "../../../trade/page/view/parties"
import { documentPage, OpenFields } from "../../../trade/page/document-page"
import { DocumentLines } from "../../../trade/page/lines/document-lines"
import { date, money } from "../../../console/format"
import { type HeaderFact, RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { howPaid } from "../../../trade/page/suggestions"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as eInvoiceTexts } from "../../../trade/page/papers/e-invoice-texts"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t as invoiceTexts } from "../../invoices/page/texts"
import { tellDone } from "../../../console/parts/tell"
import { EInvoicePanel } from "../../../trade/page/papers/e-invoice-panel"
import { type Part, PartList, type Removal } from "../../../trade/page/view/part-list"
import { TotalsBox } from "../../../trade/page/view/totals-box"
import { IconArrowForwardUp, IconCashBanknote } from "../../../console/parts/icons"
import { useState } from "react"
import { correctionRoles } from "../../../shared/rights"
import { SendAction } from "../../../trade/page/mail/send-action"
import { sentFact } from "../../../trade/page/mail/sent"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { type OpenInvoice, useOpenInvoices } from "../../payments/page/open-invoices"
import { RefundDialog } from "./refund-dialog"
import { DayInput } from "../../../console/forms/day-input"
import { MoneyField } from "../../../console/forms/number-field"
import { SearchSelect } from "../../../console/forms/search-select"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"

export default documentPage({ kind: "credit-notes", show: (note) => <Issued note={note} /> })

/** The page of a credit note. Only its notes can change, and how it is used. */
const Issued = ({ note }: { note: CreditNote }) => (
  <RecordPage
    kind="credit-notes"
    record={note}
    title={note.creditNoteNumber}
    badge={<StatusBadge status={note.status} />}
    facts={factsOf(note)}
    actions={<CreditNoteActions note={note} />}
    aside={<CreditNoteAccount note={note} />}
  >
    <Stack>
      {note.isCancellation && (
        <Alert color="gray">{t(($) => $.ofCancellation, { invoice: note.invoiceNumber })}</Alert>
      )}
      <Parties of={note}>
        <Reason note={note} />
      </Parties>
      <DocumentLines of={note} />
      <CreditNoteNotes note={note} />
    </Stack>
  </RecordPage>
)

/** What a person looks for first on a credit note. */
const factsOf = (note: CreditNote): (HeaderFact | false)[] => [
  { label: common(($) => $.fields.customer), value: <CustomerLink of={note} /> },
  { label: common(($) => $.fields.invoice), value: <InvoiceLink of={note} /> },
  { label: common(($) => $.fields.total), value: money(note.total, note.currency), isStrong: true },
  note.unapplied > 0 && {
    label: common(($) => $.fields.unapplied),
    value: money(note.unapplied, note.currency),
    isStrong: true,
  },
  { label: common(($) => $.fields.creditNoteDate), value: date(note.creditNoteDate) },
  sentFact(note),
]

/** Why a credit note was issued, and what happened to the goods. */
const Reason = ({ note }: { note: CreditNote }) => (
  <div>
    <Entry label={common(($) => $.fields.reason)}>{note.reason}</Entry>
    {!note.isCancellation && (
      <Entry label={t(($) => $.goods)}>{t(($) => (note.restock ? $.goodsReturned : $.goodsKept))}</Entry>
    )}
    {note.buyerReference && (
      <Entry label={common(($) => $.fields.buyerReference)}>{note.buyerReference}</Entry>
    )}
  </div>
)

/** The notes of a credit note, the only field that can be updated. */
function CreditNoteNotes({ note }: { note: CreditNote }) {
  const isReadOnly = !useMay()("invoices", "write")
  return (
    <OpenFields
      kind="credit-notes"
      record={note}
      name={note.creditNoteNumber}
      isReadOnly={isReadOnly}
      hint={isReadOnly ? undefined : tradeTexts(($) => $.documents.filesKeepValue)}
    />
  )
}

/** The totals of a credit note, and how it was used. */
function CreditNoteAccount({ note }: { note: CreditNote }) {
  const mayVoid = useMay()("invoices", "delete")
  const { total, appliedToInvoice } = note
  return (
    <>
      <TotalsBox {...note} more={usesOf(note)} />
      {total > appliedToInvoice && (
        <>
          <PartList
            title={t(($) => $.applications)}
            none={t(($) => $.noApplications)}
            parts={applicationsOf(note, mayVoid)}
          />
          <PartList
            title={common(($) => $.fields.refunds)}
            none={t(($) => $.noRefunds)}
            parts={refundsOf(note, mayVoid)}
          />
        </>
      )}
      <EInvoicePanel
        kind="credit-notes"
        id={note.id}
        isIssued
        document={{ ...note, path: `/credit-notes/${note.id}`, isEditable: false }}
        advice={eInvoiceTexts(($) => $.issued["credit-notes"])}
      />
    </>
  )
}

/** How the total was used, and what is left of it. */
const usesOf = ({ invoiceNumber, appliedToInvoice, applied, refunded, unapplied }: CreditNote) => [
  ...[
    { label: t(($) => $.tookOff, { invoice: invoiceNumber }), amount: appliedToInvoice },
    { label: common(($) => $.fields.applied), amount: applied },
    { label: common(($) => $.fields.refunded), amount: refunded },
  ].filter(({ amount }) => amount > 0),
  { label: common(($) => $.fields.unapplied), amount: unapplied, isStrong: true },
]

const applicationsOf = (note: CreditNote, mayVoid: boolean): Part[] =>
  note.applications.map((application) => {
    const amount = money(application.amount, note.currency)
    return {
      id: application.id,
      title: <InvoiceLink of={application} />,
      text: date(application.applicationDate),
      amount,
      removal: mayVoid && applicationRemoval(application, amount, note.version),
    }
  })

const refundsOf = (note: CreditNote, mayVoid: boolean): Part[] =>
  note.refunds.map(({ id, amount: refunded, refundDate, method, reference }) => {
    const amount = money(refunded, note.currency)
    return {
      id,
      title: date(refundDate),
      text: howPaid({ method, reference }),
      amount,
      removal: mayVoid && refundRemoval(`/credit-notes/${note.id}`, id, amount, note.version),
    }
  })

type Use = "apply" | "refund"

/** The files of a credit note, and using what is left of it. */
function CreditNoteActions({ note }: { note: CreditNote }) {
  const mayWrite = useMay()("invoices", "write")
  const [use, setUse] = useState<Use | null>(null)
  const { data: open } = useOpenInvoices(mayWrite && note.unapplied > 0 ? note.customer : "")
  const close = () => setUse(null)
  return (
    <>
      <SendAction kind="credit-notes" document={note} number={note.creditNoteNumber} isIssued />
      <PdfButton kind="credit-notes" id={note.id} isIssued />
      {mayWrite && note.unapplied > 0 && open && <Uses hasOpen={open.length > 0} onUse={setUse} />}
      {/* A dialog stays open if somebody else has just used the credit note, to show the error. */}
      {use === "apply" && <ApplyDialog note={note} invoices={open ?? []} onClose={close} />}
      {use === "refund" && <Refund note={note} onClose={close} />}
    </>
  )
}

/** The main action is to apply the credit note if the customer has open invoices, otherwise to refund it. */
function Uses({ hasOpen, onUse }: { hasOpen: boolean; onUse: (use: Use) => void }) {
  const { role } = useMe()
  return (
    <>
      {correctionRoles.includes(role) && (
        <Button
          variant={hasOpen ? "default" : "filled"}
          leftSection={<IconCashBanknote size={16} />}
          onClick={() => onUse("refund")}
        >
          {t(($) => $.refund)}
        </Button>
      )}
      {hasOpen && (
        <Button leftSection={<IconArrowForwardUp size={16} />} onClick={() => onUse("apply")}>
          {t(($) => $.apply)}
        </Button>
      )}
    </>
  )
}

function Refund({ note, onClose }: { note: CreditNote; onClose: () => void }) {
  const { id, creditNoteNumber, unapplied, currency, creditNoteDate } = note
  const label = t(($) => $.unapplied, { amount: money(unapplied, currency) })
  return (
    <RefundDialog
      of={`/credit-notes/${id}`}
      name={creditNoteNumber}
      left={{ amount: unapplied, label }}
      currency={currency}
      from={creditNoteDate}
      onClose={onClose}
    />
  )
}

type Props = {
  note: CreditNote
  /** The open invoices of the customer, the oldest first. */
  invoices: OpenInvoice[]
  onClose: () => void
}
type Values = { invoice: string | null; amount: number | string; applicationDate: string }

/** Pays an open invoice of the customer with what is left of a credit note. */
function ApplyDialog({ note, invoices, onClose }: Props) {
  const state = useApplyForm({ note, invoices, onClose })
  const { form } = state
  const choose = (id: string | null) =>
    form.setValues({
      invoice: id,
      amount: proposalFor(
        note,
        invoices.find((each) => each.id === id),
      ),
    })
  return (
    <FormDialog
      title={t(($) => $.applyNote, { number: note.creditNoteNumber })}
      state={state}
      submit={t(($) => $.apply)}
      onClose={onClose}
      size="md"
    >
      <SearchSelect
        label={common(($) => $.fields.invoice)}
        data={invoices.map((invoice) => ({ value: invoice.id, label: labelOf(invoice, note.currency) }))}
        required
        data-autofocus
        {...form.getInputProps("invoice")}
        onChange={choose}
      />
      <MoneyField
        label={common(($) => $.fields.amount)}
        description={t(($) => $.unapplied, { amount: money(note.unapplied, note.currency) })}
        required
        {...form.getInputProps("amount")}
      />
      <DayInput
        label={invoiceTexts(($) => $.date)}
        required
        isPast
        {...form.getInputProps("applicationDate")}
      />
    </FormDialog>
  )
}

const labelOf = ({ invoiceNumber, balance, dueDate }: OpenInvoice, currency: string): string =>
  t(($) => $.openOf, {
    number: invoiceNumber ?? "",
    amount: money(balance, currency),
    date: date(dueDate),
  })

/** As much as the invoice needs and the credit note has left. */
const proposalFor = ({ unapplied }: CreditNote, invoice: OpenInvoice | undefined): number =>
  Math.min(unapplied, invoice?.balance ?? unapplied)

function useApplyForm({ note, invoices, onClose }: Props) {
  const { today } = useMe().company
  const [first] = invoices
  return useCreateForm<CreditNote["applications"][number], Values>({
    path: `/credit-notes/${note.id}/applications`,
    initialValues: {
      invoice: first?.id ?? null,
      amount: proposalFor(note, first),
      applicationDate: note.creditNoteDate > today ? note.creditNoteDate : today,
    },
    onCreated: ({ amount, invoiceNumber }) => {
      const applied = money(amount, note.currency)
      tellDone(t(($) => $.wasApplied, { amount: applied, invoice: invoiceNumber }))
      onClose()
    },
  })
}

type Application = CreditNote["applications"][number]

/** How an application is voided. `version` is that of the credit note, where it is known. */
export const applicationRemoval = (
  { id, creditNote, creditNoteNumber, invoiceNumber }: Application,
  amount: string,
  version?: number,
): Removal => ({
  path: `/credit-notes/${creditNote}/applications/${id}`,
  version,
  label: t(($) => $.voidApplication, { amount, invoice: invoiceNumber }),
  question: {
    title: t(($) => $.confirmVoidApplication, { amount }),
    text: t(($) => $.confirmVoidApplicationText, {
      invoice: invoiceNumber,
      creditNote: creditNoteNumber,
    }),
  },
  done: t(($) => $.applicationVoided, { amount }),
})

/** How a refund is voided. `of` is the API path of the credit note or of the payment. */
export const refundRemoval = (of: string, id: string, amount: string, version: number): Removal => ({
  path: `${of}/refunds/${id}`,
  version,
  label: t(($) => $.voidRefund, { amount }),
  question: {
    title: t(($) => $.confirmVoidRefund, { amount }),
    text: t(($) => $.confirmVoidRefundText),
  },
  done: t(($) => $.refundVoided, { amount }),
})
