import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call, messageOf } from "../../api/client"
import { ApiError } from "../../api/send"
import type { Item, StockMovement } from "../../api/types"
import { fieldMessage } from "../../forms/field-errors"
import { useIntentions } from "../../forms/intentions"
import { useUnsavedGuard } from "../../forms/unsaved"
import { useAttempt } from "../../forms/use-attempt"
import { number } from "../../format"
import { tellDone } from "../../parts/tell"
import { focusTop } from "../../shell/focus"
import { t } from "../../texts"

/** The counts that are typed in, by the id of the item. */
type Typed = ReadonlyMap<string, number | string>
type Result = { unchanged: number; movements: StockMovement[] }

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
      const { data } = await call<Result>("POST", "/stock-movements/count", options)
      release()
      onSaved()
      await client.invalidateQueries()
      tellDone(resultInWords(data))
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

function resultInWords({ unchanged, movements }: Result): string {
  const counted = number(unchanged + movements.length)
  if (movements.length === 0) return t(($) => $.stock.countCorrect, { counted })
  return t(($) => $.stock.countCorrected, { counted, corrected: number(movements.length) })
}

/** The errors of the lines, by the id of the item: lines[3].counted belongs to the fourth line. */
function errorsOf(error: unknown, lines: { item: string }[]): Map<string, string> {
  if (!(error instanceof ApiError)) return new Map()
  return new Map(
    error.details.flatMap((detail): [string, string][] => {
      const line = lines[Number(/^lines\[(\d+)\]/.exec(detail.field)?.[1])]
      return line ? [[line.item, fieldMessage(detail)]] : []
    }),
  )
}

const messageIn = (error: unknown): string =>
  error instanceof ApiError && error.code === "VALIDATION_ERROR"
    ? t(($) => $.stock.countInvalid)
    : messageOf(error)
