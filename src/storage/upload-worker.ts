// Uploads a backup in a separate thread, because encrypting blocks the thread that does it.
import { runAfterRequests } from "../core/lib/process/priority"
import { upload, type Upload } from "./bucket"
import { storageError, type StorageFailure } from "./failure"

/** The result of an upload: the number of bytes, or why it failed. */
export type Result = { bytes: number } | { code: StorageFailure; message: string }

declare const self: Worker

runAfterRequests()

const report = (result: Result): void => self.postMessage(result)

self.onmessage = async ({ data }: MessageEvent<Upload>) => {
  try {
    report({ bytes: await upload(data) })
  } catch (error) {
    const { code, message } = storageError(error, data.bucket)
    report({ code, message })
  }
}
