import { pairReader, type PairTables } from "./kerning"

/** A font as its parser (fontkit) gives it: the part that is used here. */
export type FontFile = {
  unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { id: number; advanceWidth: number }
  GPOS: PairTables
}

/** A glyph and the letter it stands for. */
export type Glyph = { id: number; advanceWidth: number; codePoints: number[]; isMissing: boolean }

/**
 * A font with its glyphs and distances, which are read once per thread. Unlike the layout of fontkit, a letter always
 * has the same glyph, whatever was drawn before: so the same document gives the same bytes.
 */
export type Face = {
  file: FontFile
  glyphOf(codePoint: number): Glyph
  /** How much closer than usual the second letter is to the first, in units of the font. */
  kerning(first: number, second: number): number
  /** The width of a text at a size, in points. */
  width(text: string, size: number): number
}

const replacement = 0xfffd
/** Kerning is for the letters and marks of Latin-1. Figures have none, so that they align in columns. */
const isKerned = (codePoint: number): boolean =>
  codePoint < 0x100 && codePoint > 0x20 && !(codePoint >= 0x30 && codePoint <= 0x39)

export function faceOf(file: FontFile): Face {
  const glyphs = new Map<number, Glyph>()
  const distances = new Map<number, number>()
  const readPair = pairReader(file.GPOS)

  const glyphOf = (codePoint: number): Glyph => {
    const known = glyphs.get(codePoint)
    if (known) return known
    const isMissing = !file.hasGlyphForCodePoint(codePoint)
    const drawn = isMissing ? replacement : codePoint
    const { id, advanceWidth } = file.glyphForCodePoint(drawn)
    const glyph = { id, advanceWidth, codePoints: [drawn], isMissing }
    glyphs.set(codePoint, glyph)
    return glyph
  }

  const kerning = (first: number, second: number): number => {
    if (!isKerned(first) || !isKerned(second)) return 0
    const key = first * 0x100 + second
    const known = distances.get(key)
    if (known !== undefined) return known
    const distance = readPair(glyphOf(first).id, glyphOf(second).id)
    distances.set(key, distance)
    return distance
  }

  const width = (text: string, size: number): number => {
    let units = 0
    let last = 0
    for (const letter of text) {
      const codePoint = letter.codePointAt(0) ?? 0
      units += glyphOf(codePoint).advanceWidth + kerning(last, codePoint)
      last = codePoint
    }
    return (units * size) / file.unitsPerEm
  }

  return { file, glyphOf, kerning, width }
}
