import { expect, test } from "bun:test"
import fc from "fast-check"
import { distanceWithin, nearest } from "./near"

test.each([
  ["desk", "desk", 2, 0],
  ["desk", "dsk", 2, 1],
  ["desk", "desks", 2, 1],
  ["desk", "dusk", 2, 1],
  ["kitten", "sitting", 3, 3],
  ["kitten", "sitting", 2, 3],
  ["abcd", "dcba", 2, 3],
])("the distance from %p to %p, limited to %p, is %p", (a, b, most, distance) => {
  expect(distanceWithin(a, b, most)).toBe(distance)
})

test("agrees with a simple recursive implementation", () => {
  const plain = (a: string, b: string): number => {
    if (a === "" || b === "") return a.length + b.length
    const rest = plain(a.slice(1), b.slice(1)) + Number(a[0] !== b[0])
    return Math.min(rest, plain(a.slice(1), b) + 1, plain(a, b.slice(1)) + 1)
  }
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
      expect(distanceWithin(a, b, most)).toBe(Math.min(plain(a, b), most + 1))
    }),
    { numRuns: 2_000 },
  )
})

test("returns only the nearest words, and never the word itself", async () => {
  const words = ["standing", "standings", "landing", "stand", "standin", "übung"]
  const near = (word: string, farthest: number) => nearest(word, words, farthest, async () => {})
  expect(await near("standng", 2)).toEqual(["standing"])
  expect(await near("standing", 2)).toEqual(["standings", "standin"])
  expect(await near("ubung", 1)).toEqual(["übung"])
  expect(await near("lamp", 1)).toEqual([])
})
