import { UsageError } from "../config"
import { restore } from "../db/restore"
import { wallClock } from "../lib/clock"
import type { Command } from "./command"
import { print, say } from "../lib/output"

export const restoreCommand: Command = {
  name: "restore",
  summary: "Replace the database with a backup; the old database is stored next to it",
  usage: "FILE [--json]",
  examples: ["kontor restore /mnt/usb/kontor-2026-03-01.db", "kontor restore copy.db --db /srv/kontor.db"],
  takes: ["db"],
  words: 1,
  switches: { json: "Print the result as JSON" },
  run({ config, words: [copy], switches }) {
    if (!copy) throw new UsageError('Name the backup: kontor restore FILE. See "kontor restore --help".')
    const { version, aside } = restore(copy, config.db, wallClock())
    if (switches.json) return print(JSON.stringify({ file: config.db, from: copy, version, aside }))
    if (aside) say(`The old database is stored in ${aside}.`)
    print(`${config.db} was restored from ${copy}. Everyone has to sign in again.`)
  },
}
