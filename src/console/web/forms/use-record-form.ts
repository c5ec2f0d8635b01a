import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call, messageOf } from "../api/client"
import { ApiError } from "../api/send"
import type { ApiAnswer, Kind, Kinds } from "../api/types"
import { tellWarnings } from "../parts/tell"
import {
  changedBody,
  differences,
  emptyAsNull,
  newBody,
  type Body,
  type Difference,
  type Values,
} from "./body"
import { placeError } from "./field-errors"
import { useIntentions } from "./intentions"
import { useUnsavedGuard } from "./unsaved"
import { useAttempt } from "./use-attempt"
import { useRecordValues, versionOf } from "./use-record-values"

type Options<K extends Kind, V extends Values> = {
  kind: K
  /** The record from the server; null for a new one. */
  record: Kinds[K] | null
  valuesOf: (record: Kinds[K] | null) => V
  /** Converts the values to the request body. Empty inputs are sent as null. */
  bodyOf?: (values: V) => Body
  /** Fields that the server updates together with another field, unless the request contains them too. */
  companions?: Record<string, string>
  /** The API path of the record, if it is not below its kind. */
  path?: string
  /** Fields of a new record whose null has a meaning. For other fields, null is the same as left out. */
  meaningfulNulls?: string[]
  onSaved: (saved: Kinds[K]) => void
}

/** Another user has updated the record in the meantime. */
export type Conflict<T> = { theirs: T; changes: Difference[] }

/** The state that RecordForm needs. */
export type RecordFormState = {
  form: { isDirty: () => boolean }
  error: string | null
  isSaving: boolean
  save: () => Promise<void>
  conflict: Conflict<unknown> | null
  /** Saves your changes on top of the version of the other user. */
  keepMine: () => unknown
  /** Discards your changes. */
  takeTheirs: () => void
}

/**
 * A form for one record. It sends only the changed fields, with the version that the user edited. The server's errors
 * are shown at their fields. If another user has updated the record, both versions are shown.
 */
export function useRecordForm<K extends Kind, V extends Values>(options: Options<K, V>) {
  type T = Kinds[K]
  const { record, valuesOf, bodyOf = emptyAsNull } = options
  const { form, base, startFrom } = useRecordValues(record, valuesOf, bodyOf)
  const [error, setError] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict<T> | null>(null)
  const attempt = useAttempt()
  const request = useRequest(options, base)
  const finish = useFinish(options, form.isDirty())

  const refuse = async (error: unknown, mine: Body) => {
    if (!base || !isOutdated(error)) return setError(placeError(form, error))
    await conflictWith(options, base, mine).then(setConflict, (unread) => setError(messageOf(unread)))
  }
  const save = (latest: T | null = base) =>
    attempt.run(async () => {
      const body = request.bodyOf(form.values)
      setError(null)
      setConflict(null)
      form.clearErrors()
      try {
        const answer = await request.send(body, versionOf(latest))
        startFrom(answer.data)
        await finish(answer)
      } catch (error) {
        await refuse(error, body)
      }
    })
  const takeTheirs = () => {
    if (conflict) startFrom(conflict.theirs)
    setConflict(null)
  }
  const keepMine = () => conflict && save(conflict.theirs)
  return { form, error, conflict, isSaving: attempt.isSaving, save: () => save(), keepMine, takeTheirs }
}

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

const pathOf = <K extends Kind>({ kind, path }: { kind: K; path?: string }, { id }: Kinds[K]) =>
  path ?? `/${kind}/${id}`

/** Creates a new record, or updates the existing one. */
function useRequest<K extends Kind, V extends Values>(options: Options<K, V>, base: Kinds[K] | null) {
  const { kind, valuesOf, bodyOf = emptyAsNull, companions, meaningfulNulls } = options
  const keys = useIntentions()
  return {
    bodyOf: (values: V): Body =>
      base === null
        ? newBody(bodyOf(values), meaningfulNulls)
        : changedBody(bodyOf(valuesOf(base)), bodyOf(values), companions),
    send: (body: Body, version: number | undefined): Promise<ApiAnswer<Kinds[K]>> =>
      base === null
        ? call("POST", `/${kind}`, { body, idempotencyKey: keys.of(body) })
        : call("PUT", pathOf(options, base), { body, version }),
  }
}

/** Runs after a save: reads all data on the page again and allows leaving the page. */
function useFinish<K extends Kind, V extends Values>({ kind, onSaved }: Options<K, V>, isDirty: boolean) {
  const client = useQueryClient()
  const release = useUnsavedGuard(isDirty)
  return async ({ data, warnings }: ApiAnswer<Kinds[K]>): Promise<void> => {
    client.setQueryData([kind, data.id], data)
    await client.invalidateQueries()
    tellWarnings(warnings)
    release()
    onSaved(data)
  }
}

/** Reads the version that the other user saved, and compares it. */
async function conflictWith<K extends Kind, V extends Values>(
  options: Options<K, V>,
  base: Kinds[K],
  mine: Body,
): Promise<Conflict<Kinds[K]>> {
  const { valuesOf, bodyOf = emptyAsNull } = options
  const { data: theirs } = await call<Kinds[K]>("GET", pathOf(options, base))
  return { theirs, changes: differences(bodyOf(valuesOf(base)), bodyOf(valuesOf(theirs)), mine) }
}
