import type { Database } from "../../core/engine/engine"
import { placeOf } from "../../core/engine/place"
import { kindList } from "../../kinds"
import { print } from "../../core/lib/process/output"
import { reindex, searchedKinds } from "../../core/search/reindex"
import { withDatabase } from "../with-services"
import { table, type Command } from "../command"

export const reindexCommand: Command = {
  name: "reindex",
  summary: "Rebuild the search tables from the records; refused while a server runs",
  usage: "[--json]",
  examples: ["kontor reindex", "kontor reindex --db /srv/kontor.db --json"],
  takes: ["db"],
  switches: { json: "Print the result as JSON" },
  run({ config: { db: file }, switches }) {
    return withDatabase(file, (db) => {
      // Locked, because a server could not write during this long transaction.
      db.engine.lock.alone()
      const records = reindexAll(db)
      if (switches.json) return print(JSON.stringify({ file: placeOf(file).shown, records }))
      print(
        table([
          ["KIND", "RECORDS"],
          ...Object.entries(records).map(([kind, count]) => [kind, String(count)]),
        ]),
      )
    })
  },
}

/** Rebuilds the search tables of every kind in one transaction. Returns the number of records of each. */
export const reindexAll = (db: Database): Record<string, number> =>
  db
    .transaction(() =>
      Object.fromEntries(searchedKinds(kindList).map((kind) => [kind.name, reindex(db, kind)])),
    )
    .immediate()
