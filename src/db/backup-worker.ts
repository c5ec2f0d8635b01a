// A thread of its own for copies: copying holds whoever does it, and nobody should have to wait for that.
import { backUp } from "./backup"
import { openToLook } from "./open"

declare const self: Worker

self.onmessage = ({ data: { source, target } }: MessageEvent<{ source: string; target: string }>) => {
  try {
    const db = openToLook(source)
    try {
      backUp(db, source, target)
    } finally {
      db.close()
    }
    self.postMessage({ fault: null })
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) })
  }
}
