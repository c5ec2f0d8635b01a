// Creates backups in a separate thread, because copying blocks the thread that does it.
import { setPriority } from "node:os"
import { backUp } from "./backup"
import { openToLook } from "./open"

declare const self: Worker

// With fewer cores than threads, requests take priority over backups. Only Linux has a priority per thread.
if (process.platform === "linux") setPriority(0, 10)

self.onmessage = ({ data: { source, target } }: MessageEvent<{ source: string; target: string }>) => {
  try {
    const db = openToLook(source)
    try {
      backUp(db, source, target)
    } finally {
      db.close()
    }
    self.postMessage({ error: null })
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
}
