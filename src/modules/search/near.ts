import type { Rest } from "../../lib/turns"

/** The number of words that are compared before other requests may run. */
const wordsAtOnce = 500

/** Returns the words nearest to a word, with at most `farthest` letters wrong, missing or extra. */
export async function nearest(
  word: string,
  words: Iterable<string>,
  farthest: number,
  rest: Rest,
): Promise<string[]> {
  const letters = lettersOf(word)
  let least = farthest
  let found: string[] = []
  let compared = 0
  for (const each of words) {
    if (++compared % wordsAtOnce === 0) await rest()
    if (Math.abs(each.length - word.length) > least) continue
    // One edit changes at most two bits: it removes one letter and adds one. With more differing bits the word is too
    // far.
    if (bitsIn(lettersOf(each) ^ letters) > 2 * least) continue
    const distance = distanceWithin(word, each, least)
    if (distance > least || distance === 0) continue
    if (distance < least) found = []
    least = distance
    found.push(each)
  }
  return found
}

/**
 * Returns the letters of a word as bits. Some letters share a bit, so two words differ in at least as many letters as
 * bits.
 */
function lettersOf(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** Returns the number of letters to change, add or remove to turn one word into another; at most `most + 1`. */
export function distanceWithin(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [start, end] = [0, 0]
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  const shorter = Math.min(a.length, b.length) - start
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return distanceOf(a.slice(start, a.length - end), b.slice(start, b.length - end), most)
}

/** The edit distance. It compares only positions that are at most `most` apart, so it is fast. */
function distanceOf(a: string, b: string, most: number): number {
  const tooFar = most + 1
  let before = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, tooFar))
  for (let i = 1; i <= a.length; i++) {
    const row = Array<number>(b.length + 1).fill(tooFar)
    let least = tooFar
    for (let j = Math.max(0, i - most); j <= Math.min(b.length, i + most); j++) {
      const changed = j === 0 ? i : (before[j - 1] ?? tooFar) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cost = Math.min(tooFar, changed, (before[j] ?? tooFar) + 1, (row[j - 1] ?? tooFar) + 1)
      row[j] = cost
      least = Math.min(least, cost)
    }
    if (least > most) return tooFar
    before = row
  }
  return before[b.length] ?? tooFar
}
