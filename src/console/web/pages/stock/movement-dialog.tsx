import { Select, Textarea } from "@mantine/core"
import { givenReasons, type GivenReason } from "../../../../shared/stock-reasons"
import type { Item, StockMovement } from "../../api/types"
import { NumberField } from "../../forms/number-field"
import { useCreateForm } from "../../forms/use-create-form"
import { number } from "../../format"
import { FormDialog } from "../../parts/form-dialog"
import { tellDone } from "../../parts/tell"
import { ItemPicker } from "./item-picker"

const meanings: Record<GivenReason, string> = {
  receipt: "Receipt: goods received",
  adjustment: "Adjustment: stock count, loss or damage",
  return: "Return: goods returned by a customer",
}
const reasons = givenReasons.map((value) => ({ value, label: meanings[value] }))
const hints: Partial<Record<GivenReason, string>> = {
  adjustment: "Negative to reduce the stock",
}

type Props = {
  /** The initial reason. */
  reason: GivenReason
  item: Item | null
  onClose: () => void
}

type Values = { item: string | null; quantity: number | string; reason: GivenReason; note: string }

export function MovementDialog({ reason, item, onClose }: Props) {
  const chosen = item?.itemType === "Service" ? null : item
  const state = useCreateForm<StockMovement, Values>({
    path: "/stock-movements",
    initialValues: { item: chosen?.id ?? null, quantity: "", reason, note: "" },
    onCreated: ({ balanceAfter }) => {
      tellDone(`Saved. New stock: ${number(balanceAfter)}.`)
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={reason === "adjustment" ? "Adjust stock" : "Receive stock"}
      state={state}
      submit="Save"
      onClose={onClose}
      size="md"
    >
      <ItemPicker chosen={chosen} {...form.getInputProps("item")} />
      <NumberField
        label="Quantity"
        description={hints[form.values.reason]}
        required
        {...form.getInputProps("quantity")}
      />
      <Select
        label="Reason"
        data={reasons}
        allowDeselect={false}
        comboboxProps={{ keepMounted: false }}
        {...form.getInputProps("reason")}
      />
      <Textarea label="Note" autosize minRows={2} maxLength={500} {...form.getInputProps("note")} />
    </FormDialog>
  )
}
