import { SegmentedControl, SimpleGrid, Stack } from "@mantine/core"
import { useRef } from "react"
import { useLocation } from "wouter"
import { useMay, useMe } from "../../../../console/api/hooks"
import type { Invoice, SalesOrder, Warning } from "../../../../console/api/types"
import { DayInput } from "../../../../console/forms/day-input"
import { MoneyField, NumberField } from "../../../../console/forms/number-field"
import { useCreateForm } from "../../../../console/forms/use-create-form"
import { digitsOf, money } from "../../../../console/format"
import { tellDone } from "../../../../console/parts/tell"
import { t as common } from "../../../../console/texts"
import { roundedTo } from "../../../../shared/decimal"
import { useAlsoSend } from "../../../../trade/page/mail/also-send"
import { CreateDialog } from "../../../../trade/page/mail/create-dialog"
import { t as mailTexts } from "../../../../trade/page/mail/texts"
import { Summary, useDryRun } from "../../page/from-order/try-invoice"
import { t as invoiceTexts } from "../../page/texts"
import { t } from "./texts"

type Props = { order: SalesOrder; onClose: () => void }

type Values = {
  by: "percent" | "amount"
  percent: number | string
  amount: number | string
  invoiceDate: string
  /** Empty if the payment terms set it. */
  dueDate: string | null
}

/** What of an order can still be asked for with deposits. */
const leftOf = ({ total, invoicedTotal, depositTotal, deductedTotal, currency }: SalesOrder): number =>
  Math.max(0, roundedTo(total - invoicedTotal - depositTotal + deductedTotal, digitsOf(currency)))

/** True if the user may ask for a deposit on an order, and something of it is left. */
export function useMayAsk(order: SalesOrder): boolean {
  const may = useMay()("invoices", "write")
  return may && order.status === "submitted" && leftOf(order) > 0
}

/** Asks for a deposit on an order: a percentage or an amount. The server calculates it before it is created. */
export function DepositDialog({ order, onClose }: Props) {
  const { tried, ...state } = useDeposit({ order, onClose })
  const { form } = state
  return (
    <CreateDialog
      title={t(($) => $.requestOf, { number: order.orderNumber })}
      state={state}
      submit={t(($) => $.create)}
      andSend={mailTexts(($) => $.createAndSend)}
      source={order}
      onClose={onClose}
    >
      <Stack gap="xs" align="flex-start">
        <SegmentedControl
          aria-label={t(($) => $.share)}
          data={(["percent", "amount"] as const).map((value) => ({ value, label: t(($) => $[value]) }))}
          {...form.getInputProps("by")}
        />
        {form.values.by === "percent" ? (
          <NumberField
            key="percent"
            label={t(($) => $.percent)}
            required
            data-autofocus
            {...form.getInputProps("percent")}
          />
        ) : (
          <MoneyField
            key="amount"
            label={t(($) => $.amount)}
            description={t(($) => $.atMost, { amount: money(leftOf(order), order.currency) })}
            required
            {...form.getInputProps("amount")}
          />
        )}
      </Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DayInput
          label={common(($) => $.fields.invoiceDate)}
          required
          {...form.getInputProps("invoiceDate")}
        />
        <DayInput
          label={common(($) => $.fields.dueDate)}
          placeholder={invoiceTexts(($) => $.beforeIssue.byTerms)}
          clearable
          {...form.getInputProps("dueDate")}
        />
      </SimpleGrid>
      <div aria-live="polite">
        <Summary order={order} tried={tried} text={t(($) => $.whatFollows)} />
      </div>
    </CreateDialog>
  )
}

function useDeposit({ order, onClose }: Props) {
  const { today } = useMe().company
  const [, go] = useLocation()
  const known = useRef<readonly Warning[]>([])
  const sending = useAlsoSend()
  const path = `/sales-orders/${order.id}/deposit-invoices`
  const state = useCreateForm<Invoice, Values>({
    path,
    initialValues: { by: "percent", percent: 30, amount: "", invoiceDate: today, dueDate: null },
    bodyOf: (values) => ({ ...bodyOf(values), ...sending.part() }),
    known: () => known.current,
    onCreated: ({ id, invoiceNumber }) => {
      tellDone(t(($) => $.wasCreated, { number: invoiceNumber ?? "" }))
      onClose()
      go(`/invoices/${id}`)
    },
  })
  const { values } = state.form
  const tried = useDryRun(path, bodyOf(values), values[values.by] !== "")
  known.current = tried.data?.warnings ?? []
  return { ...sending.of(state), tried }
}

const bodyOf = ({ by, invoiceDate, dueDate, ...values }: Values) => ({
  [by]: values[by] === "" ? null : values[by],
  invoiceDate: invoiceDate || null,
  dueDate: dueDate || null,
})
