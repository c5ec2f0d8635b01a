import type { Database } from "bun:sqlite"
import { foldTyped, fragmentQuery, matchQuery, wordQuery } from "../../resource/search"
import type { Candidate, SearchKind } from "./model"
import { findByCode, findByCodeStart, findBySeries, findByText, findByTitle, findByWords } from "./store"
import type { Vocabulary } from "./vocabulary"

/** How many rows each way of looking may hand over to be scored. */
const mostCandidates = 120

/** What the ways of looking use. */
export type SearchDeps = { db: Database; vocabulary: Vocabulary }

/** What is looked for: as it was typed, by its words, and how many hits are enough. */
export type SearchQuery = { typed: string; words: string[]; limit: number }

/** A way of looking: its queries one by one, so that others may be served between them. */
export type Way = (deps: SearchDeps, kind: SearchKind, query: SearchQuery) => Iterable<Candidate[]>

/** By an index on codes or names. They cost little and find what is near the top, so all of them are always used. */
export const sureWays: readonly Way[] = [byCode, byTitle, byCodeStart]

/** Each is used only while there are not enough hits, from the way that means the most to the one that means the least. */
export const widerWays: readonly Way[] = [byWords, byFragment, byPart]

function byCode({ db }: SearchDeps, kind: SearchKind, { typed }: SearchQuery): Candidate[][] {
  return [findByCode(db, kind, [kind.code.form(typed), ...numbersOf(db, kind, typed)])]
}

function* byTitle({ db }: SearchDeps, kind: SearchKind, { typed, words, limit }: SearchQuery) {
  yield findByTitle(db, kind, foldTyped(typed), Math.min(mostCandidates, limit * 4))
  if (words.join(" ") !== foldTyped(typed)) yield findByTitle(db, kind, words.join(" "), limit)
}

function* byCodeStart({ db }: SearchDeps, kind: SearchKind, { typed, limit }: SearchQuery) {
  // Every number of a series begins alike, so its letters alone say nothing.
  if (kind.series && !/\d/.test(typed)) return
  yield findByCodeStart(db, kind, kind.code.form(typed), Math.min(mostCandidates, limit * 4))
}

function* byWords({ db, vocabulary }: SearchDeps, kind: SearchKind, { words }: SearchQuery) {
  // A whole word costs far less to find than a start, and is enough where no word that was learned is longer.
  const starts = wordQuery(words, (word) => kind.resource.fragments !== undefined || vocabulary.goesOn(word))
  const found = yield* findByWords(db, kind, starts, mostCandidates)
  if (found < mostCandidates) return
  // Cut off, it holds only the newest: the words themselves, and then names that begin so, may have been older.
  yield* findByWords(db, kind, `words : (${wordQuery(words, () => false)})`, mostCandidates)
  yield* findByWords(db, kind, `words : (${wordQuery(words, vocabulary.goesOn)})`, mostCandidates)
}

function* byFragment({ db }: SearchDeps, kind: SearchKind, { typed }: SearchQuery) {
  const match = kind.resource.fragments && fragmentQuery(typed)
  if (match) yield* findByText(db, kind, match, mostCandidates)
}

function* byPart({ db, vocabulary }: SearchDeps, kind: SearchKind, { typed, words }: SearchQuery) {
  if (!words.every(vocabulary.isPart)) return
  const inside = new Set(words.filter(vocabulary.isInside))
  if (words.length === 1 && inside.size === 1)
    yield* findByText(db, kind, `words : (${matchQuery(typed)})`, mostCandidates)
  // Of several words one begins a word as a rule; its rows are few enough to look for the others inside.
  for (const word of words)
    if (inside.difference(new Set([word])).size > 0)
      yield* findByWords(db, kind, `words : (${wordQuery([word], vocabulary.goesOn)})`, mostCandidates / 4)
}

/** What a person may mean by a number: `42`, `#42`, `INV-42` and `inv 2026 42` are INV-2026-00042. */
export function numbersOf(db: Database, { series }: SearchKind, typed: string): string[] {
  const [, letters, year, digits] = /^\s*#?([a-z]+)?[\s-]*(?:(\d{4})[\s-]+)?(\d{1,9})\s*$/i.exec(typed) ?? []
  if (!digits || !series || (letters && letters.toUpperCase() !== series)) return []
  return findBySeries(db, series)
    .filter((name) => !year || name.endsWith(year))
    .map((name) => `${name}-${digits.padStart(5, "0")}`)
}
