import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client"
import { ApiError } from "../api/send"
import type { Warning } from "../api/types"
import { tellWarnings, unknownOf } from "../parts/tell"
import { emptyAsNull, newBody, type Body, type Values } from "./body"
import { placeError, useFormError } from "./field-errors"
import { useAttempt, useIntentions } from "./use-record-form"
import { useUnsavedGuard } from "./unsaved"

type Options<T, V extends Values> = {
  /** The API path of the POST request, or of the PUT request that changes the record of this version. */
  path: string
  changes?: { version: number }
  initialValues: V
  /** Converts the values to the request body. Empty inputs are not sent. */
  bodyOf?: (values: V) => Body
  /** Validates the values before the request. Returns the error message or null. */
  check?: (values: V) => string | null
  /** Maps a field of the request body to its name in the form, if the two differ. */
  fieldOf?: (field: string, values: V) => string
  /** The warnings that the form shows already. */
  known?: () => readonly Warning[]
  onCreated: (created: T) => void
}

/**
 * A form that only creates records, or takes one step with a record, for example in a dialog. It works with RecordForm. Mount a new form for each
 * record: the same values sent twice from one form create only one record.
 */
export function useCreateForm<T, V extends Values>(options: Options<T, V>) {
  const { path, changes, initialValues, bodyOf = emptyAsNull, check, fieldOf, known, onCreated } = options
  const client = useQueryClient()
  const form = useForm<V>({ initialValues })
  const [error, setError] = useFormError(form.values)
  const attempt = useAttempt()
  const keys = useIntentions()
  const release = useUnsavedGuard(form.isDirty())

  const create = async (): Promise<void> => {
    const body = newBody(bodyOf(form.values))
    const seen = known?.() ?? []
    try {
      const { data, warnings } = changes
        ? await call<T>("PUT", path, { body, ...changes })
        : await call<T>("POST", path, { body, idempotencyKey: keys.of(body) })
      await client.invalidateQueries()
      tellWarnings(unknownOf(warnings, seen))
      release()
      onCreated(data)
    } catch (error) {
      // An error from the server may mean that the data on the page is outdated.
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
    if (attempt.isRunning()) return
    form.clearErrors()
    const missing = check?.(form.values) ?? null
    setError(missing)
    if (!missing) await attempt.run(create)
  }

  return { form, error, isSaving: attempt.isSaving, save, ...noConflict }
}

/** A new record cannot have a conflict with another user. */
const noConflict = { conflict: null, keepMine: () => null, takeTheirs: () => {}, loadNewer: null }

/** Returns the error with the field names of the form in its details. */
function renamed(error: unknown, rename: (field: string) => string): unknown {
  if (!(error instanceof ApiError)) return error
  const details = error.details.map((detail) => ({ ...detail, field: rename(detail.field) }))
  return new ApiError(error.status, error.code, error.message, details)
}
