import type { Database } from "../engine"
import { Unusable } from "../../lib/refusal"
import { backUp, type CopyOptions } from "./backup"
import type { BackupOrder } from "./backup-worker"
import { keptDescriptor } from "./files"

/** Creates backups in a background thread, one at a time, without blocking the server. */
export function backgroundBackup(db: Database, source: string, options: CopyOptions = {}) {
  let last: Promise<void> = Promise.resolve()
  let isBusy = false

  const run = async (target: string): Promise<void> => {
    // Only this thread can read an in-memory database.
    if (source === ":memory:") return backUp({ db, file: source }, target)
    const worker = new Worker(new URL("./backup-worker.ts", import.meta.url).href)
    try {
      const message = await new Promise<string | null>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<{ error: string | null }>) => resolve(data.error)
        worker.onerror = (event) => resolve(event.message || "The backup failed.")
        const descriptor = process.platform === "win32" ? null : keptDescriptor(source)
        worker.postMessage({ source, target, descriptor, options } satisfies BackupOrder)
      })
      if (message !== null) throw new Unusable(message)
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
