import { Select, Textarea } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { GivenReason } from "../../../shared/stock-reasons"
import type { Item, StockMovement } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { number } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { ItemPicker } from "./item-picker"

const reasons: { value: GivenReason; label: string }[] = [
  { value: "adjustment", label: t(($) => $.stock.adjustment) },
  { value: "return", label: t(($) => $.stock.return) },
]

type Props = { item: Item | null; onClose: () => void }
type Values = { item: string | null; quantity: number | string; reason: GivenReason; note: string }

/** Changes the stock of one item by a quantity. */
export function AdjustDialog({ item, onClose }: Props) {
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
      submit={t(($) => $.common.save)}
      onClose={onClose}
      size="md"
    >
      <ItemAndQuantity form={form} item={item} />
      <ReasonSelect form={form} />
      <Textarea
        label={t(($) => $.fields.note)}
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
      label={t(($) => $.fields.item)}
      required
      chosen={item}
      data-autofocus={item === null || undefined}
      {...form.getInputProps("item")}
    />
    <NumberField
      label={t(($) => $.fields.quantity)}
      description={form.values.reason === "adjustment" ? t(($) => $.stock.negative) : undefined}
      required
      data-autofocus={item !== null || undefined}
      {...form.getInputProps("quantity")}
    />
  </>
)

const ReasonSelect = ({ form }: { form: UseFormReturnType<Values> }) => (
  <Select
    label={t(($) => $.fields.reason)}
    data={reasons}
    allowDeselect={false}
    comboboxProps={{ keepMounted: false }}
    {...form.getInputProps("reason")}
  />
)
