import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { call, messageOf } from "../api/client"
import { ApiError } from "../api/send"
import type { ApiAnswer, Kind, Kinds } from "../api/types"
import { tellWarnings } from "../parts/tell"
import {
  type Body,
  changedBody,
  type Difference,
  differences,
  emptyAsNull,
  isSame,
  newBody,
  type Values,
} from "./body"
import { placeError, useFormError } from "./field-errors"
import { useUnsavedGuard } from "./unsaved"
import { useForm } from "@mantine/form"

type Options<K extends Kind, V extends Values> = {
  kind: K
  /** The record from the server; null for a new one. */
  record: Kinds[K] | null
  valuesOf: (record: Kinds[K] | null) => V
  /** Converts the values to the request body. Empty inputs are sent as null. */
  bodyOf?: (values: V) => Body
  /** Fields that the server updates together with another field, unless the request contains them too. */
  companions?: Record<string, readonly string[]>
  /** The API path of the record, if it is not below its kind. */
  path?: string
  /** Fields of a new record whose null has a meaning. For other fields, null is the same as left out. */
  meaningfulNulls?: string[]
  /** Returns what to send in addition after an error, or null to keep the form. Undefined if the error stays one. */
  sendAgain?: (error: unknown) => Promise<Body | null | undefined>
  onSaved: (saved: Kinds[K]) => void
}

/** Another user has updated the record in the meantime. `isSameField` is true if both changed the same field. */
type Conflict<T> = { theirs: T; changes: Difference[]; isSameField: boolean }

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
  /** Shows the version that somebody has saved meanwhile; null if there is none. */
  loadNewer: (() => void) | null
}

/**
 * A form for one record. It sends only the changed fields, with the version that the user edited. The server's errors
 * are shown at their fields. If another user has updated the same fields, both versions are shown.
 */
export function useRecordForm<K extends Kind, V extends Values>(options: Options<K, V>) {
  const { record, valuesOf, bodyOf = emptyAsNull } = options
  const values = useRecordValues(record, valuesOf, bodyOf)
  const { form, base, startFrom, newer } = values
  const { error, setError, conflict, setConflict, store } = useStore(options, values)
  const attempt = useAttempt()
  const save = (latest: Kinds[K] | null = base) =>
    attempt.run(() => {
      setError(null)
      setConflict(null)
      form.clearErrors()
      return store(latest)
    })
  const takeTheirs = () => {
    if (conflict) startFrom(conflict.theirs)
    setConflict(null)
  }
  const keepMine = () => conflict && save(conflict.theirs)
  const { isSaving } = attempt
  const loadNewer = newer && !isSaving ? () => startFrom(newer) : null
  return { form, error, conflict, isSaving, save: () => save(), keepMine, takeTheirs, loadNewer }
}

type RecordValues<K extends Kind, V extends Values> = ReturnType<typeof useRecordValues<Kinds[K], V>>

/** How often changes are saved on top of a newer version without asking. */
const mostRetries = 3

/** Sends the changes. If there is a newer version that differs in other fields only, they are saved on top of it. */
function useStore<K extends Kind, V extends Values>(
  options: Options<K, V>,
  { form, base, startFrom }: RecordValues<K, V>,
) {
  const [error, setError] = useFormError(form.values)
  const [conflict, setConflict] = useState<Conflict<Kinds[K]> | null>(null)
  const request = useRequest(options, base)
  const finish = useFinish(options, form.isDirty())
  const send = async (body: Body, version: number | undefined) => {
    try {
      return await request.send(body, version)
    } catch (error) {
      const more = await options.sendAgain?.(error)
      if (more === undefined) throw error
      return more && request.send({ ...body, ...more }, version)
    }
  }
  const store = async (latest: Kinds[K] | null, retries = mostRetries): Promise<void> => {
    const body = request.bodyOf(form.values)
    try {
      const answer = await send(body, versionOf(latest))
      if (!answer) return
      startFrom(answer.data)
      await finish(answer)
    } catch (error) {
      if (!base || !isOutdated(error)) return setError(placeError(form, error))
      const found = await conflictWith(options, base, body).catch(messageOf)
      if (typeof found === "string") setError(found)
      else if (found.isSameField || retries === 0) setConflict(found)
      else await store(found.theirs, retries - 1)
    }
  }
  return { error, setError, conflict, setConflict, store }
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
  const [before, after] = [bodyOf(valuesOf(base)), bodyOf(valuesOf(theirs))]
  const isSameField = Object.keys(mine).some(
    (field) => !isSame(before[field], after[field]) && !isSame(mine[field], after[field]),
  )
  return { theirs, changes: differences(before, after, mine), isSameField }
}

/** The values of a form, and the version of the record that the user edits. */
function useRecordValues<T extends object, V extends Values>(
  record: T | null,
  valuesOf: (record: T | null) => V,
  bodyOf: (values: V) => Body,
) {
  const [base, setBase] = useState<T | null>(record)
  const form = useForm<V>({ initialValues: valuesOf(record) })

  /** Loads a version of the record into the form, without unsaved changes. */
  const startFrom = (version: T) => {
    setBase(version)
    form.setValues(valuesOf(version))
    form.resetDirty(valuesOf(version))
  }

  const isNewer = record && base && (versionOf(record) ?? 0) > (versionOf(base) ?? 0)
  const isSameForm = (one: T, other: T) =>
    isDraft(one) === isDraft(other) && isSame(bodyOf(valuesOf(one)), bodyOf(valuesOf(other)))

  // A newer version becomes the base, unless the form has unsaved changes and the version differs in its fields.
  useEffect(() => {
    if (!isNewer) return
    if (!form.isDirty()) startFrom(record)
    else if (isSameForm(record, base)) setBase(record)
  }, [record])

  /** The newer version, if it cannot become the base. */
  const newer = isNewer && form.isDirty() && !isSameForm(record, base) ? record : null
  return { form, base, startFrom, newer }
}

/** A draft that was submitted or issued can no longer be saved in its form. */
const isDraft = (record: object): boolean => "status" in record && record.status === "draft"

const versionOf = (record: object | null): number | undefined =>
  record && "version" in record ? Number(record.version) : undefined

/** Creates idempotency keys. A request with the same body gets the same key each time it is sent. */
export function useIntentions() {
  const last = useRef({ body: "", key: "" })
  return {
    of(body: object): string {
      const text = JSON.stringify(body)
      if (last.current.body !== text) last.current = { body: text, key: newKey() }
      return last.current.key
    },
  }
}

/** Returns a random key. Over plain http there is no crypto.randomUUID. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  )

/** Runs one save at a time. A second click during a save does nothing. */
export function useAttempt() {
  const isRunning = useRef(false)
  const [isSaving, setSaving] = useState(false)
  const run = async (attempt: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setSaving(true)
    try {
      await attempt()
    } finally {
      isRunning.current = false
      setSaving(false)
    }
  }
  return { isSaving, run, isRunning: () => isRunning.current }
}
