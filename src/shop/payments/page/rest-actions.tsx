import { Button, Group, Modal, Text } from "@mantine/core"
import { useRef, useState } from "react"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import { money } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as creditNoteTexts } from "../../credit-notes/page/texts"
import { t as invoiceTexts } from "../../invoices/page/texts"
import { RefundDialog } from "../../credit-notes/page/refund-dialog"
import type { Payment } from "../../../console/api/types"
import { MoneyField } from "../../../console/forms/number-field"
import { SearchSelect } from "../../../console/forms/search-select"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { Loaded } from "../../../console/parts/page"
import { tellDone } from "../../../console/parts/tell"
import { dueOf, type OpenInvoice, useOpenInvoices } from "./open-invoices"

type Props = {
  payment: Rest
  /** True in a list, where the labels must say which payment they belong to. */
  isRow?: boolean
}

/** What a user can do with the rest of a payment: pay an invoice with it, or refund it. */
export function RestActions({ payment, isRow = false }: Props) {
  const { role, company } = useMe()
  const mayWrite = useMay()("invoices", "write")
  const [open, setOpen] = useState<"allocate" | "refund" | null>(null)
  const amount = money(payment.unallocated, company.currency)
  const size = isRow ? "xs" : "sm"
  if (!mayWrite) return null
  return (
    <Group gap="xs" mt={isRow ? 4 : 0}>
      <Button
        size={size}
        variant={isRow ? "default" : "filled"}
        aria-label={isRow ? t(($) => $.allocateLabel, { amount }) : undefined}
        onClick={() => setOpen("allocate")}
      >
        {t(($) => $.allocate)}
      </Button>
      {correctionRoles.includes(role) && (
        <Button
          size={size}
          variant="default"
          aria-label={isRow ? t(($) => $.refundLabel, { amount }) : undefined}
          onClick={() => setOpen("refund")}
        >
          {creditNoteTexts(($) => $.refund)}
        </Button>
      )}
      {open === "allocate" && <AllocateDialog payment={payment} onClose={() => setOpen(null)} />}
      {open === "refund" && <RefundRest payment={payment} onClose={() => setOpen(null)} />}
    </Group>
  )
}

function RefundRest({ payment, onClose }: { payment: Rest; onClose: () => void }) {
  const { currency } = useMe().company
  const { id, amount, unallocated, paymentDate } = payment
  return (
    <RefundDialog
      of={`/payments/${id}`}
      name={t(($) => $.inSentence, { amount: money(amount, currency) })}
      left={{
        amount: unallocated,
        label: t(($) => $.rest, { amount: money(unallocated, currency) }),
      }}
      currency={currency}
      from={paymentDate}
      onClose={onClose}
    />
  )
}

/** The payment whose rest is used. */
type Rest = Pick<Payment, "id" | "customer" | "customerName" | "paymentDate" | "amount" | "unallocated">
type AllocateDialogProps = { payment: Rest; onClose: () => void }

/** Pays an invoice with what is left of a payment. */
function AllocateDialog({ payment, onClose }: AllocateDialogProps) {
  const query = useOpenInvoices(payment.customer)
  // After saving, the invoices are read again. The dialog that is closing keeps the ones that it offered.
  const offered = useRef<OpenInvoice[] | undefined>(undefined)
  if (!query.isStale || query.isFetchedAfterMount) offered.current ??= query.data
  const invoices = offered.current
  if (invoices?.[0])
    return <AllocateForm payment={payment} onClose={onClose} invoices={invoices} oldest={invoices[0]} />
  return (
    <Modal opened onClose={onClose} title={t(($) => $.allocateTo)} size="md">
      <Loaded query={query}>
        {() => <Text>{t(($) => $.noneToAllocate, { customer: payment.customerName })}</Text>}
      </Loaded>
    </Modal>
  )
}

type FormProps = AllocateDialogProps & { invoices: OpenInvoice[]; oldest: OpenInvoice }

function AllocateForm({ payment, invoices, oldest, onClose }: FormProps) {
  const { currency } = useMe().company
  const state = useAllocation({ payment, invoices, oldest, onClose })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.allocateTo)}
      state={state}
      submit={t(($) => $.allocate)}
      onClose={onClose}
      size="md"
    >
      <SearchSelect
        label={common(($) => $.fields.invoice)}
        required
        data={invoices.map((invoice) => ({ value: invoice.id, label: nameOf(invoice, currency) }))}
        renderOption={({ option }) => <Option {...option} of={invoices} />}
        {...form.getInputProps("invoice")}
        onChange={(invoice) => {
          const chosen = invoices.find(({ id }) => id === invoice)
          if (chosen) form.setValues({ invoice: chosen.id, amount: partOf(chosen, payment) })
        }}
      />
      <MoneyField
        label={common(($) => $.fields.amount)}
        description={t(($) => $.rest, { amount: money(payment.unallocated, currency) })}
        required
        data-autofocus
        {...form.getInputProps("amount")}
      />
    </FormDialog>
  )
}

function useAllocation({ payment, invoices, oldest, onClose }: FormProps) {
  const { currency } = useMe().company
  const state = useCreateForm<{ invoice: string }, { invoice: string; amount: number | string }>({
    path: `/payments/${payment.id}/allocations`,
    initialValues: { invoice: oldest.id, amount: partOf(oldest, payment) },
    onCreated: ({ invoice }) => {
      const number = invoices.find(({ id }) => id === invoice)?.invoiceNumber ?? ""
      // The created allocation also contains an earlier one to the same invoice.
      const amount = money(Number(state.form.values.amount), currency)
      tellDone(t(($) => $.wasAllocated, { amount, number }))
      onClose()
    },
  })
  return state
}

/** An invoice in the list, with its due date. */
const Option = ({ value, label, of }: { value: string; label: string; of: OpenInvoice[] }) => (
  <div>
    <Text size="sm">{label}</Text>
    {of
      .filter(({ id }) => id === value)
      .map((invoice) => (
        <Text key={invoice.id} size="xs" c="dimmed">
          {dueOf(invoice)}
        </Text>
      ))}
  </div>
)

/** The part of the rest that pays an invoice. */
const partOf = ({ balance }: OpenInvoice, { unallocated }: Rest): number => Math.min(balance, unallocated)

const nameOf = ({ invoiceNumber, balance }: OpenInvoice, currency: string): string =>
  `${invoiceNumber} · ${invoiceTexts(($) => $.openAmount, { amount: money(balance, currency) })}`
