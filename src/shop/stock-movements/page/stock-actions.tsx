import { Button, Select, Textarea, Group } from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { useRef, useState } from "react"
import { Link, useLocation } from "wouter"
import { useMay } from "../../../console/api/hooks"
import type { Item, StockMovement } from "../../../console/api/types"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { ReceiptDialog } from "./receipt-dialog"
import type { UseFormReturnType } from "@mantine/form"
import type { GivenReason } from "../../../shared/suggestions"
import { NumberField } from "../../../console/forms/number-field"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { number } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { ItemPicker } from "./item-picker"
import { useDisclosure } from "@mantine/hooks"
import { messageOf } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { fieldMessage } from "../../../console/forms/field-errors"
import { priceDigits, roundedTo } from "../../../shared/decimal"
import type { Typed } from "../../../console/forms/number"

type Props = {
  /** The item that the dialogs begin with. */
  item?: Item | null
  /** False if another action is the main one at the moment. */
  isMain?: boolean
}

/** The actions that change the stock, for users with the right. */
export function StockActions({ item = null, isMain = true }: Props) {
  const mayWrite = useMay()("stock", "write")
  const [open, setOpen] = useState<"receipt" | "adjustment" | null>(null)
  const close = () => setOpen(null)
  // A service has no stock.
  const chosen = item?.itemType === "Service" ? null : item
  if (!mayWrite) return null
  return (
    <>
      <Button variant="default" component={Link} href="/stock/count">
        {t(($) => $.stockCount.title)}
      </Button>
      <Button variant="default" onClick={() => setOpen("adjustment")}>
        {t(($) => $.stock.adjust)}
      </Button>
      <Button
        variant={isMain ? "filled" : "default"}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpen("receipt")}
      >
        {t(($) => $.stock.receive)}
      </Button>
      {open === "receipt" && <ReceiptDialog item={chosen} onClose={close} />}
      {open === "adjustment" && <AdjustDialog item={chosen} onClose={close} />}
    </>
  )
}

const reasons: { value: GivenReason; label: string }[] = [
  { value: "adjustment", label: t(($) => $.stock.adjustment) },
  { value: "return", label: t(($) => $.stock.return) },
]

type AdjustDialogProps = { item: Item | null; onClose: () => void }
type Values = { item: string | null; quantity: number | string; reason: GivenReason; note: string }

/** Changes the stock of one item by a quantity. */
function AdjustDialog({ item, onClose }: AdjustDialogProps) {
  const state = useCreateForm<StockMovement, Values>({
    path: "/stock-movements",
    initialValues: { item: item?.id ?? null, quantity: "", reason: "adjustment", note: "" },
    onCreated: ({ balanceAfter }) => {
      tellDone(t(($) => $.stock.adjusted, { stock: number(balanceAfter) }))
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.stock.adjust)}
      state={state}
      submit={common(($) => $.common.save)}
      onClose={onClose}
      size="md"
    >
      <ItemAndQuantity form={form} item={item} />
      <ReasonSelect form={form} />
      <Textarea
        label={common(($) => $.fields.note)}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  )
}

function ItemAndQuantity({ form, item }: { form: UseFormReturnType<Values>; item: Item | null }) {
  const quantity = useRef<HTMLInputElement>(null)
  return (
    <>
      <ItemPicker
        label={common(($) => $.fields.item)}
        required
        chosen={item}
        data-autofocus={item === null || undefined}
        onPicked={() => quantity.current?.focus()}
        {...form.getInputProps("item")}
      />
      <NumberField
        ref={quantity}
        isQuantity
        label={common(($) => $.fields.quantity)}
        description={form.values.reason === "adjustment" ? t(($) => $.stock.negative) : undefined}
        required
        data-autofocus={item !== null || undefined}
        {...form.getInputProps("quantity")}
      />
    </>
  )
}

const ReasonSelect = ({ form }: { form: UseFormReturnType<Values> }) => (
  <Select
    label={common(($) => $.fields.reason)}
    data={reasons}
    allowDeselect={false}
    comboboxProps={{ keepMounted: false }}
    {...form.getInputProps("reason")}
  />
)

/** Receives stock of one item, for users with the right. */
export function ReceiveButton({ item }: { item: Item }) {
  const mayWrite = useMay()("stock", "write")
  const [isOpen, { open, close }] = useDisclosure()
  if (!mayWrite) return null
  return (
    <>
      <Button variant="default" onClick={open}>
        {t(($) => $.stock.receive)}
      </Button>
      {isOpen && <ReceiptDialog item={item} onClose={close} />}
    </>
  )
}

/** The response to a stock count: the corrections in the ledger, and the number of counts that were correct. */
export type CountResult = { unchanged: number; movements: StockMovement[] }

/** The most lines of one request. */
export const mostLines = 1_000

/** How many items were counted, and how many of them had another stock. */
export function resultInWords(unchanged: number, corrected: number): string {
  const counted = number(unchanged + corrected)
  if (corrected === 0) return t(($) => $.stock.countCorrect, { counted })
  return t(($) => $.stock.countCorrected, { counted, corrected: number(corrected) })
}

/** The errors of the lines, by the id of the item: lines[3].counted belongs to the fourth line. */
export function errorsOf(error: unknown, lines: readonly { item: string }[]): Map<string, string> {
  if (!(error instanceof ApiError)) return new Map()
  return new Map(
    error.details.flatMap((detail): [string, string][] => {
      const line = lines[Number(/^lines\[(\d+)\]/.exec(detail.field)?.[1])]
      return line ? [[line.item, fieldMessage(detail)]] : []
    }),
  )
}

export const messageIn = (error: unknown): string =>
  error instanceof ApiError && error.code === "VALIDATION_ERROR"
    ? t(($) => $.stock.countInvalid)
    : messageOf(error)

/** The difference of a count to the stock with its sign: +3, −3, =. Null if the count is not a number. */
export function differenceInWords(counted: Typed, stock: number): string | null {
  if (typeof counted !== "number") return null
  const difference = roundedTo(counted - stock, priceDigits)
  if (difference === 0) return "="
  return `${difference > 0 ? "+" : "−"}${number(Math.abs(difference))}`
}

const views = [
  { path: "/stock", title: t(($) => $.stock.onHand) },
  { path: "/stock/ledger", title: t(($) => $.stock.ledger) },
]

/** The two views of the stock: what is on hand, and how it came about. */
export function StockViews() {
  const [path] = useLocation()
  return (
    <Group component="nav" aria-label={t(($) => $.stock.views)} gap="xs" mb="md">
      {views.map((view) => (
        <Button
          key={view.path}
          component={Link}
          href={view.path}
          variant={path === view.path ? "light" : "subtle"}
          aria-current={path === view.path ? "page" : undefined}
        >
          {view.title}
        </Button>
      ))}
    </Group>
  )
}
