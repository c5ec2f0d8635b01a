import type { UseFormReturnType } from "@mantine/form"
import { useMemo, useRef } from "react"
import type { Item } from "../../console/api/types"
import { withItem } from "./filled-line"
import { withOtherDiscount } from "./line-discount"
import { inputId, type LineActions } from "./line-inputs"
import { blankLine, freeLine, type LineValues } from "./line-values"
import type { PriceSense } from "./price-sense"

export type Lines = { items: LineValues[] }

/** The id of the button that adds a line. */
export const addId = "add-line"

type Options = { sense: PriceSense; onPick: (item: Item) => void }

/** The actions on the lines of a form. Each action moves the focus to the next input to fill in. */
export function useLineActions(form: UseFormReturnType<Lines>, { sense, onPick }: Options) {
  const lines = form.values.items
  const insert = (line: LineValues) => {
    form.insertListItem("items", line)
    form.clearFieldError("items")
    focusOn(subjectId(line))
  }
  const add = () => insert(blankLine())
  const actions = useStable({
    set: (index, part, value) => form.setFieldValue(`items.${index}.${part}`, value),
    pick: (index, item) => {
      const line = lines[index]
      if (!line) return
      onPick(item)
      if (line.item !== item.id) form.replaceListItem("items", index, withItem(line, item, sense))
      form.clearFieldError(`items.${index}.item`)
      form.clearFieldError("items")
      focusOn(inputId(line.key, "quantity"))
    },
    switchDiscount: (index) => {
      const line = lines[index]
      if (!line) return
      form.replaceListItem("items", index, withOtherDiscount(line, sense.digits))
      focusOn(inputId(line.key, "discount"))
    },
    remove: (index) => {
      form.removeListItem("items", index)
      const neighbour = lines[index + 1] ?? lines[index - 1]
      focusOn(neighbour ? subjectId(neighbour) : addId)
    },
    next: (index) => {
      const after = lines[index + 1]
      if (after) focusOn(inputId(after.key, after.item === "" ? "item" : "quantity"))
      else add()
    },
  })
  return { add, addFree: () => insert(freeLine()), actions }
}

/** The id of the input that says what a line sells. */
const subjectId = ({ key, isFree }: LineValues) => inputId(key, isFree ? "description" : "item")

/** Waits for the next render, because the input may not exist before it. */
const focusOn = (id: string) => setTimeout(() => document.getElementById(id)?.focus(), 20)

/** Returns functions that stay the same between renders. Each calls the latest version. */
function useStable(latest: LineActions): LineActions {
  const latestRef = useRef(latest)
  latestRef.current = latest
  return useMemo(
    () => ({
      set: (...args) => latestRef.current.set(...args),
      pick: (...args) => latestRef.current.pick(...args),
      switchDiscount: (...args) => latestRef.current.switchDiscount(...args),
      remove: (...args) => latestRef.current.remove(...args),
      next: (...args) => latestRef.current.next(...args),
    }),
    [],
  )
}
