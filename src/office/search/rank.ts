import type { Rest } from "../../core/lib/turns"
import { foldTyped } from "../../core/search/search"
import type { Candidate, Hit, SearchKind } from "./model"
import { scoreOf } from "./rules"
import { meantNumbers, indexMethods, widerMethods, type SearchDeps, type SearchQuery } from "./methods"

/** Returns the hits of one kind by id. `isCorrected` means that a word of the query was replaced by a similar word. */
export async function rank(
  deps: SearchDeps,
  kind: SearchKind,
  query: SearchQuery,
  isCorrected: boolean,
  rest: Rest,
): Promise<Map<string, Hit>> {
  const hits = new Map<string, Hit>()
  const score = scorer(deps, kind, query, isCorrected)
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

function scorer(deps: SearchDeps, kind: SearchKind, { typed, words }: SearchQuery, isCorrected: boolean) {
  const numbers = new Set(meantNumbers(deps, kind, typed))
  const spelled = { typed: foldTyped(typed), words, isCorrected }
  const joined = kind.resource.fragments ? { ...spelled, words: [words.join("")] } : null
  return (row: Candidate): number => {
    if (row.code !== null && numbers.has(row.code)) return 1
    if (row.score !== undefined) return row.score
    return scoreOf(row, spelled) || (joined && scoreOf(row, joined)) || 0
  }
}
