import { latestVersion, versionOf } from "../../core/engine/schema/migrate"
import { placeOf } from "../../core/engine/place"
import type { Command } from "../command"
import { print, say } from "../../core/lib/process/output"
import { bringUpToDate } from "../../server/database"

export const migrateCommand: Command = {
  name: "migrate",
  summary: "Upgrade a database, or print its version",
  usage: "[--status] [--json]",
  examples: ["kontor migrate --status", "kontor migrate --db /srv/kontor.db"],
  takes: ["db"],
  switches: { status: "Only print the versions; change nothing", json: "Print the result as JSON" },
  async run({ config, switches }) {
    if (switches.status) return printStatus(config.db, switches.json)
    const place = placeOf(config.db)
    const file = place.shown
    const db = place.open()
    try {
      db.engine.lock.alone()
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
  const place = placeOf(address)
  const db = place.openReader()
  const version = versionOf(db, Infinity)
  db.close()
  const file = place.shown
  if (asJson) return print(JSON.stringify({ file, version, latest: latestVersion }))
  print(`${file} is at version ${version}; this Kontor supports up to version ${latestVersion}.`)
}
