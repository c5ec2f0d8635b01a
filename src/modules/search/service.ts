import type { Database } from "bun:sqlite"
import { fold } from "../../lib/text"
import { nextStep, restsBetween, type NextStep, type Rest } from "../../lib/turns"
import { foldTyped, fragmentQuery, matchQuery, typedWords, wordQuery } from "../../resource/search"
import type { Candidate, Hit, SearchKind } from "./model"
import { scoreOf } from "./rules"
import {
  findByCode,
  findByCodeStart,
  findBySeries,
  findByText,
  findByTitle,
  findByWords,
  findTextAfter,
} from "./store"
import type { Vocabulary } from "./vocabulary"

/** How many rows each way of looking may hand over to be scored. */
const mostCandidates = 120
const mostCorrections = 6
/** Fewer hits than this are looked for as if it were this many. */
const fewest = 10
/** How many milliseconds of searching others wait for at most, unless a single query takes longer. */
const longestStep = 2

type Asked = { typed: string; words: string[]; limit: number }
/** A way of looking: its queries one by one, so that others may be served between them. */
type Way = (kind: SearchKind, asked: Asked) => Iterable<Candidate[]>

export function searchService(
  db: Database,
  kinds: readonly SearchKind[],
  vocabulary: Vocabulary,
  next: NextStep = nextStep,
) {
  for (const kind of kinds)
    if (findTextAfter(db, kind, 0) === null) vocabulary.finishTable(kind.resource.table)

  /** Words that begin so. Whole ones cost far less, and are all there are where nothing that was learned goes on. */
  const startsOf = ({ resource }: SearchKind, words: readonly string[]) =>
    wordQuery(words, (word) => resource.fragments !== undefined || vocabulary.goesOn(word))

  /** By an index on codes or names: cheap, and what is found is near the top, so all of these are always asked. */
  const sureWays: Way[] = [
    (kind, { typed }) => [findByCode(db, kind, [kind.code.form(typed), ...numbersOf(db, kind, typed)])],
    function* (kind, { typed, words, limit }) {
      yield findByTitle(db, kind, foldTyped(typed), Math.min(mostCandidates, limit * 4))
      if (words.join(" ") !== foldTyped(typed)) yield findByTitle(db, kind, words.join(" "), limit)
    },
    function* (kind, { typed, limit }) {
      // Every number of a series begins alike: its letters alone say nothing.
      if (kind.series && !/\d/.test(typed)) return
      yield findByCodeStart(db, kind, kind.code.form(typed), Math.min(mostCandidates, limit * 4))
    },
  ]

  /** Each asked only while there is not enough, from what means the most to what means the least. */
  const widerWays: Way[] = [
    function* (kind, { words }) {
      const found = yield* findByWords(db, kind, startsOf(kind, words), mostCandidates)
      if (found < mostCandidates) return
      // Cut off, it holds only the newest: the words themselves, and then names that begin so, may have been older.
      yield* findByWords(db, kind, `words : (${wordQuery(words, () => false)})`, mostCandidates)
      yield* findByWords(db, kind, `words : (${wordQuery(words, vocabulary.goesOn)})`, mostCandidates)
    },
    function* (kind, { typed }) {
      const match = kind.resource.fragments && fragmentQuery(typed)
      if (match) yield* findByText(db, kind, match, mostCandidates)
    },
    function* (kind, { typed, words }) {
      if (!words.every(vocabulary.isPart)) return
      const inside = new Set(words.filter(vocabulary.isInside))
      if (words.length === 1 && inside.size === 1)
        yield* findByText(db, kind, `words : (${matchQuery(typed)})`, mostCandidates)
      // Of several words one begins a word as a rule; its rows are few enough to look for the others inside.
      for (const word of words)
        if (inside.difference(new Set([word])).size > 0)
          yield* findByWords(
            db,
            kind,
            `words : (${wordQuery([word], vocabulary.goesOn)})`,
            mostCandidates / 4,
          )
    },
  ]

  const rank = async (
    kind: SearchKind,
    asked: Asked,
    isCorrected: boolean,
    rest: Rest,
  ): Promise<Map<string, Hit>> => {
    const hits = new Map<string, Hit>()
    const numbers = new Set(numbersOf(db, kind, asked.typed))
    const fragments = kind.resource.fragments ? [asked.words.join("")] : null
    const question = { typed: foldTyped(asked.typed), words: asked.words, isCorrected }
    const take = async (found: Iterable<Candidate[]>) => {
      for (const rows of found) {
        for (const row of rows) {
          if (hits.has(row.id)) continue
          await rest()
          const isNumber = row.code !== null && numbers.has(row.code)
          const score = isNumber
            ? 1
            : scoreOf(row, question) || (fragments && scoreOf(row, { ...question, words: fragments })) || 0
          if (score > 0) hits.set(row.id, { id: row.id, name: kind.shown(row), score })
        }
        await rest()
      }
    }
    for (const look of sureWays) await take(look(kind, asked))
    const isExact = [...hits.values()].some(({ score }) => score === 1)
    for (const [i, look] of widerWays.entries()) {
      // Beside a code that was named, or for a word that was only meant, letters inside of others are not wanted.
      if (hits.size >= asked.limit || ((isExact || isCorrected) && i >= 1)) break
      await take(look(kind, asked))
    }
    return hits
  }

  /** The same words with one of them replaced by those that may have been meant; one that nobody uses first. */
  const corrections = async ({ words, limit }: Asked, rest: Rest): Promise<Asked[]> => {
    const unsure = words.toSorted((a, b) => Number(vocabulary.has(a)) - Number(vocabulary.has(b)))
    for (const word of unsure) {
      const meant = await vocabulary.near(word, mostCorrections, rest)
      if (meant.length === 0) continue
      return meant.map((each) => {
        const corrected = words.with(words.indexOf(word), each)
        return { typed: corrected.join(" "), words: corrected, limit }
      })
    }
    return []
  }

  return {
    kinds,

    /** The best hits of each kind, best first, ties by name. */
    async search(among: readonly SearchKind[], typed: string, limit: number): Promise<Record<string, Hit[]>> {
      // Who asks for few gets the first of what others get.
      const enough = Math.max(limit, fewest)
      const asked: Asked = { typed: typed.trim(), words: typedWords(typed), limit: enough }
      const rest = restsBetween(longestStep, null, next)
      // Many at once wait for one another, and not everybody for all of them.
      await next()
      const answer: Record<string, Hit[]> = {}
      let meant: Asked[] | undefined
      let isFound = false
      for (const kind of among) {
        const hits: Map<string, Hit> =
          asked.words.length === 0 ? new Map() : await rank(kind, asked, false, rest)
        // Words that are all in use were meant; but a single one that finds nothing is used no more.
        const isKnown = asked.words.every(vocabulary.has)
        const isUnsure =
          !isFound && (isKnown ? hits.size === 0 && asked.words.length === 1 : hits.size < enough)
        isFound ||= [...hits.values()].some(({ score }) => score === 1)
        if (isUnsure) meant ??= await corrections(asked, rest)
        for (const each of (isUnsure && meant) || []) {
          if (hits.size >= enough) break
          for (const [id, hit] of await rank(kind, each, true, rest)) if (!hits.has(id)) hits.set(id, hit)
        }
        answer[kind.name] = bestOf(hits, limit)
      }
      return answer
    },

    /** Learns the words of all records in small steps, so that nobody has to wait for it. */
    async learn(): Promise<void> {
      const rest = restsBetween(longestStep, null, next)
      for (const kind of kinds) {
        const { table } = kind.resource
        if (vocabulary.isFinished(table)) continue
        let row = findTextAfter(db, kind, 0)
        while (row) {
          vocabulary.learn(table, row.seq, row.text)
          await rest()
          row = findTextAfter(db, kind, row.seq)
        }
        vocabulary.finishTable(table)
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
