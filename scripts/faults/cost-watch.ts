// Measures how long other clients wait: a thread that sends GET /health continuously.

export type Question = { id: number; since: number }
export type WatcherMessage = { url: string } | Question | { stop: true }

/** A clock that is the same in every thread. */
export const millis = (): number => performance.timeOrigin + performance.now()

/** A request that takes longer than this, in ms, is a problem. */
const timeout = 60_000

export type Watch = ReturnType<typeof watchOf>

/** Watches a server until it is stopped. */
export function watchOf(url: string) {
  const worker = new Worker(new URL("./cost-watcher.ts", import.meta.url).href)
  const open = new Map<number, (longest: number) => void>()
  let nextId = 0
  worker.onmessage = ({ data }: MessageEvent<{ id: number; longest: number }>) => {
    open.get(data.id)?.(data.longest)
    open.delete(data.id)
  }
  worker.postMessage({ url } satisfies WatcherMessage)
  return {
    /** The longest wait, in ms, between `since` and shortly after now. */
    longestSince(since: number): Promise<number> {
      const id = nextId++
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(millis() - since), timeout)
        open.set(id, (longest) => {
          clearTimeout(timer)
          resolve(longest)
        })
        worker.postMessage({ id, since } satisfies WatcherMessage)
      })
    },
    stop(): void {
      worker.postMessage({ stop: true } satisfies WatcherMessage)
      worker.terminate()
    },
  }
}
