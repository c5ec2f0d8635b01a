import { Type } from "@sinclair/typebox"
import { closeSync, createReadStream, openSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import type { BackgroundBackup } from "../../db/background-backup"
import type { Connection } from "../../http/call"
import { checked, handled, type RouteCall, type Route } from "../../http/route"
import type { Writes } from "../../http/write"
import { wallClock } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { emptyBody } from "../../resource/body"

type Deps = {
  backups: BackgroundBackup
  /** The database file, beside which the copy is made. */
  file: string
  keepOpen: Connection["keepOpen"]
  writes: Writes
}

/** A copy of the whole database, for an admin in person. */
export const backupRoutes = (deps: Deps): Route[] => [
  handled(
    "POST",
    "/backups",
    {
      may: { area: "administration", scope: "admin", personal: true },
      id: "createBackup",
      tag: "backups",
      summary: "Download a copy of the database",
      description:
        "A consistent copy, checked before it is sent, without sessions and signing secrets. `kontor restore` puts it in place. For an admin who signed in; 503 while another copy is being made.",
      body: checked(emptyBody),
      answer: {
        status: 200,
        description: "The SQLite file.",
        type: "application/vnd.sqlite3",
        schema: Type.String({ format: "binary" }),
      },
    },
    (asked) => download(asked, deps),
  ),
]

async function download({ call, request, set }: RouteCall, { backups, file, keepOpen, writes }: Deps) {
  if (backups.isBusy())
    throw new Refusal("SERVICE_UNAVAILABLE", "Another copy is being made. Try again when it is done.", {
      headers: { "retry-after": "10" },
    })
  keepOpen(request, 0)
  const name = `kontor-${wallClock().slice(0, 19).replaceAll(":", "")}Z.db`
  // Beside the database, where there is room for it; hidden, because it is gone in a moment. A power cut may leave it:
  // the next copy knows it by its name.
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
    return new Response(Readable.toWeb(opened(path)) as unknown as ReadableStream)
  } finally {
    rmSync(path, { force: true })
  }
}

/** The file lives on until it has been read to its end, though its name is taken away at once. */
function opened(path: string): Readable {
  const descriptor = openSync(path, "r")
  return createReadStream("", { fd: descriptor, autoClose: false }).once("close", () => closeSync(descriptor))
}
