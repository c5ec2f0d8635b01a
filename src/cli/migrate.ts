import { holdFile } from "../db/lock"
import { latestVersion, versionOf } from "../db/migrate"
import { openDatabase, openToLook } from "../db/open"
import type { Command } from "./command"
import { print, say } from "../lib/output"
import { bringUpToDate } from "../server/database"

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Upgrade a database file, or print its version",
  usage: "[--status] [--json]",
  examples: ["kontor migrate --status", "kontor migrate --db /srv/kontor.db"],
  takes: ["db"],
  switches: { status: "Only print the versions; change nothing", json: "Print the result as JSON" },
  run({ config: { db: file }, switches }) {
    if (switches.status) return printStatus(file, switches.json)
    const db = openDatabase(file)
    try {
      holdFile(file)
      const { from, to, copy } = bringUpToDate(db, file)
      if (copy) say(`A backup of version ${from} is in ${copy}.`)
      if (switches.json) return print(JSON.stringify({ file, from, to, copy }))
      print(
        from === to
          ? `${file} is up to date at version ${to}.`
          : `${file} was upgraded from version ${from} to ${to}.`,
      )
    } finally {
      db.close()
    }
  },
}

function printStatus(file: string, asJson = false): void {
  const db = openToLook(file)
  const version = versionOf(db, Infinity)
  db.close()
  if (asJson) return print(JSON.stringify({ file, version, latest: latestVersion }))
  print(`${file} is at version ${version}; this Kontor supports version ${latestVersion}.`)
}
