import type { Database } from "../../core/engine/engine"
import { listOf, valueOf, valuesOf } from "../../core/engine/sql"
import { columnOf, type Resource } from "../../core/kind/define"
import { business } from "../../core/lib/clock"
import { aheadUntil, findJumps, type Jump } from "../../core/write/clock-jumps"
import { kindList } from "../../kinds"
import { dateIn, millisOf } from "../../shared/dates"

/** There was no Kontor before, so a clock with an earlier time is behind. */
const firstYear = "2026"

/** Entries of the audit log that were written while the clock was wrong: from one number to the one before `end`. */
type Span = { from: number; end: number; isAhead: boolean; rightTime: string }

/**
 * Returns a sentence for each document that was dated while the clock was wrong, as far as the times of the audit log tell.
 * These are no faults: a document that was issued stays as it is.
 */
export function findWrongDates(db: Database): string[] {
  const spans = [...findJumps(db), ...jumpToCome(db)].map((jump) => spanOf(db, jump))
  return [...new Set(spans.flatMap((span) => datedKinds.flatMap((kind) => sentencesOf(db, span, kind))))]
}

/** What has not been marked yet, because nothing was written since. */
function jumpToCome(db: Database): Jump[] {
  const until = aheadUntil(db)
  const last = valueOf<number>(db, "SELECT max(seq) FROM audit_logs") ?? 0
  const newest = valueOf<string>(db, "SELECT created_at FROM audit_logs WHERE seq = ?", last)
  return until === null || newest !== until
    ? []
    : [{ seq: last + 1, from: until, to: business.now(), event: 0 }]
}

/**
 * The entries with wrong times at a place where the clock was set back: those before it if the clock was ahead, and those
 * after it if it is behind from there on. It was ahead if it had been set forward by at least as much before.
 */
function spanOf(db: Database, { seq, from, to }: Jump): Span {
  const before = db
    .query<{ seq: number; at: string }, [number, string]>(
      "SELECT seq, created_at AS at FROM audit_logs WHERE seq < ? AND created_at <= ? ORDER BY seq DESC LIMIT 1",
    )
    .get(seq, to)
  const first = (before?.seq ?? 0) + 1
  const began = valueOf<string>(db, "SELECT created_at FROM audit_logs WHERE seq = ?", first) ?? from
  const isAhead = before
    ? millisOf(began) - millisOf(before.at) >= millisOf(from) - millisOf(to)
    : to >= firstYear
  if (isAhead) return { from: first, end: seq, isAhead, rightTime: to }
  const end = valueOf<number>(
    db,
    "SELECT min(seq) FROM audit_logs WHERE seq > ? AND created_at >= ?",
    seq,
    from,
  )
  return { from: seq, end: end ?? Number.MAX_SAFE_INTEGER, isAhead, rightTime: from }
}

/** The field with the date of a document, by which its list can be sorted. */
const dateFieldOf = ({ indexed, fields }: Resource): string | undefined =>
  indexed?.sort?.find((name) => fields[name]?.kind === "date")

const datedKinds = kindList.filter((kind) => dateFieldOf(kind) !== undefined)

type Dated = { id: string; number: string | null; date: string }

function sentencesOf(db: Database, { from, end, isAhead, rightTime }: Span, kind: Resource): string[] {
  const { name, table, noun, numbers } = kind
  const written = valuesOf<string>(
    db,
    "SELECT DISTINCT record_id FROM audit_logs WHERE seq >= ? AND seq < ? AND kind = ? AND record_id IS NOT NULL",
    from,
    end,
    name,
  )
  const [date, number] = [columnOf(dateFieldOf(kind) ?? ""), numbers ? columnOf(numbers.field) : "NULL"]
  const limit = dateIn(timeZoneOf(db), rightTime)
  const found = db
    .query<Dated, [string, string]>(
      `SELECT id, ${number} AS number, ${date} AS date FROM ${table}
       WHERE id IN ${listOf("?")} AND ${date} ${isAhead ? ">" : "<"} ? ORDER BY ${date}, id`,
    )
    .all(JSON.stringify(written), limit)
  const how = isAhead ? "ahead" : "behind"
  return found.map(
    (each) =>
      `The ${noun} ${each.number ?? each.id} is dated ${each.date}. It was written while the clock was ${how}.`,
  )
}

const timeZoneOf = (db: Database): string =>
  (JSON.parse(valueOf(db, "SELECT body FROM settings") ?? "{}") as { timeZone?: string }).timeZone ?? "UTC"
