import { useMe } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { MoneyField } from "../../../console/forms/money-field"
import { SearchSelect } from "../../../console/forms/search-select"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { date, money } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import type { OpenInvoice } from "../../payments/page/open-invoices"

type Props = {
  note: CreditNote
  /** The open invoices of the customer, the oldest first. */
  invoices: OpenInvoice[]
  onClose: () => void
}
type Values = { invoice: string | null; amount: number | string; applicationDate: string }

/** Pays an open invoice of the customer with what is left of a credit note. */
export function ApplyDialog({ note, invoices, onClose }: Props) {
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
      title={t(($) => $.creditNotes.applyNote, { number: note.creditNoteNumber })}
      state={state}
      submit={t(($) => $.creditNotes.apply)}
      onClose={onClose}
      size="md"
    >
      <SearchSelect
        label={t(($) => $.fields.invoice)}
        data={invoices.map((invoice) => ({ value: invoice.id, label: labelOf(invoice, note.currency) }))}
        required
        data-autofocus
        {...form.getInputProps("invoice")}
        onChange={choose}
      />
      <MoneyField
        label={t(($) => $.fields.amount)}
        description={t(($) => $.creditNotes.unapplied, { amount: money(note.unapplied, note.currency) })}
        required
        {...form.getInputProps("amount")}
      />
      <DayInput label={t(($) => $.invoices.date)} required {...form.getInputProps("applicationDate")} />
    </FormDialog>
  )
}

const labelOf = ({ invoiceNumber, balance, dueDate }: OpenInvoice, currency: string): string =>
  t(($) => $.creditNotes.openOf, {
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
      tellDone(t(($) => $.creditNotes.wasApplied, { amount: applied, invoice: invoiceNumber }))
      onClose()
    },
  })
}
