import { basename } from "node:path"
import { real } from "../core/lib/clock"
import { millisOf } from "../shared/dates"
import type { StorageFailure } from "./failure"

const form = /^kontor-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.db(\.age)?$/

/** The name of a backup that is created now. */
export const backupName = (): string => `kontor-${real.now().slice(0, 19).replaceAll(":", "")}Z.db`

/** The name of the encrypted form of a backup. The `age` program uses this suffix too. */
export const encryptedName = (name: string): string => `${name}.age`

/** The time in the name of a backup, in milliseconds since 1970; -Infinity without a name, NaN if it is not valid. */
export function madeAt(name: string | undefined): number {
  const [, day, hours, minutes, seconds] = form.exec(name ?? "") ?? []
  return day ? millisOf(`${day}T${hours}:${minutes}:${seconds}Z`) : -Infinity
}

/** The time of a backup, from its path; null if there is none. */
export function timeOf(path: string | null): number | null {
  const time = path === null ? NaN : madeAt(basename(path))
  return Number.isFinite(time) ? time : null
}

/**
 * The names of backups with a valid time, the oldest first. Other files are left out. A backup whose name has a time
 * in the future, or no valid time, is passed to `report` and left out: if it counted as the newest one, no other backup
 * would be created.
 */
export function countedNames(names: readonly string[], report: (name: string) => void): string[] {
  const latest = real.latestMillis()
  return names
    .filter((name) => form.test(name))
    .toSorted()
    .filter((name) => {
      if (madeAt(name) <= latest) return true
      report(name)
      return false
    })
}

/** The state of the uploads of automatic backups, as `GET /backups` returns it. */
export type UploadState = {
  target: string
  isEncrypted: boolean
  /** The address of the newest backup there; null if there is none, or if it is not known yet. */
  latest: string | null
  /** Why the last upload failed; null if it did not. */
  error: { code: StorageFailure; message: string; failedAt: string } | null
}

/** The state of automatic backups in a folder or in storage. */
export type BackupState = {
  place: "folder" | "storage"
  /** When the newest backup was made, in milliseconds since 1970; null if there is none, or if it is not known yet. */
  latest: number | null
  hasFailed: boolean
}
