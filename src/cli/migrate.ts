import { shownName } from "../core/engine/engine"
import { holdDatabase } from "../core/engine/sqlite/lock"
import { latestVersion, versionOf } from "../core/engine/schema/migrate"
import { openDatabase, openReader } from "../core/engine/sqlite/open"
import type { Command } from "./command"
import { print, say } from "../core/lib/output"
import { bringUpToDate } from "../server/database"

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Upgrade a database, or print its version",
  usage: "[--status] [--json]",
  examples: ["kontor migrate --status", "kontor migrate --db /srv/kontor.db"],
  takes: ["db"],
  switches: { status: "Only print the versions; change nothing", json: "Print the result as JSON" },
  async run({ config, switches }) {
    if (switches.status) return printStatus(config.db, switches.json)
    const file = shownName(config.db)
    const db = openDatabase(config.db)
    try {
      holdDatabase(db, config.db)
      const { from, to, copy } = await bringUpToDate(db, config.db)
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

function printStatus(address: string, asJson = false): void {
  const db = openReader(address)
  const version = versionOf(db, Infinity)
  db.close()
  const file = shownName(address)
  if (asJson) return print(JSON.stringify({ file, version, latest: latestVersion }))
  print(`${file} is at version ${version}; this Kontor supports up to version ${latestVersion}.`)
}
