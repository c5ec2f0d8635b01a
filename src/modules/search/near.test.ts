import { expect, test } from "bun:test"
import { distanceWithin, nearest } from "./near"

test.each([
  ["desk", "desk", 2, 0],
  ["desk", "dsk", 2, 1],
  ["desk", "desks", 2, 1],
  ["desk", "dusk", 2, 1],
  ["kitten", "sitting", 3, 3],
  ["kitten", "sitting", 2, 3],
  ["abcd", "dcba", 2, 3],
])("from %p to %p, within %p, it is %p", (a, b, most, distance) => {
  expect(distanceWithin(a, b, most)).toBe(distance)
})

test("only the nearest words are told, and never the word itself", () => {
  const words = ["standing", "standings", "landing", "stand", "standin", "übung"]
  expect(nearest("standng", words, 2)).toEqual(["standing"])
  expect(nearest("standing", words, 2)).toEqual(["standings", "standin"])
  expect(nearest("ubung", words, 1)).toEqual(["übung"])
  expect(nearest("lamp", words, 1)).toEqual([])
})
