import { ActionIcon, Button, Group, Textarea } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { IconPlus, IconTrash } from "../../../console/parts/icons"
import type { Item } from "../../../console/api/types"
import { NumberField } from "../../../console/forms/number-field"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { ItemPicker } from "./item-picker"
import { newLine, useReceipt, type Receipt } from "./use-receipt"

type Props = { item: Item | null; onClose: () => void }
type Form = UseFormReturnType<Receipt>

/** Receives goods: any number of items with their quantities, and one note for all of them. */
export function ReceiptDialog({ item, onClose }: Props) {
  const state = useReceipt(item?.id ?? null, onClose)
  const { form } = state
  const add = () => form.insertListItem("lines", newLine())
  return (
    <FormDialog
      title={t(($) => $.stock.receive)}
      state={state}
      submit={t(($) => $.common.save)}
      onClose={onClose}
    >
      {form.values.lines.map(({ key }, index) => (
        <Line key={key} form={form} index={index} item={index === 0 ? item : null} onNext={add} />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        onClick={add}
        style={{ alignSelf: "start" }}
      >
        {t(($) => $.stock.addLine)}
      </Button>
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

type LineProps = { form: Form; index: number; item: Item | null; onNext: () => void }

/** One line. Enter in the last quantity adds the next line. */
function Line({ form, index, item, onNext }: LineProps) {
  const count = form.values.lines.length
  const isFirst = index === 0
  const line = index + 1
  const named = (label: string, inLine: string) => (isFirst ? { label } : { "aria-label": inLine })
  return (
    <Group align="start" wrap="nowrap" gap="xs">
      <div style={{ flex: 1, minWidth: 0 }}>
        <ItemPicker
          {...named(
            t(($) => $.fields.item),
            t(($) => $.stock.itemInLine, { line }),
          )}
          required
          chosen={item}
          autoFocus={!isFirst}
          data-autofocus={(isFirst && !item) || undefined}
          {...form.getInputProps(`lines.${index}.item`)}
        />
      </div>
      <NumberField
        {...named(
          t(($) => $.fields.quantity),
          t(($) => $.stock.quantityInLine, { line }),
        )}
        required
        w={{ base: 90, xs: 110 }}
        data-autofocus={(isFirst && item !== null) || undefined}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || index < count - 1 || form.values.lines[index]?.item === null) return
          event.preventDefault()
          onNext()
        }}
        {...form.getInputProps(`lines.${index}.quantity`)}
      />
      {count > 1 && <RemoveButton index={index} onClick={() => form.removeListItem("lines", index)} />}
    </Group>
  )
}

const RemoveButton = ({ index, onClick }: { index: number; onClick: () => void }) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={36}
    // The first line has labels above its inputs.
    mt={index === 0 ? 25 : 0}
    aria-label={t(($) => $.stock.removeLine, { line: index + 1 })}
    onClick={onClick}
  >
    <IconTrash size={16} />
  </ActionIcon>
)
