import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../../console/api/client"
import type { Item } from "../../../console/api/types"
import { useIntentions } from "../../../console/forms/intentions"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { useAttempt } from "../../../console/forms/use-attempt"
import { tellDone } from "../../../console/parts/tell"
import { focusTop } from "../../../console/shell/focus"
import { errorsOf, messageIn, resultInWords, type CountResult } from "./count-answer"

/** The counts that are typed in, by the id of the item. */
type Typed = ReadonlyMap<string, number | string>

/** The counts of a stocktaking that are not saved yet. They are kept while the person searches for other items. */
export function useCounts() {
  const [typed, setTyped] = useState<Typed>(new Map())
  const [note, setNote] = useState("")
  const saving = useSave(typed, note, () => {
    setTyped(new Map())
    setNote("")
  })
  const set = (item: Item, value: number | string) => {
    const next = new Map(typed)
    if (value === "") next.delete(item.id)
    else next.set(item.id, value)
    setTyped(next)
    saving.clear()
  }
  const discard = () => {
    setTyped(new Map())
    saving.clear()
  }
  return {
    ...saving,
    isDirty: typed.size > 0,
    size: typed.size,
    countOf: (id: string): number | string => typed.get(id) ?? "",
    set,
    note,
    setNote,
    discard,
  }
}

export type Counts = ReturnType<typeof useCounts>

/** Saves all counts in one request. */
function useSave(typed: Typed, note: string, onSaved: () => void) {
  const client = useQueryClient()
  const keys = useIntentions()
  const attempt = useAttempt()
  const [error, setError] = useState<string | null>(null)
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const release = useUnsavedGuard(typed.size > 0)
  const store = async (): Promise<void> => {
    const lines = [...typed].map(([item, counted]) => ({ item, counted }))
    const body = { lines, ...(note.trim() ? { note } : {}) }
    try {
      const options = { body, idempotencyKey: keys.of(body) }
      const { data } = await call<CountResult>("POST", "/stock-movements/count", options)
      release()
      onSaved()
      await client.invalidateQueries()
      tellDone(resultInWords(data.unchanged, data.movements.length))
      // The button that saved is gone.
      focusTop()
    } catch (error) {
      setErrors(errorsOf(error, lines))
      setError(messageIn(error))
    }
  }
  const clear = () => {
    setError(null)
    setErrors(new Map())
  }
  const save = () => {
    clear()
    return attempt.run(store)
  }
  return { save, isSaving: attempt.isSaving, error, errorOf: (id: string) => errors.get(id), clear }
}
