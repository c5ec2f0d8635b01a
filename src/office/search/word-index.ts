import MiniSearch from "minisearch"
import type { Rest } from "../../core/lib/turns"

/** Shorter words are not similar to others, because they have too few letters. */
export const shortest = 4
/** A word takes about 1.5 kB in the index, and a search for similar words takes milliseconds with this number. */
const mostIndexed = 50_000
/** When the index is full, a word is compared with this number of words, and replaces the least used one. */
const compared = 8
/** A word that begins more words than this has no typing error. MiniSearch would go through all of them. */
const mostBegun = 1_000
/** Of more similar words than this, MiniSearch scores only the first ones, which takes 10 µs for each. */
const mostSimilar = 1_000

/**
 * The index of the most used words, for prefixes and typing errors. A change is noted, and done in small slices before
 * the next search. A word enters the full index when it is more used than another one.
 */
export function wordIndex(uses: ReadonlyMap<string, number>) {
  const usesOf = (word: string): number => uses.get(word) ?? 0
  const words = new Words()
  const due = new Set<string>()

  function place(word: string): void {
    if (uses.has(word) === words.has(word)) return
    if (!uses.has(word)) return words.remove({ id: word })
    if (words.documentCount >= mostIndexed) {
      const least = words.next(compared).reduce((a, b) => (usesOf(b) < usesOf(a) ? b : a))
      if (usesOf(least) >= usesOf(word)) return
      words.remove({ id: least })
    }
    words.add({ id: word })
  }

  return {
    /** Notes that the uses of a word have changed. */
    note: (word: string): void =>
      void (uses.has(word) === words.has(word) ? due.delete(word) : due.add(word)),

    /** Does the noted changes. */
    async settle(rest: Rest): Promise<void> {
      for (const word of due) {
        due.delete(word)
        place(word)
        await rest()
      }
    },

    /** True when the index has all words. */
    isComplete: (): boolean => due.size === 0 && words.documentCount === uses.size,

    beginning: (start: string): Iterable<string> => words.beginning(start),

    /** Returns the words with at most `edits` wrong, missing or extra letters: the most used of the nearest first. */
    similar: (word: string, edits: number): string[] =>
      beginsMany(words, word) ? [] : words.similar(word, edits, usesOf),
  }
}

export type WordIndex = ReturnType<typeof wordIndex>

function beginsMany(words: Words, start: string): boolean {
  let count = 0
  for (const _ of words.beginning(start)) if (++count > mostBegun) return true
  return false
}

/** The documents of this MiniSearch are words. */
class Words extends MiniSearch<{ id: string }> {
  private others = this.all()

  constructor() {
    super({ fields: ["id"], tokenize: (word) => [word], processTerm: (word) => word })
  }

  similar(word: string, edits: number, usesOf: (word: string) => number): string[] {
    let left = mostSimilar
    const found = this.search(word, {
      fuzzy: edits,
      boostDocument: (id) => (left-- > 0 ? usesOf(id) : 0),
      filter: ({ id }) => id !== word && id.length >= shortest && !id.includes("#"),
    })
    return found.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(({ id }) => String(id))
  }

  /** Yields the words that begin with `start`, one by one. `search` would first score all of them. */
  beginning(start: string): Iterable<string> {
    return this._index.atPrefix(start).keys()
  }

  /** Returns the next words. After the last word it goes on with the first one. */
  next(count: number): string[] {
    return Array.from({ length: count }, (): string => {
      const { value, done } = this.others.next()
      if (!done) return value
      this.others = this.all()
      return this.others.next().value
    })
  }

  private all(): IterableIterator<string> {
    return this._documentIds.values()
  }
}
