import type { Database } from "../../core/engine/engine"
import { placeOf } from "../../core/engine/place"
import { latestVersion } from "../../core/engine/schema/migrate"
import { UsageError } from "../../config"
import { messageOf, Unusable } from "../../core/lib/refusal"
import { chainEndOf, walkChain } from "../../core/write/audit-log"
import { aheadSentence, aheadUntil } from "../../core/write/clock-jumps"
import { kindList } from "../../kinds"
import { findMailFaults } from "../../office/mail/verify"
import { findPaperFaults } from "../../trade/paper/verify"
import { findPairFaults } from "../../core/store/pairs/pair-index"
import { searchedKinds, findSearchFaults } from "../../core/search/reindex"
import type { Command } from "../command"
import { print } from "../../core/lib/process/output"
import { withDatabaseToRead } from "../with-services"
import { findWrongDates } from "./wrong-dates"

export const checkCommand: Command = {
  name: "check",
  summary:
    "Verify the database: tables, integrity, references, stock, totals, figures, invoice numbers, paper, mail, search and audit log",
  usage: "[--since HEAD]… [--json]",
  examples: ["kontor check", "kontor check --db /srv/kontor.db --json", "kontor check --since 3f9a…"],
  takes: ["db"],
  flags: {
    since:
      "An earlier head of the audit log; the check fails if the log no longer contains it; may be repeated",
  },
  lists: ["since"],
  switches: { json: "Print the result as JSON" },
  run({ config, switches, lists }) {
    const heads = (lists.since ?? []).map(readHead)
    return withDatabaseToRead(config.db, (db) => {
      // One transaction, so that everything is checked at one moment even while a server writes.
      const { faults, notes, end } = db.engine.atOneMoment(() => ({
        faults: faultsOf(db, heads),
        notes: notesOf(db),
        end: chainEndOf(db),
      }))
      const auditEnd = { auditHead: end.head, auditLength: end.length }
      if (switches.json) print(JSON.stringify({ ok: faults.length === 0, faults, notes, ...auditEnd }))
      else {
        for (const fault of faults) print(fault)
        for (const note of notes) print(`Note: ${note}`)
        print(`Head of the audit log: ${end.head}`)
        print(`Length of the audit log: ${end.length}`)
      }
      if (faults.length > 0)
        throw new Unusable(
          `${placeOf(config.db).shown} has ${faults.length} problem${faults.length > 1 ? "s" : ""}.`,
        )
    })
  },
}

/** What is not wrong in the database, but should be known. A damaged database may have no answer. */
function notesOf(db: Database): string[] {
  try {
    const until = aheadUntil(db)
    return [...(until === null ? [] : [aheadSentence(until)]), ...findWrongDates(db)]
  } catch {
    return []
  }
}

function readHead(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new UsageError(
      `--since must be a head of the audit log with 64 hexadecimal digits, not ${JSON.stringify(text)}. See "kontor check --help".`,
    )
  return text.toLowerCase()
}

/** Returns one sentence for each problem of a database. The caller opens the transaction. */
export const faultsOf = (db: Database, heads: string[]): string[] =>
  faultsIn(db, () => faultsInRows(db, heads))

/** The same without comparing the tables with the schema. */
export const faultsInRows = (db: Database, heads: string[]): string[] => [
  ...recordFaults(db, heads),
  ...searchFaults(db),
]

/** The same without the search tables, which take most of the time. */
export const faultsOfRecords = (db: Database): string[] => faultsIn(db, () => recordFaults(db, []))

function faultsIn(db: Database, find: () => string[]): string[] {
  const altered = db.engine.schema.faults(latestVersion)
  try {
    return [...altered, ...find()]
  } catch (error) {
    if (altered.length === 0) throw error
    const reason = messageOf(error)
    return [...altered, `The rows could not be read: ${reason}.`]
  }
}

const recordFaults = (db: Database, heads: string[]): string[] => [
  ...db.engine.schema.damage(),
  ...kindList.flatMap(({ checks = [] }) => findBreaches(db, checks)),
  ...faultsOfChain(db, heads),
  ...findPaperFaults(db),
  ...findMailFaults(db),
]

const searchFaults = (db: Database): string[] => [
  ...searchedKinds(kindList).flatMap((kind) => findSearchFaults(db, kind)),
  ...findPairFaults(db),
]

function faultsOfChain(db: Database, heads: string[]): string[] {
  const { broken, gap, lost } = walkChain(db, heads)
  const faults = lost.map(
    (head) => `The head ${head} is no longer in the audit log: the log was changed or truncated.`,
  )
  if (gap)
    faults.unshift(`Entries of the audit log are missing: number ${gap.after} follows number ${gap.before}.`)
  if (broken)
    faults.unshift(
      `The audit log was changed: entry ${broken.position} (${broken.id}) does not match the entry before it.`,
    )
  return faults
}

/** A rule. `sql` finds the rows that violate it, and `says` returns a sentence about such a row. */
type Rule<Row> = { says: (row: Row) => string; sql: string }

const findBreaches = <Row>(db: Database, rules: readonly Rule<Row>[]): string[] =>
  rules.flatMap(({ sql, says }) => db.query<Row, []>(sql).all().map(says))
