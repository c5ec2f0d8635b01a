import { Type } from "@sinclair/typebox"
import { createReadStream, openSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { BackgroundBackup } from "../../core/engine/backup/background-backup"
import { noBackups } from "../../core/engine/place"
import type { Connection } from "../../core/http/request/call"
import { download, type Source } from "../../core/http/answer/download"
import { ok } from "../../core/http/answer/envelope"
import { checked, get, handled, type RouteCall, type Route } from "../../core/http/route/route"
import type { Writes } from "../../core/http/request/write"
import { Refusal } from "../../core/lib/refusal"
import { emptyBody } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import { backupName, type UploadState } from "../../storage/names"
import { BackupFiles } from "./model"

type Deps = {
  /** Null if Kontor makes no backups of the database. */
  backups: BackgroundBackup | null
  /** The database file. The backup is created in the same folder. */
  file: string
  /** The newest automatic backup; null if there is none. */
  latestBackup: () => string | null
  /** The state of the uploads of automatic backups; null if they are not uploaded. */
  uploadState: () => UploadState | null
  keepOpen: Connection["keepOpen"]
  writes: Writes
}

const may = { area: "administration", scope: "admin", personal: true } as const

/** A backup of the whole database, and the files that a restore needs, for an admin who signed in. */
export const backupRoutes = (deps: Deps): Route[] => [
  get(
    "/backups",
    {
      may,
      id: "getBackupFiles",
      tag: "backups",
      summary: "Get the paths of the database and of the newest automatic backup",
      description:
        "The paths on the machine of the server, for the command `kontor restore`, and the state of the uploads of automatic backups. For an admin who signed in.",
      refuses: [501],
      answer: { status: 200, description: "The paths and the state of the uploads.", schema: BackupFiles },
    },
    ({ call }) => {
      readParams(call.query)
      supported(deps)
      const latest = deps.latestBackup()
      return ok({
        database: deps.file === ":memory:" ? null : resolve(deps.file),
        latestBackup: latest && resolve(latest),
        upload: deps.uploadState(),
      })
    },
  ),
  handled(
    "POST",
    "/backups",
    {
      may,
      id: "createBackup",
      tag: "backups",
      summary: "Download a backup",
      description:
        "A consistent backup of the database, verified before it is sent, without sessions and signing secrets. `kontor restore` restores it. For an admin who signed in. Returns 503 while another backup is being created.",
      body: checked(emptyBody),
      refuses: [501],
      answer: {
        status: 200,
        description: "The SQLite file.",
        type: "application/vnd.sqlite3",
        schema: Type.String({ format: "binary" }),
      },
    },
    (context) => sendBackup(context, deps),
  ),
]

/** Refuses when Kontor makes no backups of the database. */
function supported({ backups }: Deps): BackgroundBackup {
  if (!backups) throw new Refusal("NOT_SUPPORTED", noBackups)
  return backups
}

async function sendBackup({ call, request, set }: RouteCall, deps: Deps) {
  const backups = supported(deps)
  const { file, keepOpen, writes } = deps
  if (backups.isBusy())
    throw new Refusal("SERVICE_UNAVAILABLE", "Another backup is being created. Try again when it is done.", {
      headers: { "retry-after": "10" },
    })
  keepOpen(request, 0)
  const name = backupName()
  // The file is created in the folder of the database, which has enough space, and deleted when it is sent. After a
  // power cut it may still be there; a later backup recognizes it by its name and deletes it.
  const folder = file === ":memory:" ? tmpdir() : dirname(file)
  const path = join(folder, `.download.${crypto.randomUUID()}.unfinished`)
  await backups.copyTo(path)
  try {
    await writes.runWrite(call, (tx) => tx.audit("backups.create", null))
    Object.assign(set.headers, {
      "content-type": "application/vnd.sqlite3",
      "content-disposition": `attachment; filename="${name}"`,
      "content-length": String(statSync(path).size),
    })
    const client = {
      signal: call.signal(),
      assertStillMay: () => writes.assertStillMay(call),
      onLast: call.keepOpen,
    }
    return new Response(download(opened(path), client).begin())
  } finally {
    rmSync(path, { force: true })
  }
}

/** Opens a file at once, so that it can be deleted. It is closed at the end, also if it is not read completely. */
function opened(path: string): Source {
  const file = createReadStream("", { fd: openSync(path, "r") })
  const parts = file[Symbol.asyncIterator]()
  return {
    async take() {
      const { value, done } = await parts.next()
      return done ? null : value
    },
    end: () => void file.destroy(),
  }
}
