import type { CopyAnswer, CopyOrder } from "./copy-worker"
import type { Notes } from "./page"

/** Copies a database in a separate thread. `stop` ends the copy, and `done` resolves when the thread does nothing more. */
export function copyInThread(order: Omit<CopyOrder, "stop">): { done: Promise<Notes>; stop: () => void } {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL("./copy-worker.ts", import.meta.url).href, { smol: true })
  const { promise, resolve, reject } = Promise.withResolvers<Notes>()
  thread.onmessage = ({ data }: MessageEvent<CopyAnswer>) =>
    "error" in data ? reject(Object.assign(new Error(data.error), { code: data.code })) : resolve(data.notes)
  thread.onerror = ({ message }) => reject(new Error(message || "the copy failed"))
  thread.postMessage({ ...order, stop } satisfies CopyOrder)
  return {
    done: promise.finally(() => thread.terminate()),
    stop: () => void Atomics.store(stop, 0, 1),
  }
}
