// Runs queries of lists in a separate thread, because some of them read many rows.
import type { Database } from "./engine"
import { runAfterRequests } from "../lib/process/priority"
import { steadyMillis } from "../lib/clock"
import type { End } from "../lib/process/ending-worker"
import { placeOf } from "./place"
import { sentFailure, type SentFailure } from "./failures"

declare const self: Worker

export type ReaderQuestion = { id: number; file: string; sql: string; values: readonly (string | number)[] }
export type ReaderAnswer = { id: number; rows: unknown[]; took: number } | ({ id: number } & SentFailure)

runAfterRequests()

let db: Database | null = null

self.onmessage = ({ data }: MessageEvent<ReaderQuestion | End>) => {
  if ("end" in data) {
    db?.close()
    process.exit()
  }
  const { id, file, sql, values } = data
  try {
    db ??= placeOf(file).openReader()
    const began = steadyMillis()
    const rows = db.query(sql).all(...values)
    self.postMessage({ id, rows, took: steadyMillis() - began } satisfies ReaderAnswer)
  } catch (error) {
    self.postMessage({ id, ...sentFailure(error) } satisfies ReaderAnswer)
  }
}
