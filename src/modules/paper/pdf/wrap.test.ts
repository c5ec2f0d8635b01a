import { expect, test } from "bun:test"
import { loadAssets } from "./assets"
import { clipped, wrap } from "./wrap"

const { faces } = await loadAssets()
const size = 10
const wrapped = (text: string, width: number) => wrap(text, faces.regular, size, width)

test("lines are broken at spaces, and none is wider than allowed", () => {
  const text = "The quick brown fox jumps over the lazy dog and runs away"
  const lines = wrapped(text, 80)
  expect(lines.join(" ")).toBe(text)
  for (const line of lines) expect(faces.regular.width(line, size)).toBeLessThanOrEqual(80)
})

test("a word that is wider than the line is broken between letters, but never inside of one", () => {
  expect(wrapped("W".repeat(100), 60).join("")).toBe("W".repeat(100))
  expect(wrapped("😀".repeat(20), 25).every((line) => line.isWellFormed())).toBe(true)
  expect(wrapped("WWW", 1)).toEqual(["W", "W", "W"])
})

test("line breaks of the text are kept, and hyphens allow a break", () => {
  expect(wrapped("a\n\nb", 100)).toEqual(["a", "", "b"])
  expect(wrapped("Donau-Dampfschiff", 60)).toEqual(["Donau-", "Dampfschiff"])
})

test("pairs of letters are set closer, but figures all have the same width", () => {
  const { width } = faces.regular
  expect(width("AV", 10)).toBeLessThan(width("A", 10) + width("V", 10))
  expect(width("1.1", 10)).toBe(width("4.7", 10))
})

test("a text that is cut ends with an ellipsis", () => {
  expect(clipped(["one", "two", "three"], 2)).toEqual(["one", "tw…"])
  expect(clipped(["one"], 2)).toEqual(["one"])
})
