import { closeSync, createReadStream, openSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import type { BackgroundBackup } from "../../db/background-backup"
import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import type { Connection } from "../../http/call"
import type { Door } from "../../http/crud-routes"
import { operation } from "../../http/operation"
import { wallClock } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"

type Outside = {
  /** The database file, beside which the copy is made. */
  file: string
  keepOpen: Connection["keepOpen"]
}

/** A copy of the whole database, for an admin in person. */
export const backupRoutes =
  (copies: BackgroundBackup, { file, keepOpen }: Outside, { commit }: Door) =>
  (app: App) =>
    app.post(
      "/api/v1/backups",
      async ({ call, request, set }) => {
        await readBody(request, { optional: true, empty: true })
        if (copies.isBusy())
          throw new Refusal("SERVICE_UNAVAILABLE", "Another copy is being made. Try again when it is done.", {
            headers: { "retry-after": "10" },
          })
        keepOpen(request, 0)
        const name = `kontor-${wallClock().slice(0, 19).replaceAll(":", "")}Z.db`
        // Beside the database, where there is room for it; hidden, because it is gone in a moment. A power cut may leave it:
        // the next copy knows it by its name.
        const folder = file === ":memory:" ? process.getBuiltinModule("node:os").tmpdir() : dirname(file)
        const path = join(folder, `.download.${crypto.randomUUID()}.unfinished`)
        await copies.copyTo(path)
        try {
          await commit(call, (tx) => void tx.auditEntries.push({ action: "backups.create", kind: "backups" }))
          Object.assign(set.headers, {
            "content-type": "application/vnd.sqlite3",
            "content-disposition": `attachment; filename="${name}"`,
            "content-length": String(statSync(path).size),
          })
          const { toWeb } = process.getBuiltinModule("node:stream").Readable
          return new Response(toWeb(opened(path)) as unknown as ReadableStream)
        } finally {
          rmSync(path, { force: true })
        }
      },
      {
        may: { area: "administration", scope: "admin", personal: true },
        parse: "none",
        detail: createOperation,
      },
    )

/** The file lives on until it has been read to its end, though its name is taken away at once. */
function opened(path: string): Readable {
  const descriptor = openSync(path, "r")
  return createReadStream("", { fd: descriptor, autoClose: false }).once("close", () => closeSync(descriptor))
}

const createOperation = operation(() => ({
  id: "createBackup",
  summary: "Download a copy of the database",
  description:
    "A consistent copy, checked before it is sent, without sessions and signing secrets. `kontor restore` puts it in place. For an admin who signed in; 503 while another copy is being made.",
  tag: "backups",
  body: { schema: { type: "object", additionalProperties: false }, optional: true },
  answers: {
    status: 200,
    description: "The SQLite file.",
    type: "application/vnd.sqlite3",
    schema: { type: "string", format: "binary" },
  },
}))
