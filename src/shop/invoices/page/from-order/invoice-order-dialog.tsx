import { SimpleGrid, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useRef } from "react"
import { useLocation } from "wouter"
import { priceDigits, roundedTo } from "../../../../shared/decimal"
import { useMe } from "../../../../console/api/hooks"
import type { Invoice, OrderLine, SalesOrder, Warning } from "../../../../console/api/types"
import { DayInput } from "../../../../console/forms/day-input"
import { unitOf } from "../../../../trade/page/in-words"
import { inputOf, LinesToTake, takenOf, type Taking } from "../../../../trade/page/lines/lines-to-take"
import { Note } from "../../../../trade/page/view/note"
import { type StockHint, stockHints } from "../../../../trade/page/lines/stock"
import { useLineItems } from "../../../../trade/page/lines/use-line-items"
import { useCreateForm } from "../../../../console/forms/use-create-form"
import { number } from "../../../../console/format"
import { tellDone } from "../../../../console/parts/tell"
import { t as common } from "../../../../console/texts"
import { useAlsoSend } from "../../../../trade/page/mail/also-send"
import { CreateDialog } from "../../../../trade/page/mail/create-dialog"
import { t as mailTexts } from "../../../../trade/page/mail/texts"
import { Summary, useDryRun } from "./try-invoice"
import { t } from "../texts"

type Props = { order: SalesOrder; onClose: () => void }

type Values = Taking & {
  invoiceDate: string
  supplyDate: string | null
  /** Empty if the payment terms set it. */
  dueDate: string | null
  buyerReference: string
}

/** Invoices a submitted order, completely or partially. Once goods are delivered, or if only these are invoiced, it opens when they are known. */
export function InvoiceOrderDialog(props: Props) {
  const { invoiceFrom } = useMe().company
  const { find, isLoading } = useLineItems(props.order.items.flatMap(({ item }) => item ?? []))
  const { deliveryStatus } = props.order
  const rest = (whole: number, line: OrderLine) =>
    Math.max(0, roundedTo(whole - line.invoicedQuantity, priceDigits))
  const isGoods = ({ item }: OrderLine) => item !== null && find(item)?.itemType !== "Service"
  const deliveredOf: LeftOf = (line) => rest(isGoods(line) ? line.deliveredQuantity : line.quantity, line)
  const leftOf: LeftOf = (line) =>
    invoiceFrom === "delivered" ? deliveredOf(line) : rest(line.quantity, line)
  const proposed = deliveryStatus === "not_delivered" ? leftOf : deliveredOf
  const isKnown = (invoiceFrom === "ordered" && deliveryStatus === "not_delivered") || !isLoading
  return isKnown && <Dialog {...props} leftOf={leftOf} proposed={proposed} />
}

/** Returns what may be invoiced of a line, and what is proposed: once something is delivered, what is delivered. */
type Quantities = { leftOf: LeftOf; proposed: LeftOf }

function Dialog({ order, onClose, leftOf, proposed }: Props & Quantities) {
  const open = order.items.filter((line) => leftOf(line) > 0)
  const { tried, ...state } = useOrderInvoice({ order, open, onClose, leftOf, proposed })
  const isDelivered = order.deliveryStatus !== "not_delivered"
  const { form } = state
  const hints = useHints(open, form.values)
  return (
    <CreateDialog
      title={t(($) => $.invoiceOrder, { number: order.orderNumber })}
      state={state}
      submit={t(($) => $.create)}
      andSend={mailTexts(($) => $.createAndSend)}
      source={order}
      onClose={onClose}
      size="xl"
    >
      <HeadFields form={form} />
      <LinesToTake
        lines={order.items}
        form={form}
        shown={isDelivered ? ["ordered", "delivered", "invoiced"] : ["ordered", "invoiced"]}
        title={t(($) => $.invoiceNow)}
        labelOf={(item) => t(($) => $.quantityNow, { item })}
        below={(line) => <Shortage hint={hints[open.indexOf(line)] ?? null} />}
      />
      <div aria-live="polite">
        <Summary order={order} tried={tried} text={t(($) => $.confirmIssueText)} />
      </div>
    </CreateDialog>
  )
}

/** Says that less is on hand than what is invoiced. */
const Shortage = ({ hint }: { hint: StockHint }) =>
  hint?.isShort && (
    <Note>
      {t(($) => $.inStock, { quantity: number(hint.available), uom: unitOf(hint.uom, hint.available) })}
    </Note>
  )

const HeadFields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>
    <DayInput label={common(($) => $.fields.invoiceDate)} required {...form.getInputProps("invoiceDate")} />
    <DayInput
      label={common(($) => $.fields.supplyDate)}
      placeholder={t(($) => $.supplyDateHint)}
      clearable
      {...form.getInputProps("supplyDate")}
    />
    <DayInput
      label={common(($) => $.fields.dueDate)}
      placeholder={t(($) => $.beforeIssue.byTerms)}
      clearable
      {...form.getInputProps("dueDate")}
    />
    <TextInput
      label={common(($) => $.fields.buyerReference)}
      maxLength={100}
      {...form.getInputProps("buyerReference")}
    />
  </SimpleGrid>
)

/** What is on hand for each open line. The order has reserved stock for itself, so what is reserved does not count. */
function useHints(open: OrderLine[], { now }: Values): StockHint[] {
  const { find } = useLineItems(open.flatMap(({ item }) => item ?? []))
  const lines = open.map(({ id, item }) => ({ item: item ?? "", quantity: now[id] ?? 0 }))
  return stockHints(lines, (id) => {
    const item = find(id)
    return item && { ...item, availableStock: item.currentStock }
  })
}

/** `open` contains the lines that are not fully invoiced. */
function useOrderInvoice({
  order,
  open,
  onClose,
  leftOf,
  proposed,
}: Props & Quantities & { open: OrderLine[] }) {
  const { today } = useMe().company
  const [, go] = useLocation()
  const known = useRef<readonly Warning[]>([])
  const sending = useAlsoSend()
  const state = useCreateForm<Invoice, Values>({
    path: "/invoices/from-order",
    initialValues: {
      invoiceDate: today,
      supplyDate: order.deliveryDate,
      dueDate: null,
      buyerReference: order.buyerReference ?? "",
      now: Object.fromEntries(open.map((line) => [line.id, proposed(line) || ""])),
    },
    bodyOf: (values) => ({ ...bodyOf(order, open, values, leftOf), ...sending.part() }),
    check: (values) => (takenOf(open, values).length === 0 ? t(($) => $.noQuantity) : null),
    fieldOf: (field, values) => inputOf(field, takenOf(open, values)),
    known: () => known.current,
    onCreated: ({ id, invoiceNumber }) => {
      tellDone(t(($) => $.wasCreated, { number: invoiceNumber ?? "" }))
      onClose()
      go(`/invoices/${id}`)
    },
  })
  const tried = useDryRun("/invoices/from-order", bodyOf(order, open, state.form.values, leftOf))
  known.current = tried.data?.warnings ?? []
  return { ...sending.of(state), tried }
}

const bodyOf = (order: SalesOrder, open: OrderLine[], values: Values, leftOf: LeftOf) => ({
  salesOrder: order.id,
  invoiceDate: values.invoiceDate || null,
  supplyDate: values.supplyDate || values.invoiceDate || null,
  dueDate: values.dueDate || null,
  buyerReference: values.buyerReference || null,
  items: isEverything(open, values, leftOf) ? null : takenOf(open, values),
})

/** Returns the quantity left to invoice, rounded to the decimals of quantities. */
type LeftOf = (line: OrderLine) => number

const isEverything = (open: OrderLine[], { now }: Values, leftOf: LeftOf): boolean =>
  open.every((line) => now[line.id] === leftOf(line))
