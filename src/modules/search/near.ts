/** What a word may be taken for, with so many letters wrong, missing or too many at most. */
export function nearest(word: string, words: Iterable<string>, farthest: number): string[] {
  const letters = lettersOf(word)
  let least = farthest
  let found: string[] = []
  for (const each of words) {
    if (Math.abs(each.length - word.length) > least) continue
    // A letter more and a letter less differ in one each, so this many differing letters are too many.
    if (bitsIn(lettersOf(each) ^ letters) > 2 * least) continue
    const distance = distanceWithin(word, each, least)
    if (distance > least || distance === 0) continue
    if (distance < least) found = []
    least = distance
    found.push(each)
  }
  return found
}

/** Which letters a word has, as bits; letters that share a bit only make a word look nearer than it is. */
function lettersOf(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function bitsIn(mask: number): number {
  let [rest, bits] = [mask, 0]
  for (; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** How many letters must be changed, added or taken away to make one word of another; more than `most` is `most + 1`. */
export function distanceWithin(a: string, b: string, most: number): number {
  let before = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cost = Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    before = row
  }
  return Math.min(before[b.length] ?? 0, most + 1)
}
