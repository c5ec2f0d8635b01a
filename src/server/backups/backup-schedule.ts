import type { Config } from "../../config"
import type { BackgroundBackup } from "../../core/engine/backup/background-backup"
import type { Log } from "../../core/lib/process/log"
import { type BackupState, timeOf, type UploadState } from "../../storage/names"
import { backupFolder } from "./backup-folder"
import { backupUploads, type UploadTarget } from "./backup-uploads"

const checkEvery = 60_000

export type Deps = { config: Config; backups: BackgroundBackup; log: Log }

/** `backups` is null if Kontor makes none of the database. */
type ScheduleDeps = Omit<Deps, "backups"> & { backups: BackgroundBackup | null }

/**
 * Creates backups at fixed intervals, in a folder, in a bucket, or in both. An interval begins at the newest backup
 * there, so that a machine that is switched off every night creates its backup in the morning. A backup whose name has
 * a time in the future, or no valid time, is ignored and not deleted.
 */
export function backupSchedule({ config, backups, log }: ScheduleDeps, target: UploadTarget | null) {
  const { backupDir, backupEvery } = config
  const deps = backups && { config, backups, log }
  const folder = backupDir === null || !deps ? null : backupFolder(backupDir, deps)
  const latest = () => folder?.latest() ?? null
  const uploads = target && deps && backupUploads(target, deps, { latest, onRetry: () => void check() })
  // Separate, so that a slow upload does not delay the backups in the folder.
  const backUp = oneAtATime(async () => folder?.backUpIfDue())
  const upload = oneAtATime(async () => uploads?.uploadIfDue())
  let timer: Timer | undefined

  const check = async (): Promise<void> => {
    await backUp()
    await upload()
  }
  return {
    start() {
      if (!folder && !uploads) return
      void check()
      timer = setInterval(() => void check(), Math.min(checkEvery, backupEvery))
    },
    stop() {
      clearInterval(timer)
      uploads?.stop()
    },
    /** The path of the newest backup in the folder; null if there is none. */
    latest,
    /** The state of the uploads; null if backups are not uploaded. */
    uploadState: () => uploads?.state() ?? null,
    /** What became of the backups in each place. */
    states: (): BackupState[] => [
      ...(folder ? [folder.state()] : []),
      ...(uploads ? [stateOf(uploads.state())] : []),
    ],
  }
}

const stateOf = ({ latest, error }: UploadState): BackupState => ({
  place: "storage",
  latest: timeOf(latest),
  hasFailed: error !== null,
})

export type Schedule = ReturnType<typeof backupSchedule>

/** Does nothing while `work` is running. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    try {
      await work()
    } finally {
      isRunning = false
    }
  }
}
