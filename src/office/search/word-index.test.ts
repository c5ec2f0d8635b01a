import { expect, test } from "bun:test"
import fc from "fast-check"
import { wordIndex } from "./word-index"

const atOnce = async () => {}

async function indexOf(words: readonly string[]) {
  const uses = new Map(words.map((word) => [word, 1]))
  const index = wordIndex(uses)
  words.forEach(index.note)
  await index.settle(atOnce)
  return {
    ...index,
    /** Changes the uses of a word. */
    async use(word: string, times: number) {
      if (times > 0) uses.set(word, times)
      else uses.delete(word)
      index.note(word)
      await index.settle(atOnce)
    },
  }
}

/** A word of letters only, different for each number, and far from all others. */
const wordOf = (n: number) =>
  [...String(n).padStart(5, "0")].map((digit) => "abcdefghij"[Number(digit)]?.repeat(3)).join("")

test("similar words are those of a simple recursive implementation", async () => {
  const distance = (a: string, b: string): number => {
    if (a === "" || b === "") return a.length + b.length
    const rest = distance(a.slice(1), b.slice(1)) + Number(a[0] !== b[0])
    return Math.min(rest, distance(a.slice(1), b) + 1, distance(a, b.slice(1)) + 1)
  }
  const word = fc.string({ unit: fc.constantFrom("a", "b", "ü"), minLength: 4, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { maxLength: 12 }),
      word,
      fc.constantFrom(1, 2),
      async (words, typed, edits) => {
        const near = words.filter((each) => each !== typed && distance(each, typed) <= edits)
        expect((await indexOf(words)).similar(typed, edits).toSorted()).toEqual(near.toSorted())
      },
    ),
    { numRuns: 200 },
  )
})

test("of two equally near words, the more used one comes first, and equally used ones by name", async () => {
  const index = await indexOf(["dusk", "disk", "dask"])
  expect(index.similar("desk", 1)).toEqual(["dask", "disk", "dusk"])
  await index.use("dusk", 3)
  await index.use("disk", 2)
  expect(index.similar("desk", 1)).toEqual(["dusk", "disk", "dask"])
})

test("short words, and letters of words with digits, are similar to no word", async () => {
  const index = await indexOf(["lam", "lamp#", "#lamp", "lamps"])
  expect(index.similar("lamp", 2)).toEqual(["lamps"])
})

test("a word that begins very many words has no typing error", async () => {
  const words = Array.from({ length: 1_001 }, (_, i) => `lamp${wordOf(i)}`)
  const index = await indexOf([...words, "lamb"])
  expect(index.similar("lamp", 1)).toEqual([])
  await index.use(words[0] ?? "", 0)
  expect(index.similar("lamp", 1)).toEqual(["lamb"])
})

test("at most 1,000 similar words are scored", async () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"]
  const words = letters.flatMap((a) => letters.flatMap((b) => [`${a}${b}lampe`, `lampe${a}${b}`]))
  expect(new Set((await indexOf(words)).similar("lampe", 2)).size).toBe(1_000)
})

test("a full index has the most used words", async () => {
  const index = await indexOf(Array.from({ length: 50_001 }, (_, i) => wordOf(i)))
  expect(index.isComplete()).toBeFalse()
  expect(index.similar(`x${wordOf(49_999)}`, 1)).toEqual([wordOf(49_999)])
  expect(index.similar(`x${wordOf(50_000)}`, 1)).toEqual([])
  await index.use(wordOf(50_000), 2)
  expect(index.similar(`x${wordOf(50_000)}`, 1)).toEqual([wordOf(50_000)])
  // A word that is used as often as the others replaces none of them.
  await index.use("zanzibar", 1)
  expect(index.similar("zanzibarr", 1)).toEqual([])
  await index.use(wordOf(49_999), 0)
  await index.use("zanzibar", 1)
  expect(index.similar("zanzibarr", 1)).toEqual(["zanzibar"])
})

test("the index is built in steps, between which others may run", async () => {
  const words = Array.from({ length: 100 }, (_, i) => wordOf(i))
  const uses = new Map(words.map((word) => [word, 1]))
  const index = wordIndex(uses)
  words.forEach(index.note)
  // A word that is no longer used before it was added needs no step.
  uses.set("zanzibar", 1)
  index.note("zanzibar")
  uses.delete("zanzibar")
  index.note("zanzibar")
  let steps = 0
  await index.settle(async () => void steps++)
  expect([steps, index.isComplete()]).toEqual([100, true])
})
