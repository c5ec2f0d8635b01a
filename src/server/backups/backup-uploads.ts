import { rmSync } from "node:fs"
import { basename } from "node:path"
import { temporaryFolderOf } from "../../core/engine/backup/backup"
import { deleteUploads, uploadIn } from "../../core/engine/backup/unfinished"
import { clock, real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { textOf, type Address } from "../../storage/address"
import { backgroundUpload, type BackgroundUpload } from "../../storage/background-upload"
import { list, remove, type Bucket } from "../../storage/bucket"
import { storageError } from "../../storage/failure"
import { backupName, countedNames, encryptedName, madeAt, type UploadState } from "../../storage/names"
import type { Deps } from "./backup-schedule"
import { reportOnce } from "./backup-folder"

/** Where backups are uploaded to. They are encrypted if there is a passphrase. */
export type UploadTarget = { address: Address; bucket: Bucket; passphrase: string | null }

type Local = {
  /** The path of the newest backup in the folder; null if there is none. */
  latest: () => string | null
  /** Called when a failed upload should be tried again. */
  onRetry: () => void
}

/**
 * Automatic backups in a bucket: the newest backup of the folder, or a backup that is made for the upload if the folder
 * has no newer one. Failures are logged, and tried again after some time.
 */
export function backupUploads(target: UploadTarget, deps: Deps, { latest, onRetry }: Local) {
  const { config, log } = deps
  const thread = backgroundUpload()
  const bucket = bucketBackups(target, deps)
  const state = uploadState(target)
  let isStopped = false
  let retry: Timer | undefined
  if (config.db !== ":memory:") deleteUploads(temporaryFolderOf(config.db))

  const retryLater = (error: unknown): void => {
    if (isStopped) return
    const { message, wait } = state.failed(error)
    const nextAttemptAt = later(real.now(), wait)
    log.error("A backup could not be uploaded.", {
      target: textOf(target.address),
      error: message,
      nextAttemptAt,
    })
    retry = setTimeout(() => {
      retry = undefined
      onRetry()
    }, wait)
  }
  return {
    async uploadIfDue(): Promise<void> {
      if (retry || !mayBeDue(state.newest(), latest(), config.backupEvery)) return
      await attempt({ target, deps, thread, bucket, state, latest }).catch(retryLater)
    },
    state: state.now,
    stop() {
      isStopped = true
      clearTimeout(retry)
      thread.stop()
    },
  }
}

type Attempt = {
  target: UploadTarget
  deps: Deps
  thread: BackgroundUpload
  bucket: ReturnType<typeof bucketBackups>
  state: ReturnType<typeof uploadState>
  latest: Local["latest"]
}

/** Uploads a backup if the bucket needs one, and deletes the oldest there. */
async function attempt({ target, deps, thread, bucket, state, latest }: Attempt): Promise<void> {
  const { config, log } = deps
  state.found(await bucket.newest())
  const local = latest()
  if (isNewer(local, state.newest())) state.uploaded(await send(target, thread, local))
  else if (isDue(state.newest(), config.backupEvery)) state.uploaded(await sendNew(target, thread, deps))
  else return state.succeeded()
  log.info("A backup was uploaded.", { file: state.now().latest })
  await bucket.deleteOld()
}

/** The bucket is asked only if a backup may be due: `newest` is what is known of it, undefined before the first time. */
const mayBeDue = (newest: string | null | undefined, local: string | null, every: number): boolean =>
  newest === undefined || isNewer(local, newest) || isDue(newest, every)

const isDue = (newest: string | null | undefined, every: number): boolean =>
  clock.real() - millisOfFile(newest) >= every

const isNewer = (local: string | null, newest: string | null | undefined): local is string =>
  local !== null && millisOfFile(local) > millisOfFile(newest)

const millisOfFile = (file: string | null | undefined): number => madeAt(file ? basename(file) : undefined)

function bucketBackups({ address, bucket }: UploadTarget, { config, log }: Deps) {
  const report = reportOnce(log)
  const names = async (): Promise<string[]> => {
    const paths = await list(bucket, `${address.path}kontor-`)
    return countedNames(
      paths.map((path) => path.slice(address.path.length)),
      (name) => report(textOf({ ...address, path: address.path + name })),
    )
  }
  return {
    newest: async (): Promise<string | null> => (await names()).at(-1) ?? null,
    /** Deletes the oldest backups. A failure is only logged: they are deleted after the next upload. */
    async deleteOld(): Promise<void> {
      try {
        for (const old of (await names()).slice(0, -config.backupKeep))
          await remove(bucket, address.path + old)
      } catch (error) {
        log.error("Old backups could not be deleted.", {
          target: textOf(address),
          error: storageError(error, bucket).message,
        })
      }
    },
  }
}

/** Uploads a backup under its name. Returns the name in the bucket. */
async function send(target: UploadTarget, thread: BackgroundUpload, file: string, name = basename(file)) {
  const { address, bucket, passphrase } = target
  const stored = passphrase === null ? name : encryptedName(name)
  await thread.run({ bucket, file, path: address.path + stored, passphrase })
  return stored
}

/** Makes a backup next to the database, uploads it and deletes it. */
async function sendNew(target: UploadTarget, thread: BackgroundUpload, { config, backups }: Deps) {
  const file = uploadIn(temporaryFolderOf(config.db))
  const name = backupName()
  try {
    await backups.copyTo(file)
    return await send(target, thread, file, name)
  } finally {
    rmSync(file, { force: true })
  }
}

const minute = 60_000

/** How long to wait after the first failed upload, the second one, and so on, in milliseconds. */
const waits = [5_000, minute, 5 * minute, 15 * minute, 60 * minute]

/** What is known of the backups in a bucket, and how often in a row uploads have failed. */
function uploadState({ address, bucket, passphrase }: UploadTarget) {
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
