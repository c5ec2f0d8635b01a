import { Select, Textarea } from "@mantine/core"
import type { GivenReason } from "../../../../shared/stock-reasons"
import type { Item, StockMovement } from "../../api/types"
import { NumberField } from "../../forms/number-field"
import { useCreateForm } from "../../forms/use-create-form"
import { number } from "../../format"
import { FormDialog } from "../../parts/form-dialog"
import { tellDone } from "../../parts/tell"
import { ItemPicker } from "./item-picker"

const reasons: { value: GivenReason; label: string }[] = [
  { value: "adjustment", label: "Adjustment: loss, damage or correction" },
  { value: "return", label: "Return: goods returned by a customer" },
]

type Props = { item: Item | null; onClose: () => void }
type Values = { item: string | null; quantity: number | string; reason: GivenReason; note: string }

/** Changes the stock of one item by a quantity. */
export function AdjustDialog({ item, onClose }: Props) {
  const state = useCreateForm<StockMovement, Values>({
    path: "/stock-movements",
    initialValues: { item: item?.id ?? null, quantity: "", reason: "adjustment", note: "" },
    onCreated: ({ balanceAfter }) => {
      tellDone(`Saved. New stock: ${number(balanceAfter)}.`)
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog title="Adjust stock" state={state} submit="Save" onClose={onClose} size="md">
      <ItemPicker label="Item" required chosen={item} {...form.getInputProps("item")} />
      <NumberField
        label="Quantity"
        description={form.values.reason === "adjustment" ? "Negative to reduce the stock" : undefined}
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
