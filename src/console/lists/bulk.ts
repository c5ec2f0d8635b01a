import { call, messageOf, type DownloadedFile } from "../api/client"
import { ApiError, type FieldError } from "../api/send"
import type { Kind } from "../api/types"
import type { Texts } from "../texts/texts"
import { patiently } from "./read-all"

/** One operation of `POST /{kind}/batch`. */
type Operation = { op: "update" | "delete"; id: string; ifMatch?: string; body?: object }

type Described<T> = {
  label: string
  /** What it does, for the messages that tell what was done and what failed. */
  done: keyof Texts["lists"]["done"]
  isDangerous?: boolean
  /** Returns the operation that takes the action back for a record, or null if the action has not changed the record. */
  undo?: (row: T) => Operation | null
  /** Returns why the action does not apply to a record, or null if it applies. */
  refusal?: (row: T) => string | null
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
}

/** Runs an action on records, up to 100 in each request. Returns the failures, and the records that were not reached. */
export async function runBulk<T>({ kind, rows, action, signal, onProgress }: Run<T>) {
  const failures: Failure<T>[] = []
  const size = "operation" in action ? sliceSize : 1
  let finished = 0
  while (finished < rows.length && !signal.aborted) {
    const slice = rows.slice(finished, finished + size)
    failures.push(...(await runSlice(kind, action, slice, signal)))
    finished += slice.length
    onProgress(finished, failures.length)
  }
  return { failures, unreached: rows.slice(finished) }
}

async function runSlice<T>(
  kind: Kind,
  action: ChangeAction<T>,
  rows: readonly T[],
  signal: AbortSignal,
): Promise<Failure<T>[]> {
  const refusalOf = action.refusal ?? (() => null)
  const refused = rows.flatMap((row) => {
    const message = refusalOf(row)
    return message === null ? [] : [{ row, message }]
  })
  const allowed = rows.filter((row) => refusalOf(row) === null)
  if (allowed.length === 0) return refused
  try {
    if ("run" in action) for (const row of allowed) await patiently(() => action.run(row), signal)
    else return [...refused, ...(await runBatch(kind, allowed, action.operation, signal))]
    return refused
  } catch (error) {
    return [...refused, ...allowed.map((row) => ({ row, message: messageOf(error) }))]
  }
}

/** Takes an action back. Returns the number of records, and those for which it failed. */
export async function undoBulk<T>(kind: Kind, rows: readonly T[], undo: (row: T) => Operation | null) {
  const changed = rows.filter((row) => undo(row) !== null)
  const operation = (row: T) => undo(row) as Operation
  const action = { label: "", done: "activated", operation } as const
  const { signal } = new AbortController()
  const { failures } = await runBulk<T>({ kind, rows: changed, action, signal, onProgress: () => {} })
  return { count: changed.length - failures.length, failures }
}

type Result = { status: number; error?: { code: string; message: string; details: FieldError[] } }

async function runBatch<T>(
  kind: Kind,
  rows: readonly T[],
  operationOf: (row: T) => Operation,
  signal: AbortSignal,
) {
  const body = { mode: "each", operations: rows.map(operationOf) }
  const send = () => call<{ results: Result[] }>("POST", `/${kind}/batch`, { body })
  const { data } = await patiently(send, signal)
  return rows.flatMap((row, i): Failure<T>[] => {
    const { status = 0, error } = data.results[i] ?? {}
    if (!error) return []
    return [{ row, message: messageOf(new ApiError(status, error.code, error.message, error.details)) }]
  })
}
