import type { Database } from "bun:sqlite"
import { holdFile } from "../db/lock"
import { kindList } from "../kinds"
import { print } from "../lib/output"
import { reindex, searchedKinds } from "../resource/reindex"
import { openExisting } from "../server/database"
import { table, type Command } from "./command"

export const reindexCommand: Command = {
  name: "reindex",
  summary: "Fill the search tables again from the records, while no server runs",
  usage: "[--json]",
  examples: ["kontor reindex", "kontor reindex --db /srv/kontor.db --json"],
  takes: ["db"],
  switches: { json: "Print the result as JSON" },
  run({ config: { db: file }, switches }) {
    const db = openExisting(file)
    try {
      // It is one long transaction, and what a server wants to write meanwhile would be refused.
      holdFile(file)
      const records = reindexAll(db)
      if (switches.json) return print(JSON.stringify({ file, records }))
      print(
        table([
          ["KIND", "RECORDS"],
          ...Object.entries(records).map(([kind, count]) => [kind, String(count)]),
        ]),
      )
    } finally {
      db.close()
    }
  },
}

/** Fills the search of every kind in one transaction, and tells how many records each has. */
const reindexAll = (db: Database): Record<string, number> =>
  db
    .transaction(() =>
      Object.fromEntries(searchedKinds(kindList).map((kind) => [kind.name, reindex(db, kind)])),
    )
    .immediate()
