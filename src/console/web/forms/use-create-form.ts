import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../api/client"
import { ApiError } from "../api/send"
import { tellWarnings } from "../parts/tell"
import { emptyAsNull, newBody, type Body, type Values } from "./body"
import { placeError } from "./field-errors"
import { useIntentions } from "./intentions"
import { useUnsavedGuard } from "./unsaved"
import { useAttempt } from "./use-attempt"

type Options<T, V extends Values> = {
  /** Where the new thing is posted to. */
  path: string
  initialValues: V
  /** What is sent of the values; empty inputs are not sent. */
  bodyOf?: (values: V) => Body
  /** Says what is missing before anything is sent. */
  check?: (values: V) => string | null
  /** Where an error of the body stands in the form, if it has another name there. */
  fieldOf?: (field: string, values: V) => string
  onCreated: (created: T) => void
}

/**
 * A form that only ever makes something, as in a dialog. It goes with the frame of a record's form. Each thing that is
 * made needs a newly mounted form: the same values sent twice from one form make it once.
 */
export function useCreateForm<T, V extends Values>(options: Options<T, V>) {
  const { path, initialValues, bodyOf = emptyAsNull, check, fieldOf, onCreated } = options
  const client = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  const form = useForm<V>({ initialValues })
  const attempt = useAttempt()
  const keys = useIntentions()
  const release = useUnsavedGuard(form.isDirty())

  const create = async (): Promise<void> => {
    const body = newBody(bodyOf(form.values))
    try {
      const { data, warnings } = await call<T>("POST", path, { body, idempotencyKey: keys.of(body) })
      await client.invalidateQueries()
      tellWarnings(warnings)
      release()
      onCreated(data)
    } catch (error) {
      // A refusal may mean that what is shown is out of date.
      if (error instanceof ApiError && error.status !== 0) void client.invalidateQueries()
      setError(
        placeError(
          form,
          renamed(error, (field) => fieldOf?.(field, form.values) ?? field),
        ),
      )
    }
  }

  const save = async (): Promise<void> => {
    if (attempt.isUnderWay()) return
    form.clearErrors()
    const missing = check?.(form.values) ?? null
    setError(missing)
    if (!missing) await attempt.run(create)
  }

  return { form, error, isSaving: attempt.isSaving, save, ...noConflict }
}

/** Nobody else can have changed what is not there yet. */
const noConflict = { conflict: null, keepMine: () => null, takeTheirs: () => {} }

/** The same error, with its details under the names of the form. */
function renamed(error: unknown, rename: (field: string) => string): unknown {
  if (!(error instanceof ApiError)) return error
  const details = error.details.map(({ field, message }) => ({ field: rename(field), message }))
  return new ApiError(error.status, error.code, error.message, details)
}
