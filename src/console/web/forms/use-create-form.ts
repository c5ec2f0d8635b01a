import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { ApiError, call, messageOf } from "../api/client"
import { useUnsavedGuard } from "./unsaved"
import { emptyAsNull, placeFaults, tellWarnings, useIntentions } from "./use-record-form"

type Values = Record<string, unknown>
type Body = Record<string, unknown>

type Options<T, V extends Values> = {
  /** Where the new thing is posted to. */
  path: string
  initialValues: V
  /** What is sent of the values; empty inputs are not sent. */
  bodyOf?: (values: V) => Body
  /** Says what is missing before anything is sent. */
  check?: (values: V) => string | null
  /** Where a fault of the body stands in the form, if it has another name there. */
  fieldOf?: (field: string, values: V) => string
  onCreated: (created: T) => void
}

/**
 * A form that only ever makes something, as in a dialog. It goes with the frame of a record's form. Mounted anew for
 * each thing that is made: the same values sent twice from one form make it once.
 */
export function useCreateForm<T, V extends Values>(options: Options<T, V>) {
  const { path, initialValues, bodyOf = emptyAsNull, check, fieldOf, onCreated } = options
  const client = useQueryClient()
  const [fault, setFault] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const form = useForm<V>({ initialValues })
  const keys = useIntentions()
  const release = useUnsavedGuard(form.isDirty())

  const place = (error: ApiError): string | null => {
    if (!fieldOf) return placeFaults(form, error)
    const details = error.details.map(({ field, message }) => ({
      field: fieldOf(field, form.values),
      message,
    }))
    return placeFaults(form, new ApiError(error.status, error.code, error.message, details))
  }

  const isUnderWay = useRef(false)
  const save = async (): Promise<void> => {
    if (isUnderWay.current) return
    form.clearErrors()
    const missing = check?.(form.values) ?? null
    setFault(missing)
    if (missing) return
    const given = Object.entries(bodyOf(form.values)).filter(([, value]) => value !== null)
    const body = Object.fromEntries(given)
    setSaving(true)
    isUnderWay.current = true
    try {
      const { data, warnings } = await call<T>("POST", path, { body, idempotencyKey: keys.of(body) })
      await client.invalidateQueries()
      tellWarnings(warnings)
      release()
      onCreated(data)
    } catch (error) {
      // What was refused may have been right for what is shown, and wrong for what is there now.
      if (error instanceof ApiError && error.status !== 0) void client.invalidateQueries()
      setFault(error instanceof ApiError ? place(error) : messageOf(error))
    } finally {
      isUnderWay.current = false
      setSaving(false)
    }
  }

  return { form, fault, isSaving, save, conflict: null, keepMine: () => null, takeTheirs: () => {} }
}
