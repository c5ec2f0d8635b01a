import type { Database } from "../../core/engine/engine"
import { foldTyped, fragmentQuery, matchQuery, wordQuery } from "../../core/search/search"
import { amountsOf, type Money } from "./amount"
import { numberKinds, type NumberKind } from "../../shared/number-format"
import type { Candidate, SearchKind } from "./model"
import { numbersOf } from "./numbers"
import {
  findByAmount,
  findByCode,
  findByCodeStart,
  findByText,
  findByTitle,
  findByWords,
  findSeriesNames,
} from "./store"
import type { Vocabulary } from "./vocabulary"

/** The maximum number of rows that each search method returns for scoring. */
const mostCandidates = 120

/** The dependencies of the search methods. */
export type SearchDeps = {
  db: Database
  vocabulary: Vocabulary
  money: () => Money
  /** Returns the formats that the numbers of a kind have or had. */
  formatsOf: (kind: NumberKind) => readonly string[]
}

/** The query: the typed text, its words, and the number of hits that is enough. */
export type SearchQuery = { typed: string; words: string[]; limit: number }

/** A search method. It yields the result of each query, so that other requests may run in between. */
export type SearchMethod = (deps: SearchDeps, kind: SearchKind, query: SearchQuery) => Iterable<Candidate[]>

/**
 * Methods that use an index on codes, amounts or titles. They are cheap and find the best hits, so all of them always
 * run, the best first.
 */
export const indexMethods: readonly SearchMethod[] = [byCode, byAmount, byTitle, byCodeStart]

/** Methods that run only while there are not enough hits, in the order of their relevance. */
export const widerMethods: readonly SearchMethod[] = [byWords, byFragment, byPart]

function byCode(deps: SearchDeps, kind: SearchKind, { typed }: SearchQuery): Candidate[][] {
  return [findByCode(deps.db, kind, [kind.code.form(typed), ...meantNumbers(deps, kind, typed)])]
}

function* byAmount({ db, money }: SearchDeps, kind: SearchKind, { typed, limit }: SearchQuery) {
  if (kind.amounts.length === 0) return
  for (const units of amountsOf(typed, money()))
    for (const amount of kind.amounts) yield findByAmount(db, kind, amount, units, limit)
}

function* byTitle({ db }: SearchDeps, kind: SearchKind, { typed, words, limit }: SearchQuery) {
  yield findByTitle(db, kind, foldTyped(typed), Math.min(mostCandidates, limit * 4))
  if (words.join(" ") !== foldTyped(typed)) yield findByTitle(db, kind, words.join(" "), limit)
}

function* byCodeStart({ db }: SearchDeps, kind: SearchKind, { typed, limit }: SearchQuery) {
  // All numbers of a format begin with the same letters, so letters alone match all of them.
  if (kind.numbers && !/\d/.test(typed)) return
  yield findByCodeStart(db, kind, kind.code.form(typed), Math.min(mostCandidates, limit * 4))
}

function* byWords({ db, vocabulary }: SearchDeps, kind: SearchKind, { words }: SearchQuery) {
  const whole = wordQuery(words, () => [])
  const found = yield* findByWords(db, kind, whole, mostCandidates)
  // Rows with the whole words are better hits, and cost far less to find than those of a prefix.
  if (found < mostCandidates) {
    const starts = wordQuery(words, (word) =>
      kind.resource.fragments === undefined ? vocabulary.longer(word) : null,
    )
    const begun = starts === whole ? found : yield* findByWords(db, kind, starts, mostCandidates)
    if (begun < mostCandidates) return
    yield* findByWords(db, kind, `words : (${wordQuery(words, vocabulary.longer)})`, mostCandidates)
  }
  // The limit was reached, so only the newest rows are included. Older rows may match better: in names.
  yield* findByWords(db, kind, `words : (${whole})`, mostCandidates)
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
  // In a search for several words, usually one of them is the start of a word in the record. So the rows that contain
  // that word are candidates, and the other words may be inside words.
  for (const word of words)
    if (inside.difference(new Set([word])).size > 0)
      yield* findByWords(db, kind, `words : (${wordQuery([word], vocabulary.longer)})`, mostCandidates / 4)
}

/** Returns the numbers of a kind that a person may mean by a short one. */
export const meantNumbers = (
  { db, formatsOf }: SearchDeps,
  { numbers: kind }: SearchKind,
  typed: string,
): string[] =>
  kind && /\d/.test(typed)
    ? numbersOf(typed, kind, formatsOf(kind), findSeriesNames(db, numberKinds[kind].prefix))
    : []
