import { UsageError } from "../../config"
import { chainEndOf } from "../../core/write/audit-log"
import type { Database } from "../../core/engine/engine"
import { closeDatabase, placeOf } from "../../core/engine/place"
import { compareRows, copyRows, countOf, failureOfCopy, type Ends } from "../../core/engine/transfer/copy"
import { digestOf } from "../../core/lib/secret"
import { openSource, openTarget, type Target } from "../../core/engine/transfer/ends"
import { deleteMark, type Progress } from "../../core/engine/transfer/mark"
import type { Table } from "../../core/engine/transfer/table"
import { copiedTables } from "../../core/engine/transfer/tables"
import { steadyMillis } from "../../core/lib/clock"
import { print, say } from "../../core/lib/process/output"
import { Unusable } from "../../core/lib/refusal"
import { openExisting } from "../../server/database"
import { faultsOf, faultsOfRecords } from "./check"
import type { Command } from "../command"
import { reindexAll } from "./reindex"

export const copyCommand: Command = {
  name: "copy",
  summary: "Copy the database to PostgreSQL, or to a new file; refused while a server runs",
  usage: "--to FILE|ADDRESS [--json]",
  examples: [
    "kontor copy --db /srv/kontor.db --to postgres://kontor@db.example/shop",
    "kontor copy --db postgres://kontor@db.example/shop --to /srv/kontor.db",
  ],
  takes: ["db"],
  flags: { to: "The new file, or the address of the empty PostgreSQL database, that the copy is written to" },
  switches: { json: "Print the result as JSON" },
  run({ config, flags: { to }, switches }) {
    if (!to)
      throw new UsageError('The target is missing: kontor copy --to FILE|ADDRESS. See "kontor copy --help".')
    const began = steadyMillis()
    try {
      const done = copy(config.db, to)
      const seconds = Math.round((steadyMillis() - began) / 100) / 10
      if (switches.json) return print(JSON.stringify({ ...done, seconds }))
      print(
        `${counted(done.rows)} of ${done.from} ${done.rows === 1 ? "was" : "were"} copied to ${done.to} in ${seconds} seconds.`,
      )
      print(`Both have the same rows, and the same head of the audit log: ${done.auditHead}`)
      print(`Start the server with --db ${done.to}, and do not start it with ${done.from} any more.`)
    } catch (error) {
      throw failureOfCopy(error)
    }
  },
}

const counted = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`

type Copied = { from: string; to: string; rows: number; auditHead: string; auditLength: number }

function copy(from: string, to: string): Copied {
  const source = openExisting(from)
  const shown = { from: placeOf(from).shown, to: placeOf(to).shown }
  try {
    source.engine.lock.alone()
    const target = openTarget(to, from)
    const snapshot = openSource(from)
    try {
      const ends = { from: snapshot, to: target.db, tables: copiedTables() }
      const progress = progressOf(ends, target, source, shown)
      copyRows(ends, progress, (table, rows) => rows > 0 && say(`${table}: ${counted(rows)}`))
      say("All rows are copied. The search tables are filled, and everything is compared and checked.")
      const rows = finish(ends, source, shown.to)
      const { head, length } = chainEndOf(target.db)
      return { ...shown, rows, auditHead: head, auditLength: length }
    } finally {
      snapshot.close()
      closeDatabase(target.db)
    }
  } finally {
    source.close()
  }
}

/** Where the copy begins. A source with problems is refused before anything is copied. */
function progressOf(
  { from: snapshot, tables }: Ends,
  { progress }: Target,
  source: Database,
  { from, to }: { from: string; to: string },
): Progress {
  const state = stateOf(snapshot, tables)
  if (progress) {
    if (progress.source !== state)
      throw new Unusable(
        `${to} is an unfinished copy of ${progress.from}, which is another database or has changed since. Delete the copy and run the command again.`,
      )
    say(`An earlier copy is continued in the table ${progress.table}.`)
    return progress
  }
  const faults = source.engine.atOneMoment(() => faultsOfRecords(source))
  if (faults.length > 0)
    throw new Unusable(
      `${from} has problems, so nothing was copied. Run "kontor check --db ${from}". The first one: ${faults[0]}`,
    )
  return { source: state, from, table: tables[0]?.name ?? "", after: null }
}

/**
 * Completes the copy, and compares and checks it. All in one transaction with the deletion of the mark, so that the mark
 * stays if there is a problem. Returns the number of rows.
 */
function finish(ends: Ends, source: Database, to: string): number {
  return ends.to.transaction(() => {
    deleteMark(ends.to)
    reindexAll(ends.to)
    ends.to.engine.transfer.complete()
    const { faults, rows } = compareRows(ends)
    // The source itself, not the snapshot: a command may have written to it in the meantime.
    const { head } = chainEndOf(source)
    const all = [...faults, ...faultsOf(ends.to, [head])]
    if (head !== chainEndOf(ends.to).head) all.push("The source was changed during the copy.")
    if (all.length === 0) return rows
    for (const fault of all) say(fault)
    throw new Unusable(
      `The copy is not the same as the source, and cannot be used. Delete ${to} and run the command again.`,
    )
  })()
}

/** Identifies a database and its state: the head of the audit log, and the number of rows of each table. */
function stateOf(db: Database, tables: readonly Table[]): string {
  const counts = tables.map(({ name }) => [name, countOf(db, name)])
  return digestOf(JSON.stringify([chainEndOf(db), counts]))
}
