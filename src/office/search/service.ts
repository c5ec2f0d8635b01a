import type { Database } from "../../core/engine/engine"
import { steadyMillis } from "../../core/lib/clock"
import { fold } from "../../core/lib/text"
import { nextStep, type NextStep, type Rest, restsBetween } from "../../core/lib/turns"
import { foldTyped, fragmentQuery, matchQuery, typedWords, wordQuery } from "../../core/search/search"
import type { SearchFeed } from "../../core/search/search-feed"
import type { Candidate, Hit, SearchKind } from "./model"
import { othersWords } from "./others-words"
import {
  findByAmount,
  findByCode,
  findByCodeStart,
  findByKeys,
  findByText,
  findByTitle,
  findByWords,
  findSeriesNames,
  findTextsAfter,
  lastRow,
} from "./store"
import type { Vocabulary } from "./vocabulary"
import { scoreOf } from "./rules"
import { amountsOf, type Money } from "./amount"
import type { Numbered } from "../../core/kind/define"
import { numbersOf } from "./numbers"

const mostCorrections = 6
/** The minimum number of hits to search for, even if fewer are requested. */
const fewest = 10
/** The maximum number of milliseconds that other requests wait, unless a single query takes longer. */
const longestStep = 2
/** The maximum number of texts that are learned at once. */
const mostTexts = 64

type Deps = SearchDeps & {
  kinds: readonly SearchKind[]
  feed: SearchFeed
  next: NextStep
  others: ReturnType<typeof othersWords>
}

export function searchService(
  db: Database,
  kinds: readonly SearchKind[],
  vocabulary: Vocabulary,
  { feed, ...given }: Pick<Deps, "money" | "formatsOf" | "feed">,
  next: NextStep = nextStep,
) {
  const others = othersWords({ db, kinds, vocabulary, next })
  const deps: Deps = { db, kinds, vocabulary, feed, ...given, next, others }
  for (const kind of kinds)
    if (findTextsAfter(db, kind, 0, 1).length === 0) vocabulary.finishTable(kind.resource.table)
  return {
    kinds,

    /** Returns the best hits of each kind, best first, ties by name. */
    search: (among: readonly SearchKind[], typed: string, limit: number): Promise<Record<string, Hit[]>> =>
      search(deps, among, typed, limit),

    /** Learns the words of all records in small slices, with other requests in between. */
    learn: (): Promise<void> => learn(deps),

    /** Learns the words that other servers have written. Each search does this too. */
    learnOthers: others.learn,
  }
}

export type SearchService = ReturnType<typeof searchService>

async function search(
  deps: Deps,
  among: readonly SearchKind[],
  typed: string,
  limit: number,
): Promise<Record<string, Hit[]>> {
  const { vocabulary, next } = deps
  // A search for few hits returns the first hits of a search for more.
  const enough = Math.max(limit, fewest)
  const query: SearchQuery = { typed: typed.trim(), words: typedWords(typed), limit: enough }
  const rest = restsBetween(longestStep, null, next)
  // Concurrent searches start one by one, each in its own turn, so that other requests do not wait for all of them.
  await next()
  if (deps.feed.isWaiting()) await deps.feed.settle()
  await deps.others.learn()
  await vocabulary.settle(rest)
  const answer: Record<string, Hit[]> = {}
  let corrected: SearchQuery[] | undefined
  let isFound = false
  for (const kind of among) {
    const hits: Map<string, Hit> =
      query.words.length === 0 ? new Map() : await rank(deps, kind, query, false, rest)
    // Known words are not corrected, except a single word without hits, which no record of this kind uses.
    const isKnown = query.words.every(vocabulary.has)
    const needsCorrection =
      !isFound && (isKnown ? hits.size === 0 && query.words.length === 1 : hits.size < enough)
    isFound ||= [...hits.values()].some(({ score }) => score === 1)
    if (needsCorrection) corrected ??= await corrections(vocabulary, query, rest)
    for (const each of (needsCorrection && corrected) || []) {
      if (hits.size >= enough) break
      for (const [id, hit] of await rank(deps, kind, each, true, rest)) if (!hits.has(id)) hits.set(id, hit)
    }
    answer[kind.name] = bestOf(hits, limit)
  }
  return answer
}

/** Returns queries in which one word is replaced by a similar word. Words that no record uses are tried first. */
async function corrections(
  vocabulary: Vocabulary,
  { words, limit }: SearchQuery,
  rest: Rest,
): Promise<SearchQuery[]> {
  const unknownFirst = words.toSorted((a, b) => Number(vocabulary.has(a)) - Number(vocabulary.has(b)))
  for (const word of unknownFirst) {
    const similar = await vocabulary.near(word, mostCorrections, rest)
    await rest()
    if (similar.length === 0) continue
    return similar.map((each) => {
      const corrected = words.with(words.indexOf(word), each)
      return { typed: corrected.join(" "), words: corrected, limit }
    })
  }
  return []
}

async function learn({ db, kinds, vocabulary, next }: Deps): Promise<void> {
  const rest = restsBetween(longestStep, null, next)
  for (const kind of kinds) {
    const { table } = kind.resource
    if (vocabulary.isFinished(table)) continue
    let size = 1
    let rows = findTextsAfter(db, kind, 0, size)
    while (rows.length > 0) {
      // There is no turn between reading and learning, because an update in between would not be learned.
      const began = steadyMillis()
      for (const { seq, text } of rows) vocabulary.learn(table, seq, text)
      size = steadyMillis() - began < longestStep / 4 ? Math.min(size * 2, mostTexts) : 1
      const last = rows.at(-1)?.seq ?? 0
      await rest()
      rows = findTextsAfter(db, kind, last, size)
    }
    vocabulary.finishTable(table)
    await vocabulary.settle(rest)
  }
  vocabulary.finish()
}

const bestOf = (hits: ReadonlyMap<string, Hit>, limit: number): Hit[] =>
  [...hits.values()]
    .toSorted((a, b) => b.score - a.score || compare(fold(a.name), fold(b.name)) || compare(a.id, b.id))
    .slice(0, limit)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the hits of one kind by id. `isCorrected` means that a word of the query was replaced by a similar word. */
async function rank(
  deps: SearchDeps,
  kind: SearchKind,
  searched: SearchQuery,
  isCorrected: boolean,
  rest: Rest,
): Promise<Map<string, Hit>> {
  const hits = new Map<string, Hit>()
  const last = lastRow(deps.db, kind)
  if (last === 0) return hits
  const query = { ...searched, last, numbers: meantNumbers(deps, kind, searched.typed) }
  const score = scorer(kind, query, isCorrected)
  const take = async (found: Iterable<Candidate[]>) => {
    for (const rows of found) {
      for (const row of rows) {
        if (hits.has(row.id)) continue
        await rest()
        const points = score(row)
        if (points > 0) hits.set(row.id, { id: row.id, name: kind.shown(row), score: points })
      }
      await rest()
    }
  }
  for (const method of indexMethods) await take(method(deps, kind, query))
  const isExact = [...hits.values()].some((hit) => hit.score === 1)
  for (const [i, method] of widerMethods.entries()) {
    // If the typed code was found, or for a corrected word, matches inside other words are not useful.
    if (hits.size >= query.limit || ((isExact || isCorrected) && i >= 1)) break
    await take(method(deps, kind, query))
  }
  return hits
}

function scorer(kind: SearchKind, { typed, words, numbers }: KindQuery, isCorrected: boolean) {
  const spelled = { typed: foldTyped(typed), words, isCorrected }
  const joined = kind.resource.fragments ? { ...spelled, words: [words.join("")] } : null
  return (row: Candidate): number => {
    if (row.code !== null && numbers.includes(row.code)) return 1
    if (row.score !== undefined) return row.score
    return scoreOf(row, spelled) || (joined && scoreOf(row, joined)) || 0
  }
}

/** The maximum number of rows that each search method returns for scoring. */
const mostCandidates = 120

/** The dependencies of the search methods. */
type SearchDeps = {
  db: Database
  vocabulary: Vocabulary
  money: () => Money
  /** Returns the formats that the numbers of a kind have or had. */
  formatsOf: (kind: Numbered) => readonly string[]
}

/** The query: the typed text, its words, and the number of hits that is enough. */
type SearchQuery = { typed: string; words: string[]; limit: number }

/** The query among the rows of a kind up to `last`. `numbers` are those of the kind that a person may mean by the text. */
type KindQuery = SearchQuery & { last: number; numbers: readonly string[] }

/** A search method. It yields the result of each query, so that other requests may run in between. */
type SearchMethod = (deps: SearchDeps, kind: SearchKind, query: KindQuery) => Iterable<Candidate[]>

/**
 * Methods that use an index on codes, amounts or titles. They are cheap and find the best hits, so all of them always
 * run, the best first.
 */
const indexMethods: readonly SearchMethod[] = [byCode, byAmount, byTitle, byCodeStart]

/** Methods that run only while there are not enough hits, in the order of their relevance. */
const widerMethods: readonly SearchMethod[] = [byWords, byFragment, byPart]

function* byCode({ db }: SearchDeps, kind: SearchKind, { typed, numbers }: KindQuery) {
  yield findByCode(db, kind, [kind.code.form(typed), ...numbers])
  yield findByKeys(db, kind, typed)
}

function* byAmount({ db, money }: SearchDeps, kind: SearchKind, { typed, limit }: SearchQuery) {
  if (kind.amounts.length === 0) return
  for (const units of amountsOf(typed, money())) yield* findByAmount(db, kind, units, limit)
}

function* byTitle({ db }: SearchDeps, kind: SearchKind, { typed, words, limit }: SearchQuery) {
  yield findByTitle(db, kind, foldTyped(typed), Math.min(mostCandidates, limit * 4))
  if (words.join(" ") !== foldTyped(typed)) yield findByTitle(db, kind, words.join(" "), limit)
}

function* byCodeStart({ db }: SearchDeps, kind: SearchKind, { typed, limit }: SearchQuery) {
  // All numbers of a format begin with the same letters, so letters alone match all of them.
  if (kind.numbered && !/\d/.test(typed)) return
  yield findByCodeStart(db, kind, kind.code.form(typed), Math.min(mostCandidates, limit * 4))
}

function* byWords({ db, vocabulary }: SearchDeps, kind: SearchKind, { words, last }: KindQuery) {
  const among = { last, limit: mostCandidates }
  const whole = wordQuery(words, () => [])
  const found = yield* findByWords(db, kind, among, whole)
  // Rows with the whole words are better hits, and cost far less to find than those of a prefix.
  if (found < mostCandidates) {
    const starts = wordQuery(words, (word) =>
      kind.resource.fragments === undefined ? vocabulary.longer(word) : null,
    )
    const begun = starts === whole ? found : yield* findByWords(db, kind, among, starts)
    if (begun < mostCandidates) return
    yield* findByWords(db, kind, among, `words : (${wordQuery(words, vocabulary.longer)})`)
  }
  // The limit was reached, so only the newest rows are included. Older rows may match better: in names.
  yield* findByWords(db, kind, among, `words : (${whole})`)
}

function* byFragment({ db }: SearchDeps, kind: SearchKind, { typed, last }: KindQuery) {
  const match = kind.resource.fragments && fragmentQuery(typed)
  if (match) yield* findByText(db, kind, { last, limit: mostCandidates }, match)
}

function* byPart({ db, vocabulary }: SearchDeps, kind: SearchKind, { typed, words, last }: KindQuery) {
  if (!words.every(vocabulary.isPart)) return
  const inside = new Set(words.filter(vocabulary.isInside))
  if (words.length === 1 && inside.size === 1)
    yield* findByText(db, kind, { last, limit: mostCandidates }, `words : (${matchQuery(typed)})`)
  // In a search for several words, usually one of them is the start of a word in the record. So the rows that contain
  // that word are candidates, and the other words may be inside words.
  const some = { last, limit: mostCandidates / 4 }
  for (const word of words)
    if (inside.difference(new Set([word])).size > 0)
      yield* findByWords(db, kind, some, `words : (${wordQuery([word], vocabulary.longer)})`)
}

/** Returns the numbers of a kind that a person may mean by a short one. */
const meantNumbers = (
  { db, formatsOf }: SearchDeps,
  { numbered: kind }: SearchKind,
  typed: string,
): string[] =>
  kind && /\d/.test(typed)
    ? numbersOf(typed, kind.numbers.prefix, formatsOf(kind), () => findSeriesNames(db, kind.numbers.prefix))
    : []
