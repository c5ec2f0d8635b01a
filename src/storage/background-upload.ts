import type { Upload } from "./bucket"
import { StorageError } from "./failure"
import type { Result } from "./upload-worker"

/** Uploads files in a background thread, one at a time, without blocking the server. */
export function backgroundUpload() {
  let stopRunning = (): void => {}

  const run = async (upload: Upload): Promise<number> => {
    const worker = new Worker(new URL("./upload-worker.ts", import.meta.url).href)
    try {
      return await new Promise<number>((resolve, reject) => {
        const fail = (message: string) => reject(new StorageError("FAILED", message))
        worker.onmessage = ({ data }: MessageEvent<Result>) =>
          "bytes" in data ? resolve(data.bytes) : reject(new StorageError(data.code, data.message))
        worker.onerror = (event) => fail(event.message || "The upload failed.")
        stopRunning = () => fail("The server was stopped.")
        worker.postMessage(upload)
      })
    } finally {
      worker.terminate()
    }
  }
  return { run, stop: () => stopRunning() }
}

export type BackgroundUpload = ReturnType<typeof backgroundUpload>
