import { Button, Select, Textarea } from "@mantine/core"
import { IconPlus } from "../../../console/parts/icons"
import { useState } from "react"
import { Link } from "wouter"
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

const ItemAndQuantity = ({ form, item }: { form: UseFormReturnType<Values>; item: Item | null }) => (
  <>
    <ItemPicker
      label={common(($) => $.fields.item)}
      required
      chosen={item}
      data-autofocus={item === null || undefined}
      {...form.getInputProps("item")}
    />
    <NumberField
      label={common(($) => $.fields.quantity)}
      description={form.values.reason === "adjustment" ? t(($) => $.stock.negative) : undefined}
      required
      data-autofocus={item !== null || undefined}
      {...form.getInputProps("quantity")}
    />
  </>
)

const ReasonSelect = ({ form }: { form: UseFormReturnType<Values> }) => (
  <Select
    label={common(($) => $.fields.reason)}
    data={reasons}
    allowDeselect={false}
    comboboxProps={{ keepMounted: false }}
    {...form.getInputProps("reason")}
  />
)
