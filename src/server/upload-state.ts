import { real } from "../core/lib/clock"
import { textOf } from "../storage/address"
import { storageError } from "../storage/failure"
import type { UploadState } from "../storage/names"
import type { UploadTarget } from "./backup-uploads"

const minute = 60_000

/** How long to wait after the first failed upload, the second one, and so on, in milliseconds. */
const waits = [5_000, minute, 5 * minute, 15 * minute, 60 * minute]

/** What is known of the backups in a bucket, and how often in a row uploads have failed. */
export function uploadState({ address, bucket, passphrase }: UploadTarget) {
  let newest: string | null | undefined
  let error: UploadState["error"] = null
  let failures = 0
  const succeeded = (): void => {
    error = null
    failures = 0
  }
  return {
    /** The newest name in the bucket; null if there is none, undefined if it is not known yet. */
    newest: () => newest,
    found(name: string | null) {
      newest = name
    },
    uploaded(name: string) {
      newest = name
      succeeded()
    },
    succeeded,
    /** Stores why an upload failed. Returns the reason, and how long to wait for the next one. */
    failed(reason: unknown): { message: string; wait: number } {
      const { code, message } = storageError(reason, bucket)
      error = { code, message, failedAt: real.now() }
      const wait = waits[Math.min(failures, waits.length - 1)] ?? minute
      failures++
      return { message, wait }
    },
    now: (): UploadState => ({
      target: textOf(address),
      isEncrypted: passphrase !== null,
      latest: newest ? textOf({ ...address, path: address.path + newest }) : null,
      error,
    }),
  }
}
