// Rows for a shop with extreme sizes: their texts, their times, and derived columns.
import type { Database } from "../../src/core/engine/engine"
import { fold } from "../../src/core/lib/text"
import { inserter, type Row } from "../bench/data"
import { textOf } from "./cost-text"

export const longestProse = 10_000

/** One record per minute; the newest is on the first page of a list. */
export const createdAt = (i: number) => new Date(1_700_000_000_000 + i * 60_000).toISOString()
export const stamps = (i: number) => ({ created_at: createdAt(i), updated_at: createdAt(i) })

const words = textOf("words", 120_000)
/** Returns words from a different position each time, so that no two texts begin the same. */
export const prose = (i: number, length: number): string => words.slice((i * 7) % 100_000).slice(0, length)
/**
 * Of twenty texts, one is a run of combining marks, which older releases allowed, one has astral characters, and one is
 * a single repeated letter.
 */
export function mixedText(i: number, length: number): string {
  const kind = ({ 3: "marks", 7: "astral", 11: "letters" } as const)[i % 20]
  return kind ? textOf(kind, length) : prose(i, length)
}

/** Inserts rows with their derived columns: folded text for sorting, lower case for uniqueness. */
export function filler(db: Database, table: string, same: Row): (row: Row) => void {
  const insert = inserter(db, table, same)
  const columns = db.query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)").all(table)
  const shadows = columns.flatMap(({ name }) => {
    const of = /^(.+)_(?:sort|key)$/.exec(name)?.[1]
    return of === undefined ? [] : [{ name, of }]
  })
  // Folding a run of marks takes long, and the same text is used many times.
  const folded = new Map<string, string>()
  const shadow = (text: Row[string] | undefined): string | null => {
    if (typeof text !== "string") return null
    const known = folded.get(text) ?? fold(text)
    if (text.length > 1_000) folded.set(text, known)
    return known
  }
  return (row) => {
    const whole = { ...same, ...row }
    insert({ ...row, ...Object.fromEntries(shadows.map(({ name, of }) => [name, shadow(whole[of])])) })
  }
}
