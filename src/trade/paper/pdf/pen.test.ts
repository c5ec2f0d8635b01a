import { expect, test } from "bun:test"
import { loadAssets } from "./fonts"
import { createFile } from "./file"
import { rulerOf } from "./pen"
import { body } from "./style"

const assets = await loadAssets()
const ruler = rulerOf(createFile(assets, "en").document, assets)
const style = { ...body, size: 10 }
const width = (text: string) => ruler.width(text, style)
const wrapped = (text: string, limit: number, most?: number) => ruler.lines(text, limit, style, most)

test("lines are broken at spaces, and none is wider than allowed", () => {
  const text = "The quick brown fox jumps over the lazy dog and runs away"
  const lines = wrapped(text, 80)
  expect(lines.join(" ")).toBe(text)
  for (const line of lines) expect(width(line)).toBeLessThanOrEqual(80)
})

test("a word that is wider than the line is broken between letters, but never inside of one", () => {
  expect(wrapped("W".repeat(100), 60).join("")).toBe("W".repeat(100))
  for (const letter of ["😀", "\u{10780}", "\u{1df1e}"])
    for (let limit = 15; limit < 40; limit++) {
      const lines = wrapped(letter.repeat(20), limit)
      expect(lines.every((line) => line.isWellFormed())).toBe(true)
      expect(lines.join("")).toBe(letter.repeat(20))
    }
  expect(wrapped("WWW", 1)).toEqual(["W", "W", "W"])
})

test("line breaks of the text are kept, and hyphens allow a break", () => {
  expect(wrapped("a\n\nb", 100)).toEqual(["a", "", "b"])
  expect(wrapped("Donau-Dampfschiff", 60)).toEqual(["Donau-", "Dampfschiff"])
})

test("pairs of letters are set closer, but figures all have the same width", () => {
  expect(width("AV")).toBeLessThan(width("A") + width("V"))
  expect(width("ff")).toBe(2 * width("f"))
  expect(width("1.1")).toBe(width("4.7"))
})

test("a text that is cut ends with an ellipsis", () => {
  expect(wrapped("one two three", 30, 2)).toEqual(["one", "two…"])
  expect(wrapped("one\ntwo\nthree", 30, 2)).toEqual(["one", "two…"])
  expect(wrapped("W".repeat(40), 60, 2)).toEqual(["WWWWWW", "WWWWW…"])
  for (const text of ["one", "one two", "one\ntwo"]) expect(wrapped(text, 30, 2).join("")).not.toContain("…")
})

test("the cost of breaking a long word grows with its length, not with the square of it", () => {
  const { document } = createFile(assets, "en")
  let measured = 0
  const widthOfString = document.widthOfString.bind(document)
  document.widthOfString = (text, options) => {
    measured += text.length
    return widthOfString(text, options)
  }
  const costOf = (length: number) => {
    measured = 0
    rulerOf(document, assets).lines("W".repeat(length), 60, style)
    return measured
  }
  // It would be four times as much if each line measured the rest of the word.
  expect(costOf(4_000) / costOf(2_000)).toBeLessThan(2.5)
})
