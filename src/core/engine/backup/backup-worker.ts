// Creates backups in a separate thread, because copying blocks the thread that does it.
import { setPriority } from "node:os"
import { backUp, type CopyOptions } from "./backup"
import { keepDescriptor } from "./files"
import { openToLook } from "../sqlite/open"
import { messageOf } from "../../lib/refusal"

declare const self: Worker

export type BackupOrder = {
  source: string
  target: string
  /** A descriptor of the source that the process keeps; null on Windows, which does not need it. */
  descriptor: number | null
  options: CopyOptions
}

// With fewer cores than threads, requests take priority over backups. Only Linux has a priority per thread.
if (process.platform === "linux") setPriority(0, 10)

self.onmessage = async ({ data }: MessageEvent<BackupOrder>) => {
  try {
    await work(data)
    self.postMessage({ error: null })
  } catch (error) {
    self.postMessage({ error: messageOf(error) })
  }
}

async function work({ source, target, descriptor, options }: BackupOrder): Promise<void> {
  if (descriptor !== null) keepDescriptor(source, descriptor)
  const db = openToLook(source)
  try {
    await backUp({ db, file: source }, target, options)
  } finally {
    db.close()
  }
}
