import { Text } from "@mantine/core"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { MoneyField } from "../../../console/forms/number-field"
import { SuggestInput } from "../../../console/forms/search-select"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { date, money } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { correctionRoles } from "../../../shared/rights"
import { PartRow } from "../../../trade/page/view/part-list"
import { t } from "./texts"

type WriteOff = Invoice["writeOffs"][number]
type Values = { amount: number | string; reason: string; writeOffDate: string }
type Props = { invoice: Invoice; onClose: () => void }

/** True if the user may write off what is left to pay of an invoice, and something is left. */
export function useMayWriteOff({ status, balance }: Invoice): boolean {
  const { role } = useMe()
  const may = useMay()
  const isOwed = balance > 0 && status !== "draft" && status !== "cancelled"
  return isOwed && may("invoices", "write") && correctionRoles.includes(role)
}

/** Writes off what is left to pay of an invoice, or a part of it. */
export function WriteOffDialog({ invoice, onClose }: Props) {
  const { invoiceNumber, balance, currency, isOpening } = invoice
  const state = useWriteOffForm({ invoice, onClose })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.writeOffOf, { number: invoiceNumber ?? "" })}
      state={state}
      submit={t(($) => $.writeOff)}
      onClose={onClose}
      size="md"
    >
      <Text size="sm" c="dimmed">
        {t(($) => $.writeOffText)} {!isOpening && t(($) => $.writeOffTax)}
      </Text>
      <MoneyField
        label={common(($) => $.fields.amount)}
        description={t(($) => $.balance, { amount: money(balance, currency) })}
        required
        {...form.getInputProps("amount")}
      />
      <SuggestInput
        label={common(($) => $.fields.reason)}
        data={reasons}
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <DayInput label={t(($) => $.date)} required isPast {...form.getInputProps("writeOffDate")} />
    </FormDialog>
  )
}

const reasons = Object.values(t(($) => $.writeOffReasons, { returnObjects: true }))

function useWriteOffForm({ invoice: { id, balance, currency, invoiceDate }, onClose }: Props) {
  const { today } = useMe().company
  return useCreateForm<WriteOff, Values>({
    path: `/invoices/${id}/write-offs`,
    initialValues: {
      amount: balance,
      reason: "",
      writeOffDate: invoiceDate > today ? invoiceDate : today,
    },
    onCreated: ({ amount }) => {
      tellDone(t(($) => $.wasWrittenOff, { amount: money(amount, currency) }))
      onClose()
    },
  })
}

/** The write-offs of an invoice, below its payments. */
export function WriteOffRows({ invoice }: { invoice: Invoice }) {
  const mayVoid = useMay()("invoices", "delete")
  const { id, version, currency } = invoice
  return invoice.writeOffs.map((writeOff) => {
    const amount = money(writeOff.amount, currency)
    return (
      <PartRow
        key={writeOff.id}
        id={writeOff.id}
        title={t(($) => $.writtenOffOn, { date: date(writeOff.writeOffDate) })}
        text={writeOff.reason}
        amount={amount}
        removal={
          mayVoid && {
            path: `/invoices/${id}/write-offs/${writeOff.id}`,
            version,
            label: t(($) => $.voidWriteOff, { amount }),
            question: {
              title: t(($) => $.confirmVoidWriteOff, { amount }),
              text: t(($) => $.confirmVoidWriteOffText),
            },
            done: t(($) => $.writeOffVoided, { amount }),
          }
        }
      />
    )
  })
}
