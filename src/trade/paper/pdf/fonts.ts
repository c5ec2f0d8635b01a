import boldFile from "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf" with { type: "file" }
import regularFile from "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" with { type: "file" }
import profileFile from "../../../../node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc" with { type: "file" }
import PDFDocument from "pdfkit"
import type { Weight } from "./style"

/** A font as its parser (fontkit) gives it: the part that is used here. */
type FontFile = {
  unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { id: number; advanceWidth: number }
  layout(text: string, features: Record<string, boolean>): { positions: { xAdvance: number }[] }
}

/** A glyph and the letter it stands for. */
type Glyph = { id: number; advanceWidth: number; codePoints: number[]; isMissing: boolean }

/** A font for pdfkit, which accepts any object with a layout. Its glyphs and distances are read once per thread. */
type Face = {
  /** True when the font has all letters of a text. */
  canDraw(text: string): boolean
  layout(text: string): { glyphs: Glyph[]; positions: { xAdvance: number }[]; advanceWidth: number }
}

const replacement = 0xfffd
/** A place where pdfkit may break a word. Texts have none: `clean` removes them. */
export const zeroWidthSpace = "\u200b"
/** The heights of Helvetica, for which the form of Swiss QR bills is made: with taller lines its parts would overlap. */
const helvetica = { ascent: 0.718, descent: -0.207, lineGap: 0.231 }
/** Without these features fontkit only moves pairs of letters. Those for marks take 80 ms before the first pair. */
const onlyKerning = { liga: false, ccmp: false, locl: false, mark: false, mkmk: false }
/** Kerning is for the letters and marks of Latin-1. Figures have none, so that they align in columns. */
const isKerned = (codePoint: number): boolean =>
  codePoint < 0x100 && codePoint > 0x20 && !(codePoint >= 0x30 && codePoint <= 0x39)

/**
 * Returns a font whose texts are laid out letter by letter. fontkit takes 12 times the CPU for long words that are all
 * different; and its glyphs remember the letters they were first used for, so that a PDF would depend on earlier ones.
 */
function faceOf(file: FontFile): Face {
  const glyphOf = remembered((codePoint): Glyph => {
    const isMissing = !file.hasGlyphForCodePoint(codePoint)
    const drawn = isMissing ? replacement : codePoint
    const { id, advanceWidth } = file.glyphForCodePoint(drawn)
    return { id, advanceWidth, codePoints: [drawn], isMissing }
  })
  /** How much closer than usual the two letters of a pair are, in units of the font. */
  const distanceOf = remembered((pair): number => {
    const [first, second] = [pair >> 8, pair & 0xff]
    const { advanceWidth } = glyphOf(first)
    const [position] = file.layout(String.fromCodePoint(first, second), onlyKerning).positions
    return (position?.xAdvance ?? advanceWidth) - advanceWidth
  })

  const layout: Face["layout"] = (text) => {
    const run: ReturnType<Face["layout"]> = { glyphs: [], positions: [], advanceWidth: 0 }
    let last = 0
    for (const letter of text) {
      // pdfkit measures line breaks too, but does not draw them.
      if (letter === "\n" || letter === zeroWidthSpace) continue
      const codePoint = letter.codePointAt(0) ?? 0
      const glyph = glyphOf(codePoint)
      const distance = isKerned(last) && isKerned(codePoint) ? distanceOf(last * 0x100 + codePoint) : 0
      const before = run.positions.at(-1)
      if (before) before.xAdvance += distance
      run.glyphs.push(glyph)
      run.positions.push({ xAdvance: glyph.advanceWidth })
      run.advanceWidth += glyph.advanceWidth + distance
      last = codePoint
    }
    return run
  }

  const canDraw: Face["canDraw"] = (text) =>
    [...text].every((letter) => !glyphOf(letter.codePointAt(0) ?? 0).isMissing)
  const own = { canDraw, layout, ...heightsOf(file) }
  return Object.create(file, Object.getOwnPropertyDescriptors(own)) as Face
}

const heightsOf = ({ unitsPerEm }: FontFile) => ({
  ascent: helvetica.ascent * unitsPerEm,
  descent: helvetica.descent * unitsPerEm,
  lineGap: helvetica.lineGap * unitsPerEm,
})

/** Calls a function once for each argument. */
function remembered<T>(read: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>()
  return (key) => known.get(key) ?? known.set(key, read(key)).get(key)!
}

export type Assets = { faces: Record<Weight, Face>; colorProfile: Uint8Array }

/** Without this option, pdfkit loads Helvetica from a file, which the executable does not have. Its types lack null. */
export const noFont = null as unknown as string

let loaded: Promise<Assets> | undefined

/** Reads the fonts and the colour profile once per thread. */
export const loadAssets = (): Promise<Assets> => (loaded ??= readAssets())

async function readAssets(): Promise<Assets> {
  const [regular, bold, colorProfile] = await Promise.all(
    [regularFile, boldFile, profileFile].map((file) => Bun.file(file).bytes()),
  )
  if (!regular || !bold || !colorProfile) throw new Error("The fonts of PDFs are missing.")
  return { faces: { regular: faceOf(parsed(regular)), bold: faceOf(parsed(bold)) }, colorProfile }
}

/** Parses a font with the parser of pdfkit, which is not part of its API. */
function parsed(bytes: Uint8Array): FontFile {
  const document = new PDFDocument({ font: noFont, autoFirstPage: false })
  document.font(Buffer.from(bytes))
  return (document as unknown as { _font: { font: FontFile } })._font.font
}
