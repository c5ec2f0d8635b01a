import type { StorageFailure } from "./failure"

/** The state of the uploads of automatic backups, as `GET /backups` returns it. */
export type UploadState = {
  /** The address that backups are uploaded to. */
  target: string
  isEncrypted: boolean
  /** The address of the newest backup there; null if there is none, or if it is not known yet. */
  latest: string | null
  /** Why the last upload failed; null if it did not. */
  error: { code: StorageFailure; message: string; failedAt: string } | null
}
