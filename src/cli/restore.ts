import { resolve } from "node:path"
import { UsageError } from "../config"
import { restore } from "../db/restore"
import { wallClock } from "../lib/clock"
import type { Command } from "./command"
import { print, say } from "../lib/output"

export const restoreCommand: Command = {
  name: "restore",
  summary: "Replace the database with a backup; the old database stays in the same folder",
  usage: "FILE [--json]",
  examples: ["kontor restore /mnt/usb/kontor-2026-03-01.db", "kontor restore backup.db --db /srv/kontor.db"],
  takes: ["db"],
  words: 1,
  switches: { json: "Print the result as JSON" },
  run({ config, words: [copy], switches }) {
    if (!copy)
      throw new UsageError(
        'The name of the backup file is missing: kontor restore FILE. See "kontor restore --help".',
      )
    const file = resolve(config.db)
    const { version, aside } = restore(copy, file, wallClock())
    const isNew = aside === null
    if (switches.json) return print(JSON.stringify({ file, isNew, from: resolve(copy), version, aside }))
    say(
      isNew
        ? `There was no database at ${file}: a new file was created. If the server uses another file, give its path with --db.`
        : `The old database is now ${aside}.`,
    )
    print(`${resolve(copy)} was restored to ${file}. Everyone must sign in again.`)
  },
}
