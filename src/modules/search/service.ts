import type { Database } from "bun:sqlite"
import { fold, wordsOf } from "../../lib/text"
import { matchQuery, wordQuery } from "../../resource/search"
import { searchKinds, type Candidate, type Hit, type SearchKind } from "./model"
import { scoreOf } from "./rules"
import {
  findByCode,
  findByCodeStart,
  findBySeries,
  findByText,
  findByTitle,
  findByWords,
  findTitlesAfter,
} from "./store"
import type { Vocabulary } from "./vocabulary"

/** How many rows each way of looking may hand over to be scored. */
const mostCandidates = 200
const mostHits = 100
const mostCorrections = 3
const sliceSize = 200

export function searchService(db: Database, words: Vocabulary) {
  /**
   * Ways of looking, the surest and cheapest first. Each hands over a bounded number of rows, and what a later one
   * finds is never worth more than what an earlier one does: so when there is enough, the rest need not be asked.
   */
  const ways: ((kind: SearchKind, typed: string) => Candidate[])[] = [
    (kind, typed) => findByCode(db, kind, [kind.code.form(typed.trim()), ...numbersOf(db, kind, typed)]),
    (kind, typed) => findByCodeStart(db, kind, kind.code.form(typed.trim()), mostHits),
    (kind, typed) => findByTitle(db, kind, fold(typed).trim(), mostHits),
    (kind, typed) => findByWords(db, kind, `words : (${wordQuery(typed)})`, mostCandidates),
    (kind, typed) => findByText(db, kind, matchQuery(typed) ?? "", mostCandidates),
    (kind, typed) => findByWords(db, kind, wordQuery(typed) ?? "", mostCandidates),
  ]

  const rank = (kind: SearchKind, typed: string, limit: number, isCorrected: boolean): Map<string, Hit> => {
    const hits = new Map<string, Hit>()
    if (wordQuery(typed) === null) return hits
    const numbers = new Set(numbersOf(db, kind, typed))
    const asked = { typed: fold(typed).trim(), words: wordsOf(fold(typed)), isCorrected }
    for (const look of ways) {
      if (hits.size >= limit) break
      for (const row of look(kind, typed)) {
        if (hits.has(row.id)) continue
        const score = row.code !== null && numbers.has(row.code) ? 1 : scoreOf(row, asked)
        if (score > 0) hits.set(row.id, { id: row.id, name: kind.shown(row), score })
      }
    }
    return hits
  }

  /** The same words with one that nobody uses replaced by those that may have been meant. */
  const corrections = (typed: string): string[] => {
    const asked = wordsOf(fold(typed))
    const unknown = asked.findIndex((word) => !words.has(word) && words.near(word, 1).length > 0)
    if (unknown < 0) return []
    return words
      .near(asked[unknown] ?? "", mostCorrections)
      .map((meant) => asked.with(unknown, meant).join(" "))
  }

  return {
    /** The best hits of a kind, best first, ties by name. */
    search(kind: SearchKind, typed: string, limit: number): Hit[] {
      const hits = rank(kind, typed, limit, false)
      if (hits.size < limit)
        for (const meant of corrections(typed))
          for (const [id, hit] of rank(kind, meant, limit, true)) if (!hits.has(id)) hits.set(id, hit)
      return [...hits.values()]
        .toSorted((a, b) => b.score - a.score || (fold(a.name) < fold(b.name) ? -1 : 1))
        .slice(0, limit)
    },

    /** Learns the words of all names in small steps, so that nobody has to wait for it. */
    async learn(pause: () => Promise<void>): Promise<void> {
      for (const kind of searchKinds.filter(({ title }) => title.sort !== ""))
        for (let after = 0; ;) {
          const rows = findTitlesAfter(db, kind, after, sliceSize)
          for (const { title } of rows) words.add(title)
          const last = rows.at(-1)
          if (!last) break
          after = last.seq
          await pause()
        }
    },
  }
}

export type SearchService = ReturnType<typeof searchService>

/** What a bare number may mean: 42 is INV-2026-00042, in each year there is. */
function numbersOf(db: Database, { series }: SearchKind, typed: string): string[] {
  const digits = /^\s*(\d{1,9})\s*$/.exec(typed)?.[1]
  if (!digits || !series) return []
  return findBySeries(db, series).map((name) => `${name}-${digits.padStart(5, "0")}`)
}
