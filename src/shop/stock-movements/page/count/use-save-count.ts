import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../../../console/api/client"
import { newKey } from "../../../../console/forms/intentions"
import { useAttempt } from "../../../../console/forms/use-attempt"
import { number } from "../../../../console/format"
import { t } from "../../../../console/texts"
import { errorsOf, messageIn, mostLines, type CountResult } from "../count-answer"
import type { CountDraft, CountedLine } from "./draft"

type Line = { item: string; counted: CountedLine["counted"] }

/** How many counts were saved, by whether they equal the stock. */
export type Saved = { unchanged: number; corrected: number }

type Errors = { message: string | null; lines: ReadonlyMap<string, string> }

const noErrors: Errors = { message: null, lines: new Map() }

/**
 * Saves the count in requests of up to 1,000 lines. Saved lines leave the draft, so if a request fails, the lines that
 * are left can be corrected and saved again.
 */
export function useSaveCount(draft: CountDraft) {
  const client = useQueryClient()
  const attempt = useAttempt()
  const [errors, setErrors] = useState(noErrors)
  const [saved, setSaved] = useState<Saved | null>(null)
  const store = async (): Promise<void> => {
    const lines = draft.latest().lines.map(({ id, counted }) => ({ item: id, counted }))
    const sum: Saved = { unchanged: 0, corrected: 0 }
    for (let i = 0; i < lines.length; i += mostLines) {
      const part = lines.slice(i, i + mostLines)
      try {
        const { unchanged, movements } = await send(draft, part)
        draft.removeSaved(part)
        sum.unchanged += unchanged
        sum.corrected += movements.length
      } catch (error) {
        setErrors({ message: messageAfter(i, messageIn(error)), lines: errorsOf(error, part) })
        return void client.invalidateQueries()
      }
    }
    draft.finish()
    setSaved(sum)
    await client.invalidateQueries()
  }
  const save = () => {
    const lines = problemsIn(draft.latest().lines)
    setSaved(null)
    setErrors(lines.size === 0 ? noErrors : { message: t(($) => $.stock.countInvalid), lines })
    return lines.size === 0 ? attempt.run(store) : Promise.resolve()
  }
  return { save, isSaving: attempt.isSaving, saved, errors, clearErrors: () => setErrors(noErrors) }
}

export type CountSaving = ReturnType<typeof useSaveCount>

/** Finds counts that the server would refuse, before the first request is sent. */
const problemsIn = (lines: readonly CountedLine[]) =>
  new Map(
    lines
      .filter(({ counted }) => typeof counted !== "number" || counted < 0)
      .map(({ id }) => [id, t(($) => $.stockCount.negative)]),
  )

/** Sends some lines. A repetition of the same lines has the same key, also after the page was loaded again. */
async function send(draft: CountDraft, lines: readonly Line[]): Promise<CountResult> {
  const { note, sending } = draft.latest()
  const body = { lines, ...(note.trim() ? { note } : {}) }
  const text = JSON.stringify(body)
  const idempotencyKey = sending?.body === text ? sending.key : newKey()
  draft.setSending({ body: text, key: idempotencyKey })
  return (await call<CountResult>("POST", "/stock-movements/count", { body, idempotencyKey })).data
}

/** An error message, after some lines were saved. */
const messageAfter = (saved: number, message: string): string =>
  saved === 0 ? message : `${t(($) => $.stock.linesSaved, { count: saved, shown: number(saved) })} ${message}`
