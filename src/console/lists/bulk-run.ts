import type { ReactNode } from "react"
import { call, type DownloadedFile, messageOf } from "../api/client"
import { ApiError, type FieldError } from "../api/send"
import type { Kind } from "../api/types"
import type { ErrorParams } from "../../core/lib/refusal"
import { errorMessage } from "../texts/errors"
import type { Texts } from "../texts/texts"
import { patiently } from "./patiently"

/** One operation of `POST /{kind}/batch`. */
export type Operation = { op: "update" | "delete" | "send"; id: string; ifMatch?: string; body?: object }

type Described<T> = {
  label: string
  /** What it does, for the messages that tell what was done and what failed. */
  done: keyof Texts["lists"]["done"]
  isDangerous?: boolean
  /** Says before the action what it would do: with the first of the selected records, and the number of all. */
  about?: { most: number; tell: (rows: readonly T[], count: number) => Promise<ReactNode> }
  /** Returns the operation that takes the action back for a record, or null if the action has not changed the record. */
  undo?: (row: T) => Operation | null
  /** Returns why the action does not apply to a record, or null if it applies. */
  refusal?: (row: T) => string | null
  /** Says why the server refused the action for a record, if that is clearer than the words of the error itself. */
  explain?: (row: T, error: ApiError) => string | null
}

/** An action that changes many records. */
export type ChangeAction<T> = Described<T> &
  ({ operation: (row: T) => Operation } | { run: (row: T) => Promise<unknown> })

/** An action that downloads one file for each record. They are saved as one zip. */
export type DownloadAction<T> = Described<T> & {
  download: (row: T, signal: AbortSignal) => Promise<DownloadedFile>
}

/** An action on many records. */
export type BulkAction<T> = ChangeAction<T> | DownloadAction<T>

/** A record that an action failed for, and why. */
export type Failure<T> = { row: T; message: string }

/** The number of records in one request. The user can stop an action between two requests. */
const sliceSize = 100

type Run<T> = {
  kind: Kind
  rows: readonly T[]
  action: ChangeAction<T>
  signal: AbortSignal
  onProgress: (finished: number, failed: number) => void
  /** True if the server shall only say what would fail. */
  isDry?: boolean
}

/** The versions of records after an action, by their ids. */
export type Versions = ReadonlyMap<string, number>

/**
 * Runs an action on records, up to 100 in each request. Returns the failures, the records that were not reached, and the
 * versions of the others.
 */
export async function runBulk<T>({ rows, action, signal, onProgress, ...rest }: Run<T>) {
  const failures: Failure<T>[] = []
  const versions = new Map<string, number>()
  const size = "operation" in action ? sliceSize : 1
  let finished = 0
  while (finished < rows.length && !signal.aborted) {
    const slice = rows.slice(finished, finished + size)
    failures.push(...(await runSlice({ ...rest, action, signal, versions }, slice)))
    finished += slice.length
    onProgress(finished, failures.length)
  }
  return { failures, unreached: rows.slice(finished), versions }
}

type Slice<T> = Pick<Run<T>, "kind" | "action" | "signal" | "isDry"> & { versions: Map<string, number> }

async function runSlice<T>(slice: Slice<T>, rows: readonly T[]): Promise<Failure<T>[]> {
  const { action, signal } = slice
  const refusalOf = action.refusal ?? (() => null)
  const refused = rows.flatMap((row) => {
    const message = refusalOf(row)
    return message === null ? [] : [{ row, message }]
  })
  const allowed = rows.filter((row) => refusalOf(row) === null)
  if (allowed.length === 0) return refused
  try {
    if ("run" in action) for (const row of allowed) await patiently(() => action.run(row), signal)
    else return [...refused, ...(await runBatch(slice, allowed, action.operation))]
    return refused
  } catch (error) {
    return [...refused, ...allowed.map((row) => ({ row, message: messageOf(error) }))]
  }
}

/**
 * Takes an action back, for records that nobody has changed since. Returns the number of records, and those for which it
 * failed.
 */
export async function undoBulk<T>(
  kind: Kind,
  rows: readonly T[],
  undo: (row: T) => Operation | null,
  versions: Versions,
) {
  const changed = rows.filter((row) => undo(row) !== null)
  const operation = (row: T): Operation => {
    const taken = undo(row) as Operation
    const version = versions.get(taken.id)
    return version === undefined ? taken : { ...taken, ifMatch: String(version) }
  }
  const action = { label: "", done: "activated", operation } as const
  const { signal } = new AbortController()
  const { failures } = await runBulk<T>({ kind, rows: changed, action, signal, onProgress: () => {} })
  return { count: changed.length - failures.length, failures }
}

type Result = {
  status: number
  data?: { id: string; version?: number } | null
  error?: { code: string; message: string; params?: ErrorParams; details: FieldError[] }
}

async function runBatch<T>(
  { kind, action, signal, isDry = false, versions }: Slice<T>,
  rows: readonly T[],
  operationOf: (row: T) => Operation,
) {
  const body = { mode: "each", operations: rows.map(operationOf) }
  const path = `/${kind}/batch${isDry ? "?dryRun=true" : ""}`
  const { data } = await patiently(() => call<{ results: Result[] }>("POST", path, { body }), signal)
  return rows.flatMap((row, i): Failure<T>[] => {
    const { status = 0, error, data: after } = data.results[i] ?? {}
    if (after?.version !== undefined) versions.set(after.id, after.version)
    if (!error) return []
    const { code, details, params } = error
    const refused = new ApiError(status, code, errorMessage(error), details, params)
    return [{ row, message: action.explain?.(row, refused) ?? messageOf(refused) }]
  })
}

/** The number of records whose deletion can wait: as many as a browser sends when its page is closed. */
export const mostHeld = 500

/** Begins to delete records with as few requests as possible, because the page is closed. */
export const deleteAtOnce = <T>(
  kind: Kind,
  rows: readonly T[],
  operationOf: (row: T) => Operation,
): Promise<unknown> =>
  Promise.allSettled(
    Array.from({ length: Math.ceil(rows.length / sliceSize) }, (_, i) => {
      const some = rows.slice(i * sliceSize, (i + 1) * sliceSize)
      const body = { mode: "each", operations: some.map(operationOf) }
      return call("POST", `/${kind}/batch`, { body, keepalive: true })
    }),
  )
