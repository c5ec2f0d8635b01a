// Measures how much work of a server others wait for: a thread that sends GET /health continuously.

export type Question = { id: number; since: number }
/** `pause` is the time between two requests, in ms. So much of a block may be missed. */
export type Watching = { url: string; pid: number; pause: number }
export type WatcherMessage = Watching | Question | { stop: true }

/** A clock that is the same in every thread. */
export const millis = (): number => performance.timeOrigin + performance.now()

/** In ms. Without a response for so long, the server is blocked for ever. */
const patience = 5 * 60_000

export type Watch = ReturnType<typeof watchOf>

/** Watches a server until it is stopped. */
export function watchOf(url: string, pid: number, pause = 1) {
  const worker = new Worker(new URL("./cost-watcher.ts", import.meta.url).href)
  const open = new Map<number, (most: number) => void>()
  let nextId = 0
  worker.onmessage = ({ data }: MessageEvent<{ id: number; most: number }>) => {
    open.get(data.id)?.(data.most)
    open.delete(data.id)
  }
  worker.postMessage({ url, pid, pause } satisfies WatcherMessage)
  return {
    /**
     * The most CPU time, in ms, that the main thread of the server spent while one request waited for its response,
     * between `since` and shortly after now.
     */
    mostSince(since: number): Promise<number> {
      const id = nextId++
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(Infinity), patience)
        open.set(id, (most) => {
          clearTimeout(timer)
          resolve(most)
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
