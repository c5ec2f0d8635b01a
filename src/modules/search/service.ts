import type { Database } from "bun:sqlite"
import { fold } from "../../lib/text"
import { fragmentQuery, matchQuery, typedWords, wordQuery } from "../../resource/search"
import { searchKinds, type Candidate, type Hit, type SearchKind } from "./model"
import { scoreOf } from "./rules"
import {
  findByCode,
  findByCodeStart,
  findBySeries,
  findByText,
  findByTitle,
  findByWords,
  findTextsAfter,
} from "./store"
import type { Vocabulary } from "./vocabulary"

/** How many rows each way of looking may hand over to be scored. */
const mostCandidates = 160
const mostCorrections = 6
const sliceSize = 100

type Asked = { typed: string; words: string[]; limit: number }

export function searchService(db: Database, vocabulary: Vocabulary) {
  /** By an index on codes or names: cheap, and what is found is near the top, so all of these are always asked. */
  const sureWays: ((kind: SearchKind, asked: Asked) => Candidate[])[] = [
    (kind, { typed }) => findByCode(db, kind, [kind.code.form(typed), ...numbersOf(db, kind, typed)]),
    (kind, { typed, words, limit }) => [
      ...findByTitle(db, kind, fold(typed), Math.min(mostCandidates, limit * 4)),
      ...(words.join(" ") === fold(typed) ? [] : findByTitle(db, kind, words.join(" "), limit)),
    ],
    // Every number of a series begins alike: its letters alone say nothing.
    (kind, { typed, limit }) =>
      kind.series && !/\d/.test(typed)
        ? []
        : findByCodeStart(db, kind, kind.code.form(typed), Math.min(mostCandidates, limit * 4)),
  ]

  /** Each asked only while there is not enough, from what means the most to what means the least. */
  const widerWays: ((kind: SearchKind, asked: Asked) => Candidate[])[] = [
    (kind, { words }) => {
      const anywhere = findByWords(db, kind, wordQuery(words, true), mostCandidates)
      if (anywhere.length < mostCandidates) return anywhere
      // Cut off, it holds only the newest: the words themselves, and then names that begin so, may have been older.
      return [
        ...findByWords(db, kind, `words : (${wordQuery(words, false)})`, mostCandidates),
        ...findByWords(db, kind, `words : (${wordQuery(words, true)})`, mostCandidates),
        ...anywhere,
      ]
    },
    (kind, { typed }) => {
      const match = kind.resource.fragments && fragmentQuery(typed)
      return match ? findByText(db, kind, match, mostCandidates) : []
    },
    (kind, { typed, words }) => {
      if (!vocabulary.mayStandInside(words)) return []
      // Of several words one begins a word as a rule; its rows are few enough to look for the others inside.
      if (words.length > 1)
        return words.flatMap((word) =>
          findByWords(db, kind, `words : (${wordQuery([word], true)})`, mostCandidates / 4),
        )
      return findByText(db, kind, `words : (${matchQuery(typed)})`, mostCandidates)
    },
  ]

  const rank = (kind: SearchKind, asked: Asked, isCorrected: boolean): Map<string, Hit> => {
    const hits = new Map<string, Hit>()
    const numbers = new Set(numbersOf(db, kind, asked.typed))
    const fragments = kind.resource.fragments ? [asked.words.join("")] : null
    const question = { typed: fold(asked.typed), words: asked.words, isCorrected }
    const take = (rows: Candidate[]) => {
      for (const row of rows) {
        if (hits.has(row.id)) continue
        const isNumber = row.code !== null && numbers.has(row.code)
        const score = isNumber
          ? 1
          : scoreOf(row, question) || (fragments && scoreOf(row, { ...question, words: fragments })) || 0
        if (score > 0) hits.set(row.id, { id: row.id, name: kind.shown(row), score })
      }
    }
    for (const look of sureWays) take(look(kind, asked))
    const isExact = [...hits.values()].some(({ score }) => score === 1)
    for (const [i, look] of widerWays.entries()) {
      // Beside a code that was named, or for a word that was only meant, letters inside of others are not wanted.
      if (hits.size >= asked.limit || ((isExact || isCorrected) && i >= 1)) break
      take(look(kind, asked))
    }
    return hits
  }

  /** The same words with one of them replaced by those that may have been meant; one that nobody uses first. */
  const corrections = ({ words, limit }: Asked): Asked[] => {
    const unsure = words.toSorted((a, b) => Number(vocabulary.has(a)) - Number(vocabulary.has(b)))
    for (const word of unsure) {
      const meant = vocabulary.near(word, mostCorrections)
      if (meant.length === 0) continue
      return meant.map((each) => {
        const corrected = words.with(words.indexOf(word), each)
        return { typed: corrected.join(" "), words: corrected, limit }
      })
    }
    return []
  }

  return {
    /** The best hits of each kind, best first, ties by name. */
    search(kinds: readonly SearchKind[], typed: string, limit: number): Record<string, Hit[]> {
      const asked: Asked = { typed: typed.trim(), words: typedWords(typed), limit }
      let meant: Asked[] | undefined
      let isFound = false
      const found = kinds.map((kind) => {
        const hits: Map<string, Hit> = asked.words.length === 0 ? new Map() : rank(kind, asked, false)
        // Words that are all in use were meant; but a single one that finds nothing is used no more.
        const isKnown = asked.words.every(vocabulary.has)
        const isUnsure =
          !isFound && (isKnown ? hits.size === 0 && asked.words.length === 1 : hits.size < limit)
        isFound ||= [...hits.values()].some(({ score }) => score === 1)
        for (const each of isUnsure ? (meant ??= corrections(asked)) : []) {
          if (hits.size >= limit) break
          for (const [id, hit] of rank(kind, each, true)) if (!hits.has(id)) hits.set(id, hit)
        }
        return [kind.name, bestOf(hits, limit)] as const
      })
      return Object.fromEntries(found)
    },

    /** Learns the words of all codes and names in small steps, so that nobody has to wait for it. */
    async learn(pause: () => Promise<void>): Promise<void> {
      for (const kind of searchKinds)
        for (let after = 0; ;) {
          const rows = findTextsAfter(db, kind, after, sliceSize)
          for (const { text } of rows) vocabulary.add(text)
          const last = rows.at(-1)
          if (!last) break
          after = last.seq
          await pause()
        }
      vocabulary.finish()
    },
  }
}

export type SearchService = ReturnType<typeof searchService>

const bestOf = (hits: ReadonlyMap<string, Hit>, limit: number): Hit[] =>
  [...hits.values()]
    .toSorted((a, b) => b.score - a.score || compare(fold(a.name), fold(b.name)) || compare(a.id, b.id))
    .slice(0, limit)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What a person may mean by a number: `42`, `#42`, `INV-42` and `inv 2026 42` are INV-2026-00042. */
function numbersOf(db: Database, { series }: SearchKind, typed: string): string[] {
  const [, letters, year, digits] = /^\s*#?([a-z]+)?[\s-]*(?:(\d{4})[\s-]+)?(\d{1,9})\s*$/i.exec(typed) ?? []
  if (!digits || !series || (letters && letters.toUpperCase() !== series)) return []
  return findBySeries(db, series)
    .filter((name) => !year || name.endsWith(year))
    .map((name) => `${name}-${digits.padStart(5, "0")}`)
}
