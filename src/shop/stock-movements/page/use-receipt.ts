import { useForm, type UseFormReturnType } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { call } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { placeError } from "../../../console/forms/field-errors"
import { newKey } from "../../../console/forms/intentions"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { useAttempt } from "../../../console/forms/use-attempt"
import { number } from "../../../console/format"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

type Line = { key: string; item: string | null; quantity: number | string }
export type Receipt = { lines: Line[]; note: string }

export const newLine = (item: string | null = null): Line => ({ key: newKey(), item, quantity: "" })

const isBlank = ({ item, quantity }: Line) => item === null && quantity === ""

/**
 * The form of a receipt. Each line is one stock movement. They are saved in their order. A saved line leaves the form,
 * so if one is refused, the lines that are left can be corrected and saved again.
 */
export function useReceipt(item: string | null, onClose: () => void) {
  const client = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  const form = useForm<Receipt>({
    initialValues: { lines: [newLine(item)], note: "" },
    // After an edit the error is no longer true.
    onValuesChange: () => setError(null),
  })
  const attempt = useAttempt()
  const release = useUnsavedGuard(form.isDirty())
  const store = useStoreLine()
  const saveAll = async (): Promise<void> => {
    const { lines, note } = form.values
    const given = lines.length === 1 ? lines : lines.filter((line) => !isBlank(line))
    for (const [index, line] of given.entries())
      try {
        await store(line, note)
      } catch (error) {
        const left = given.slice(index)
        form.setFieldValue("lines", left)
        setError(refusedLine(form, error, index))
        return void client.invalidateQueries()
      }
    await client.invalidateQueries()
    release()
    tellDone(t(($) => $.stock.receiptsSaved, { count: given.length, shown: number(given.length) }))
    onClose()
  }
  const save = (): Promise<void> => {
    setError(null)
    form.clearErrors()
    return attempt.run(saveAll)
  }
  return { form, error, isSaving: attempt.isSaving, save, ...noConflict }
}

const noConflict = { conflict: null, keepMine: () => null, takeTheirs: () => {}, loadNewer: null }

/** Sends one line. The same line sent twice, after a lost response, is stored once. */
function useStoreLine() {
  const keys = useRef(new Map<string, string>())
  return ({ key, item, quantity }: Line, note: string) => {
    const body = {
      ...(item ? { item } : {}),
      ...(quantity === "" ? {} : { quantity }),
      reason: "receipt",
      ...(note.trim() ? { note } : {}),
    }
    const text = JSON.stringify([key, body])
    const idempotencyKey = keys.current.get(text) ?? newKey()
    keys.current.set(text, idempotencyKey)
    return call("POST", "/stock-movements", { body, idempotencyKey })
  }
}

/** Shows the error of a line, which is the first one that is left. Says how many lines are saved already. */
function refusedLine(form: UseFormReturnType<Receipt>, error: unknown, saved: number): string | null {
  const atLine = (field: string) => (field === "item" || field === "quantity" ? `lines[0].${field}` : field)
  const named =
    error instanceof ApiError
      ? new ApiError(
          error.status,
          error.code,
          error.message,
          error.details.map((detail) => ({ ...detail, field: atLine(detail.field) })),
        )
      : error
  const message = placeError(form, named)
  if (saved === 0) return message
  const told = t(($) => $.stock.linesSaved, { count: saved, shown: number(saved) })
  return [told, message].filter(Boolean).join(" ")
}
