import type { Database } from "../../core/engine/engine"
import { steadyMillis } from "../../core/lib/clock"
import { fold } from "../../core/lib/text"
import { nextStep, restsBetween, type NextStep, type Rest } from "../../core/lib/turns"
import { typedWords } from "../../core/search/search"
import type { SearchFeed } from "../../core/search/search-feed"
import type { Hit, SearchKind } from "./model"
import { othersWords } from "./others-words"
import { rank } from "./rank"
import { findTextsAfter } from "./store"
import type { Vocabulary } from "./vocabulary"
import type { SearchDeps, SearchQuery } from "./methods"

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
