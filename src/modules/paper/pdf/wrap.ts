import type { Face } from "./face"

/** A line can be broken after these characters, and between any two letters of a word that is wider than the line. */
const breaks = " -/"

/** Breaks a text into the lines that fit into a width. Line breaks of the text are kept. */
export const wrap = (text: string, face: Face, size: number, width: number): string[] =>
  text
    .split("\n")
    .flatMap((line) => (face.width(line, size) <= width ? [line] : wrapLine(line, face, size, width)))

function wrapLine(text: string, face: Face, size: number, width: number): string[] {
  const limit = (width * face.file.unitsPerEm) / size
  const lines: string[] = []
  let [start, end, units, last, lastBreak] = [0, 0, 0, 0, 0]
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0
    units += face.glyphOf(codePoint).advanceWidth + face.kerning(last, codePoint)
    if (units > limit && end > start && text[end] !== " ") {
      // A line starts again at the break, so its first letters are measured twice.
      const next = lastBreak > start ? lastBreak : end
      lines.push(text.slice(start, next).trimEnd())
      ;[start, end, units, last, lastBreak] = [next, next, 0, 0, next]
      continue
    }
    last = codePoint
    end += codePoint > 0xffff ? 2 : 1
    if (breaks.includes(String.fromCodePoint(codePoint))) lastBreak = end
  }
  lines.push(text.slice(start).trimEnd())
  return lines
}

/** Shortens a text to the lines that are allowed, and marks that something is missing. */
export function clipped(lines: string[], most: number): string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `${lines[most - 1]?.slice(0, -1) ?? ""}…`]
}
