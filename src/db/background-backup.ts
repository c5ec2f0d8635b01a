import type { Database } from "bun:sqlite"
import { Unusable } from "../lib/unusable"
import { backUp } from "./backup"

/** Makes copies without holding the server, one at a time. */
export function backgroundBackup(db: Database, source: string) {
  let last: Promise<void> = Promise.resolve()
  let isBusy = false

  const run = async (target: string): Promise<void> => {
    // What is in memory only this thread can read.
    if (source === ":memory:") return backUp(db, source, target)
    const worker = new Worker(new URL("./backup-worker.ts", import.meta.url).href)
    try {
      const fault = await new Promise<string | null>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<{ fault: string | null }>) => resolve(data.fault)
        worker.onerror = (event) => resolve(event.message || "The copying failed.")
        worker.postMessage({ source, target })
      })
      if (fault !== null) throw new Unusable(fault)
    } finally {
      worker.terminate()
    }
  }

  return {
    isBusy: () => isBusy,
    copyTo(target: string): Promise<void> {
      const mine = last.then(async () => {
        isBusy = true
        try {
          await run(target)
        } finally {
          isBusy = false
        }
      })
      last = mine.catch(() => {})
      return mine
    },
  }
}

export type BackgroundBackup = ReturnType<typeof backgroundBackup>
