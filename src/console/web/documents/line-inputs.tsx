import { ActionIcon } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { memo, type KeyboardEvent } from "react"
import type { Item } from "../api/types"
import { NumberField } from "../forms/number-field"
import { t } from "../texts"
import { ItemPicker } from "./item-picker"

export type LinePart = "quantity" | "rate" | "discount"
export type LineActions = {
  set: (index: number, part: LinePart, value: number | string) => void
  pick: (index: number, item: Item) => void
  remove: (index: number) => void
  /** Moves the focus to the next line. After the last line, adds a line. */
  next: (index: number) => void
}

type Common = { isCard: boolean; index: number; lineKey: string; actions: LineActions; error?: string }

export const inputId = (key: string, part: string) => `line-${key}-${part}`

// Inputs are the most expensive part of a line. Their props are plain values, so that an input renders again only when
// its own values change.

export const ItemInput = memo(function ItemInput(props: Common & { picked: string }) {
  const { isCard, index, lineKey, actions, picked, error } = props
  return (
    <ItemPicker
      id={inputId(lineKey, "item")}
      label={isCard ? t(($) => $.documents.part.item) : undefined}
      aria-label={isCard ? undefined : t(($) => $.documents.partOfLine.item, { line: index + 1 })}
      picked={picked}
      error={error}
      onPick={(item) => actions.pick(index, item)}
    />
  )
})

type PartProps = Common & {
  part: LinePart
  value: number | string
  /** The value that applies if the input is empty. */
  placeholder?: string
  /** The decimals of an amount of money. */
  digits?: number
}

export const PartInput = memo(function PartInput(props: PartProps) {
  const { isCard, index, lineKey, actions, part, value, placeholder, digits, error } = props
  const goToNextLine = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return
    event.preventDefault()
    actions.next(index)
  }
  return (
    <NumberField
      id={inputId(lineKey, part)}
      label={isCard ? t(($) => $.documents.part[part]) : undefined}
      aria-label={isCard ? undefined : t(($) => $.documents.partOfLine[part], { line: index + 1 })}
      value={value}
      onChange={(next) => actions.set(index, part, next)}
      onKeyDown={goToNextLine}
      error={error}
      placeholder={placeholder}
      digits={digits}
    />
  )
})

export const RemoveButton = memo(function RemoveButton({
  index,
  actions,
}: Pick<Common, "index" | "actions">) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t(($) => $.documents.removeLine, { line: index + 1 })}
      onClick={() => actions.remove(index)}
    >
      <IconTrash size={18} />
    </ActionIcon>
  )
})
