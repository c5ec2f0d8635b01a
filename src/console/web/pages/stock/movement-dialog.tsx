import { Modal, NumberInput, Select, Textarea } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { Item, StockMovement } from "../../api/types"
import { RecordForm } from "../../forms/record-form"
import { useCreateForm } from "../../forms/use-create-form"
import { number, separators } from "../../format"
import { ItemPicker } from "./item-picker"

export type GivenReason = "receipt" | "adjustment"

const reasons = [
  { value: "receipt", label: "Receipt: goods came in" },
  { value: "adjustment", label: "Adjustment: after counting, loss or breakage" },
  { value: "return", label: "Return: a customer sent goods back" },
]
const hints: Record<string, string> = { adjustment: "Below zero where there is less than the books say" }

type Props = {
  /** What it is opened for; null while it is closed. */
  reason: GivenReason | null
  item: Item | null
  onClose: () => void
}

export const MovementDialog = ({ reason, item, onClose }: Props) => (
  <Modal
    opened={reason !== null}
    onClose={onClose}
    title={reason === "adjustment" ? "Adjust stock" : "Receive stock"}
  >
    {reason && <MovementForm reason={reason} item={item} onClose={onClose} />}
  </Modal>
)

type Values = { item: string | null; quantity: number | string; reason: string; note: string }

function MovementForm({ reason, item, onClose }: Props & { reason: GivenReason }) {
  const chosen = item?.itemType === "Service" ? null : item
  const state = useCreateForm<StockMovement, Values>({
    path: "/stock-movements",
    initialValues: { item: chosen?.id ?? null, quantity: "", reason, note: "" },
    onCreated: ({ balanceAfter }) => {
      notifications.show({ message: `Saved. There are ${number(balanceAfter)} now.`, color: "teal" })
      onClose()
    },
  })
  const { form } = state
  return (
    <RecordForm state={state} submit="Save" onCancel={onClose}>
      <ItemPicker label="Item" required chosen={chosen} {...form.getInputProps("item")} />
      <NumberInput
        label="Quantity"
        description={hints[form.values.reason]}
        required
        hideControls
        decimalScale={4}
        {...separators}
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
    </RecordForm>
  )
}
