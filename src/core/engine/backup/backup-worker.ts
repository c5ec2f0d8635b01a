// Creates backups in a separate thread, because copying blocks the thread that does it.
import { runAfterRequests } from "../../lib/process/priority"
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

runAfterRequests()

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
