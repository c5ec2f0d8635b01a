import { createApp } from "../app"
import { backgroundBackup } from "../db/background-backup"
import { migrate } from "../db/migrate"
import { openDatabase } from "../db/open"
import { stderrLog } from "../lib/log"
import { standardPlans } from "../shared/plans"
import type { Command } from "./command"
import { print } from "../lib/output"
import { openWriter } from "../db/commit"

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document",
  usage: "",
  examples: ["kontor openapi > openapi.json"],
  takes: [],
  run() {
    const db = openDatabase(":memory:")
    migrate(db)
    const { document } = createApp({
      db,
      writer: openWriter(db).writer,
      failedWrites: () => 0,
      plans: standardPlans,
      log: stderrLog("error"),
      addressOf: () => "",
      allowedHosts: [],
      corsOrigins: [],
      isSecure: false,
      publicUrl: null,
      issuer: () => "",
      backups: backgroundBackup(db, ":memory:"),
      file: ":memory:",
      keepOpen: () => {},
      isStopping: () => false,
      setupToken: null,
    })
    print(JSON.stringify(document(), null, 2))
    db.close()
  },
}
