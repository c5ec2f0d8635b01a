import { useForm, type UseFormReturnType } from "@mantine/form"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { ApiError, call, messageOf, type FieldError as Fault } from "../api/client"
import type { ApiAnswer as Answer, Kind, Kinds, Warning } from "../api/types"
import { useUnsavedGuard } from "./unsaved"

type Values = Record<string, unknown>
type Body = Record<string, unknown>

type Options<K extends Kind, V extends Values> = {
  kind: K
  /** The record as it was read; null for a new one. */
  record: Kinds[K] | null
  valuesOf: (record: Kinds[K] | null) => V
  /** What is sent of the values; empty inputs are sent as null. */
  bodyOf?: (values: V) => Body
  /** Fields that the server would change along with another, unless they are sent too. */
  companions?: Record<string, string>
  /** Where it is read and changed, when that is not below its kind. */
  path?: string
  /** Fields of a new record whose null says something; elsewhere null is the same as left out. */
  tellingNulls?: string[]
  onSaved: (saved: Kinds[K]) => void
}

/** Somebody else has saved the record meanwhile. */
export type Conflict<T> = { theirs: T; changes: { field: string; mine: unknown; theirs: unknown }[] }

/**
 * A form for one record. Only what was changed is sent, with the version it was changed from; the server's faults
 * stand beside their fields; a record that somebody else has changed is shown in both versions.
 */
export function useRecordForm<K extends Kind, V extends Values>(options: Options<K, V>) {
  type T = Kinds[K]
  const {
    kind,
    record,
    valuesOf,
    bodyOf = emptyAsNull,
    companions = {},
    tellingNulls = [],
    onSaved,
  } = options
  const pathOf = ({ id }: T) => options.path ?? `/${kind}/${id}`
  const client = useQueryClient()
  const [base, setBase] = useState<T | null>(record)
  const [fault, setFault] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict<T> | null>(null)
  const [isSaving, setSaving] = useState(false)
  const form = useForm<V>({ initialValues: valuesOf(record) })
  const keys = useIntentions()
  const release = useUnsavedGuard(form.isDirty())

  // What was read again meanwhile is what changes are made from, unless it differs in what is being edited here.
  useEffect(() => {
    if (!record || !base || (versionOf(record) ?? 0) <= (versionOf(base) ?? 0)) return
    const isEdited = form.isDirty()
    if (isEdited && !isSame(bodyOf(valuesOf(base)), bodyOf(valuesOf(record)))) return
    setBase(record)
    if (isEdited) return
    form.setValues(valuesOf(record))
    form.resetDirty(valuesOf(record))
  }, [record])

  const changesFrom = (from: T | null): Body => {
    const [before, after] = [bodyOf(valuesOf(from)), bodyOf(form.values)]
    const isNew = from === null
    const changes = Object.fromEntries(
      Object.entries(after).filter(([name, value]) =>
        isNew
          ? value !== undefined && (value !== null || tellingNulls.includes(name))
          : !isSame(before[name], value),
      ),
    )
    for (const [name, companion] of Object.entries(companions))
      if (!isNew && name in changes) changes[companion] = after[companion]
    return changes
  }

  const send = (body: Body, version: number | undefined): Promise<Answer<T>> =>
    base === null
      ? call<T>("POST", `/${kind}`, { body, idempotencyKey: keys.of(body) })
      : call<T>("PUT", pathOf(base), { body, version })

  const isUnderWay = useRef(false)
  const save = async (latest: T | null = base): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const body = changesFrom(base)
    setSaving(true)
    setFault(null)
    setConflict(null)
    form.clearErrors()
    try {
      const { data, warnings } = await send(body, versionOf(latest))
      setBase(data)
      form.setValues(valuesOf(data))
      form.resetDirty(valuesOf(data))
      client.setQueryData([kind, data.id], data)
      await client.invalidateQueries()
      tellWarnings(warnings)
      release()
      onSaved(data)
    } catch (error) {
      if (error instanceof ApiError && error.status === 412 && base) await showConflict(base, body)
      else if (error instanceof ApiError) setFault(placeFaults(form, error))
      else setFault(messageOf(error))
    } finally {
      isUnderWay.current = false
      setSaving(false)
    }
  }

  const showConflict = async (from: T, mine: Body) => {
    try {
      const { data: theirs } = await call<T>("GET", pathOf(from))
      const [before, after] = [bodyOf(valuesOf(from)), bodyOf(valuesOf(theirs))]
      const fields = Object.keys(after).filter((name) => name in mine || !isSame(before[name], after[name]))
      const changes = fields.map((field) => ({
        field,
        mine: field in mine ? mine[field] : undefined,
        theirs: after[field],
      }))
      setConflict({ theirs, changes })
    } catch (error) {
      setFault(messageOf(error))
    }
  }

  return {
    form,
    fault,
    conflict,
    isSaving,
    save: () => save(),
    /** Puts one's own changes on top of what the other has saved. */
    keepMine: () => conflict && save(conflict.theirs),
    /** Forgets one's own changes. */
    takeTheirs: () => {
      if (!conflict) return
      setBase(conflict.theirs)
      form.setValues(valuesOf(conflict.theirs))
      form.resetDirty(valuesOf(conflict.theirs))
      setConflict(null)
    },
  }
}

export type RecordFormState = Pick<
  ReturnType<typeof useRecordForm<Kind, Values>>,
  "fault" | "isSaving" | "save" | "keepMine" | "takeTheirs"
> & { conflict: Conflict<unknown> | null; form: { isDirty: () => boolean } }

const versionOf = (record: object | null): number | undefined =>
  record && "version" in record ? Number(record.version) : undefined

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Inputs know no null: what was left empty is. */
export function emptyAsNull(values: Values): Body {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === "" || value === undefined
        ? null
        : typeof value === "object" && value !== null && !Array.isArray(value)
          ? emptyAsNull(value as Values)
          : value,
    ]),
  )
}

/** Puts each fault beside its field; what belongs to no field of the form is returned to be shown above it. */
export function placeFaults<V extends Values>(form: UseFormReturnType<V>, error: ApiError): string | null {
  const placed = (fault: Fault) => (fault.field.split(/[.[]/)[0] ?? "") in form.values
  form.setErrors(
    Object.fromEntries(
      error.details.filter(placed).map(({ field, message }) => [toPath(field), message]),
    ) as never,
  )
  setTimeout(() => document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus(), 50)
  const others = error.details.filter((fault) => !placed(fault))
  if (error.details.length > 0 && others.length === 0 && error.code === "VALIDATION_ERROR") return null
  const rest = others.map(({ field, message }) => `${field} ${message}`).join("; ")
  return rest && error.code === "VALIDATION_ERROR" ? `${error.message} ${rest}.` : error.message
}

/** items[0].quantity → items.0.quantity */
const toPath = (field: string): string => field.replace(/\[(\d+)\]/g, ".$1")

export function tellWarnings(warnings: Warning[]): void {
  for (const { message } of warnings) notifications.show({ message, color: "yellow", autoClose: 8_000 })
}

/** The same body is the same intention, however often it is sent. */
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

/** Random, also where the page came over plain http and has no crypto.randomUUID. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  )
