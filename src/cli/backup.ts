import { statSync } from "node:fs"
import { UsageError } from "../config"
import { backUp } from "../db/backup"
import type { Command } from "./command"
import { print } from "../lib/output"
import { openExisting } from "../server/database"

export const backupCommand: Command = {
  name: "backup",
  summary: "Write a verified backup of the database, also while a server runs",
  usage: "FILE [--json]",
  examples: ["kontor backup /mnt/usb/kontor-2026-03-01.db"],
  takes: ["db"],
  words: 1,
  switches: { json: "Print the result as JSON" },
  run({ config, words: [target], switches }) {
    if (!target) throw new UsageError('Name the target file: kontor backup FILE. See "kontor backup --help".')
    const db = openExisting(config.db)
    try {
      backUp(db, config.db, target)
    } finally {
      db.close()
    }
    const bytes = statSync(target).size
    print(
      switches.json
        ? JSON.stringify({ file: target, bytes })
        : `${target} is a verified backup of ${config.db} (${bytes} bytes).`,
    )
  },
}
