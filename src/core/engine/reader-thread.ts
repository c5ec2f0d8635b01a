import { EndingWorker } from "../lib/process/ending-worker"
import type { ReaderAnswer, ReaderQuestion } from "./reader-worker"
import { receivedFailure } from "./failures"

/** In milliseconds. The thread ends after this time without a query, because it takes memory. */
const longestIdle = 30_000

const stopping = "The server is stopping."

/** The rows of a query, and the milliseconds that it took. */
export type ReadRows = { rows: unknown[]; took: number }

type Waiting = { resolve: (read: ReadRows) => void; reject: (error: Error) => void }

/**
 * Runs queries in a separate thread, one after the other, so that reading many rows does not block requests. The thread
 * has its own connection, which sees everything that was committed before the query. It starts with the first query.
 */
export function readerThread(file: string) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let lastId = 0
  let timer: Timer | undefined
  let isStopped = false

  function end(reason: string): void {
    clearTimeout(timer)
    worker?.terminate()
    worker = null
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }

  function onAnswer(answer: ReaderAnswer): void {
    const asked = waiting.get(answer.id)
    // A thread that has ended may have sent an answer before.
    if (!waiting.delete(answer.id)) return
    if (waiting.size === 0) timer = setTimeout(() => end("The thread was idle."), longestIdle).unref()
    if ("error" in answer) asked?.reject(receivedFailure(answer))
    else asked?.resolve(answer)
  }

  function started(): Worker {
    const thread = startWorker(onAnswer, (reason) => void (worker === thread && end(reason)))
    return thread
  }

  return {
    read(sql: string, values: readonly (string | number)[]): Promise<ReadRows> {
      if (isStopped) return Promise.reject(new Error(stopping))
      clearTimeout(timer)
      worker ??= started()
      const { promise, resolve, reject } = Promise.withResolvers<ReadRows>()
      waiting.set(++lastId, { resolve, reject })
      worker.postMessage({ id: lastId, file, sql, values } satisfies ReaderQuestion)
      return promise
    },

    /** Ends the thread and all queries that wait. Later queries fail. */
    stop(): void {
      isStopped = true
      end(stopping)
    },
  }
}

function startWorker(onAnswer: (answer: ReaderAnswer) => void, onEnd: (reason: string) => void): Worker {
  const thread = new EndingWorker(new URL("./reader-worker.ts", import.meta.url).href, { smol: true })
  thread.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => onAnswer(data)
  thread.onerror = ({ message }) => onEnd(message)
  thread.addEventListener("close", () => onEnd("The thread has ended."))
  return thread
}

export type ReaderThread = ReturnType<typeof readerThread>
