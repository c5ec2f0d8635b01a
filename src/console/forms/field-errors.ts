import type { UseFormReturnType } from "@mantine/form"
import { inWords, messageOf } from "../api/client"
import { ApiError, type FieldError, useIsSilent } from "../api/send"
import { t } from "../texts"
import { detailMessage } from "../texts/errors"
import type { Values } from "./body"
import { useEffect, useRef, useState } from "react"

/** Shows each error at its field. Returns the message for errors that belong to no field of the form. */
export function placeErrors<V extends Values>(form: UseFormReturnType<V>, error: ApiError): string | null {
  const placed = ({ field }: FieldError) => (field.split(/[.[]/)[0] ?? "") in form.values
  form.setErrors(
    Object.fromEntries(
      error.details.filter(placed).map((detail) => [toPath(detail.field), messageAt(detail)]),
    ) as never,
  )
  focusInvalid()
  const others = error.details.filter((detail) => !placed(detail))
  if (error.details.length > 0 && others.length === 0 && error.code === "VALIDATION_ERROR") return null
  const rest = others.map(inWords).join("; ")
  return rest && error.code === "VALIDATION_ERROR" ? `${error.message} ${rest}.` : error.message
}

/**
 * Focuses the first field with an error after it is shown, in the open dialog if there is one. A user who types
 * meanwhile stays in the same field, because the error of that field disappears.
 */
export function focusInvalid(): void {
  const typed = typedText()
  setTimeout(() => {
    if (typedText() !== typed) return
    const dialog = [...document.querySelectorAll("[aria-modal=true]")].at(-1)
    ;(dialog ?? document).querySelector<HTMLElement>("form [aria-invalid=true]")?.focus()
  }, 50)
}

const typedText = (): string | null => {
  const field = document.activeElement
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : null
}

/** Does the same as `placeErrors` for an error of any type. */
export const placeError = <V extends Values>(form: UseFormReturnType<V>, error: unknown): string | null =>
  error instanceof ApiError ? placeErrors(form, error) : messageOf(error)

/** An error in a list of texts (allowedIps[1]) is shown after the text itself, so it must not begin a new sentence. */
const messageAt = (detail: FieldError): string =>
  detail.field.endsWith("]") ? detailMessage(detail, detail.message) : fieldMessage(detail)

/** What is wrong with a field, as a sentence below it. */
export const fieldMessage = (detail: FieldError): string =>
  detail.code === "REQUIRED" || (detail.code === "TOO_SHORT" && detail.params?.min === 1)
    ? t(($) => $.problems.required)
    : detailMessage(detail, sentenceOf(detail.message))

/** Converts the server's message for a field into a sentence: must be at most 100 → Enter at most 100. */
function sentenceOf(message: string): string {
  const text = message.replace(/^must (?:be|have) (at (?:least|most) .*?)(?: long)?$/, "Enter $1")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** items[0].quantity → items.0.quantity */
const toPath = (field: string): string => field.replace(/\[(\d+)\]/g, ".$1")

/**
 * The error above a form. It disappears when the user edits the form, and when the server responds again, because it is
 * no longer true then.
 */
export function useFormError(values: unknown) {
  const [error, setError] = useState<string | null>(null)
  const written = JSON.stringify(values)
  const isSilent = useIsSilent()
  const wasSilent = useRef(isSilent)
  useEffect(() => setError(null), [written])
  useEffect(() => {
    if (wasSilent.current && !isSilent) setError(null)
    wasSilent.current = isSilent
  }, [isSilent])
  return [error, setError] as const
}
