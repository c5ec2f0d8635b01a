import { clock } from "../../core/lib/clock"
import type { Database } from "../../core/engine/engine"
import { snapshotSource } from "../../core/engine/place"
import { type Client, disconnected } from "../../core/http/answer/download"
import { gate } from "../../core/lib/gate"
import type { Log } from "../../core/lib/process/log"
import { Refusal } from "../../core/lib/refusal"
import type { Exportable, ExportJob, InTable, Written } from "./model"
import { receiving, type ExportThread } from "./receiving"
import { type Batches, rowPerLine, type ShownRecord } from "../sheets/write/records"
import { csvText } from "../sheets/write/csv"
import { ndjsonText } from "../sheets/write/ndjson"
import { xlsxBytes } from "../sheets/write/xlsx"

const longestQueue = 20

type Deps = {
  db: Database
  /** The path of the database file, or `:memory:`. */
  file: string
  /** Starts the thread that reads and writes. */
  newThread: () => ExportThread
  log: Log
}

/**
 * Runs exports in background threads, a few at a time. The exports of a user wait for each other, because a slow client can
 * hold its place for hours.
 */
export function exporter({ db, file, newThread, log }: Deps) {
  const running = new Set<ReturnType<typeof receiving>>()
  const enter = gate({
    atOnce: 4,
    perShare: 1,
    longest: longestQueue,
    message: "Too many exports are waiting. Try again in a minute.",
  })

  const begin = (job: ExportJob, client: Client) => {
    const thread = newThread()
    const output = receiving(thread, client)
    const source = snapshotSource(db, file)
    thread.postMessage(
      { job, source, at: clock.business() },
      typeof source === "string" ? [] : [source.buffer],
    )
    return output
  }

  return {
    /**
     * Starts an export when it is its turn. Returns its stream when the first bytes are there, so that a failure before
     * that is an error response. `share` is the user that waits.
     */
    start(share: string, client: Client, job: ExportJob): Promise<ReadableStream<Uint8Array>> {
      const begun = Promise.withResolvers<ReadableStream<Uint8Array>>()
      const run = async () => {
        if (client.signal.aborted) throw disconnected()
        client.assertStillMay()
        const output = begin(job, client)
        running.add(output)
        try {
          begun.resolve(await output.begin())
          const failure = await output.ended
          const cause = failure instanceof Refusal ? failure.cause : failure
          if (cause instanceof Error) log.error("An export failed.", { error: cause.stack ?? cause.message })
        } finally {
          running.delete(output)
        }
      }
      enter(share, run).catch(begun.reject)
      return begun.promise
    },

    /** Ends the exports in progress, when the server stops. */
    stop(): void {
      for (const output of running) output.end(new Refusal("SERVICE_UNAVAILABLE", "Kontor is stopping."))
    },
  }
}

export type Exporter = ReturnType<typeof exporter>

/** The number of records that are in memory at once. A document can have hundreds of lines. */
const recordsAtOnce = 50

/** Reads records by their ids, in their order, some at a time. */
export async function* batchesOf(
  ids: Iterable<string>,
  findMany: Exportable["findMany"],
): AsyncGenerator<ShownRecord[], undefined> {
  let some: string[] = []
  for (const id of ids) {
    some.push(id)
    if (some.length < recordsAtOnce) continue
    yield (await findMany(some, null)) as ShownRecord[]
    some = []
  }
  if (some.length > 0) yield (await findMany(some, null)) as ShownRecord[]
  return undefined
}

export type Pieces = AsyncIterable<string | Uint8Array>

export function listFile(batches: Batches, kind: string, written: Written, inTable: InTable): Pieces {
  if (written.format === "ndjson") return ndjsonText(batches, written.fields)
  const records = mapped(batches, inTable)
  const shown = written.lines === null ? records : rowPerLine(records, written.lines)
  return written.format === "xlsx"
    ? (xlsxBytes(shown, written.columns, { name: kind, digits: written.digits }) as unknown as Pieces)
    : csvText(shown, written.columns, written.style)
}

async function* mapped(batches: Batches, convert: InTable): AsyncGenerator<ShownRecord[], undefined> {
  for await (const records of batches) yield convert(records)
  return undefined
}
