// A thread of its own for copies: copying holds whoever does it, and nobody should have to wait for that.
import { setPriority } from "node:os"
import { backUp } from "./backup"
import { openToLook } from "./open"

declare const self: Worker

// Where there are fewer cores than threads, whoever waits for an answer goes first. Only Linux does this for one thread.
if (process.platform === "linux") setPriority(0, 10)

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
