import type { UseFormReturnType } from "@mantine/form"
import { useMemo, useRef } from "react"
import type { Item } from "../api/types"
import { inputId, type LineActions } from "./line-inputs"
import { blankLine, withItem, type LineValues } from "./line-values"

export type Lines = { items: LineValues[] }

/** The id of the button that adds a line. */
export const addId = "add-line"

/** The actions on the lines of a form. Each action moves the focus to the next input to fill in. */
export function useLineActions(form: UseFormReturnType<Lines>, onPick: (item: Item) => void) {
  const lines = form.values.items
  const add = () => {
    const line = blankLine()
    form.insertListItem("items", line)
    form.clearFieldError("items")
    focusOn(inputId(line.key, "item"))
  }
  const actions = useStable({
    set: (index, part, value) => form.setFieldValue(`items.${index}.${part}`, value),
    pick: (index, item) => {
      const line = lines[index]
      if (!line) return
      onPick(item)
      if (line.item !== item.id) form.replaceListItem("items", index, withItem(line, item))
      form.clearFieldError(`items.${index}.item`)
      form.clearFieldError("items")
      focusOn(inputId(line.key, "quantity"))
    },
    remove: (index) => {
      form.removeListItem("items", index)
      const neighbour = lines[index + 1] ?? lines[index - 1]
      focusOn(neighbour ? inputId(neighbour.key, "item") : addId)
    },
    next: (index) => {
      const after = lines[index + 1]
      if (after) focusOn(inputId(after.key, after.item === "" ? "item" : "quantity"))
      else add()
    },
  })
  return { add, actions }
}

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
      remove: (...args) => latestRef.current.remove(...args),
      next: (...args) => latestRef.current.next(...args),
    }),
    [],
  )
}
