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
const mostCandidates = 160
const mostCorrections = 3
const sliceSize = 200

export function searchService(db: Database, words: Vocabulary) {
  /**
   * Ways of looking, the surest and cheapest first. Each hands over a bounded number of rows, and what a later one
   * finds is never worth more than what an earlier one does: so when there is enough, the rest need not be asked.
   */
  const ways: ((kind: SearchKind, typed: string, enough: number) => Candidate[])[] = [
    (kind, typed) => findByCode(db, kind, [kind.code.form(typed.trim()), ...numbersOf(db, kind, typed)]),
    (kind, typed, enough) => findByCodeStart(db, kind, kind.code.form(typed.trim()), enough),
    (kind, typed, enough) => findByTitle(db, kind, fold(typed).trim(), enough),
    (kind, typed) => {
      const match = wordQuery(typed, words.has) ?? ""
      const anywhere = findByWords(db, kind, match, mostCandidates)
      // Cut off, it may lack rows whose name has the words, because newer ones have them elsewhere.
      if (anywhere.length < mostCandidates) return anywhere
      return [...findByWords(db, kind, `words : (${match})`, mostCandidates), ...anywhere]
    },
  ]
  /** Letters inside of words cost the most and mean the least: only for one word that nothing else finds. */
  const lastResort = (kind: SearchKind, typed: string): Candidate[] => {
    const asked = wordsOf(fold(typed))
    if (asked.length > 1 || !asked.every(words.mayStandInside)) return []
    return findByText(db, kind, matchQuery(typed) ?? "", mostCandidates)
  }

  const rank = (kind: SearchKind, typed: string, limit: number, isCorrected: boolean): Map<string, Hit> => {
    const hits = new Map<string, Hit>()
    if (wordQuery(typed, words.has) === null) return hits
    const numbers = new Set(numbersOf(db, kind, typed))
    const asked = { typed: fold(typed).trim(), words: wordsOf(fold(typed)), isCorrected }
    for (const look of [...ways, lastResort]) {
      if (hits.size >= (look === lastResort ? 1 : limit)) break
      for (const row of look(kind, typed, Math.min(mostCandidates, limit * 4))) {
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
    for (const [i, word] of asked.entries()) {
      if (words.has(word)) continue
      const meant = words.near(word, mostCorrections)
      if (meant.length > 0) return meant.map((each) => asked.with(i, each).join(" "))
    }
    return []
  }

  return {
    /** The best hits of each kind, best first, ties by name. */
    search(kinds: readonly SearchKind[], typed: string, limit: number): Record<string, Hit[]> {
      let meant: string[] | undefined
      const found = kinds.map((kind) => {
        const hits = rank(kind, typed, limit, false)
        if (hits.size === 0)
          for (const each of (meant ??= corrections(typed))) {
            if (hits.size >= limit) break
            for (const [id, hit] of rank(kind, each, limit, true)) if (!hits.has(id)) hits.set(id, hit)
          }
        return [kind.name, bestOf(hits, limit)] as const
      })
      return Object.fromEntries(found)
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

const bestOf = (hits: ReadonlyMap<string, Hit>, limit: number): Hit[] =>
  [...hits.values()]
    .toSorted((a, b) => b.score - a.score || (fold(a.name) < fold(b.name) ? -1 : 1))
    .slice(0, limit)

export type SearchService = ReturnType<typeof searchService>

/** What a bare number may mean: 42 is INV-2026-00042, in each year there is. */
function numbersOf(db: Database, { series }: SearchKind, typed: string): string[] {
  const digits = /^\s*(\d{1,9})\s*$/.exec(typed)?.[1]
  if (!digits || !series) return []
  return findBySeries(db, series).map((name) => `${name}-${digits.padStart(5, "0")}`)
}
