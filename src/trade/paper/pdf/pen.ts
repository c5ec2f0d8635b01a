import { type Assets, zeroWidthSpace } from "./fonts"
import { fontNames } from "./file"
import { lineHeight, type Style, type Weight } from "./style"

/** Draws on the current page of a PDF. Positions are in points, from the top left corner of the page. */
export type Pen = {
  document: PDFKit.PDFDocument
  /** True as soon as a letter was drawn that the fonts lack. */
  hasMissingGlyphs(): boolean
  /** Draws one line of text. `y` is the top of the line. */
  text(text: string, x: number, y: number, style: Style): void
  /** Draws one line of text that ends at `x`. */
  textTo(text: string, x: number, y: number, style: Style): void
  line(x: number, y: number, width: number, color: string, thickness?: number): void
}

/** Measures texts. */
export type Ruler = {
  /** True when the fonts have all letters of a text. */
  canDraw(text: string): boolean
  width(text: string, style: Style): number
  /** Breaks a text into the lines that fit into a width. If they are more than `most`, the last one ends with "…". */
  lines(text: string, width: number, style: Style, most?: number): string[]
}

/** The methods of pdfkit's document that break a text into lines, and draw one line. Its types do not declare them. */
type Internals = {
  _text(text: string, x: number, y: number, options: object, onLine: (line: string) => void): void
  _fragment(text: string, x: number, y: number, options: object): void
}

/** With a list of features, pdfkit lays out a text as a whole, and not word by word, which takes longer. */
const asWhole = { features: [] }
/** pdfkit needs the width and the words of a line only to underline or link it. It would measure each line again. */
const oneLine = { ...asWhole, baseline: "alphabetic", textWidth: 0, wordCount: 0 }

/** For each line of a word, pdfkit measures the rest of the word. So long words get places where they can be broken. */
const longWord = /\S{200}/gu

export function rulerOf(document: PDFKit.PDFDocument, { faces }: Assets): Ruler {
  /** The widths of texts at 1,000 points: most texts are measured for their column, for their row, and to be drawn. */
  const known = { regular: new Map<string, number>(), bold: new Map<string, number>() }
  const measured = (text: string, weight: Weight): number =>
    document.font(fontNames[weight], 1000).widthOfString(text, asWhole)
  const width: Ruler["width"] = (text, { weight, size }) => {
    const units = known[weight].get(text) ?? measured(text, weight)
    known[weight].set(text, units)
    return (units * size) / 1000
  }
  return {
    canDraw: (text) => faces.regular.canDraw(text),
    width,
    lines: (text, limit, style, most = Infinity) => {
      if (width(text, style) <= limit && !text.includes("\n")) return [text]
      const lines: string[] = []
      const height = document.font(fontNames[style.weight], style.size).currentLineHeight(true)
      const options = { ...asWhole, width: limit, height: (most + 0.5) * height, ellipsis: true }
      const breakable = text.replaceAll(longWord, `$&${zeroWidthSpace}`)
      ;(document as unknown as Internals)._text(breakable, 0, 0, options, (line) => {
        lines.push(line.replaceAll(zeroWidthSpace, "").trimEnd())
        document.y += height
      })
      return lines
    },
  }
}

export function penOf(document: PDFKit.PDFDocument, ruler: Ruler): Pen {
  let hasMissing = false
  const text: Pen["text"] = (string, x, y, style) => {
    hasMissing ||= !ruler.canDraw(string)
    const { weight, size, color } = style
    const baseline = y + lineHeight(style) / 2 + size * 0.37
    document.font(fontNames[weight], size).fillColor(color)
    ;(document as unknown as Internals)._fragment(string, x, baseline, oneLine)
  }
  return {
    document,
    hasMissingGlyphs: () => hasMissing,
    text,
    textTo: (string, x, y, style) => text(string, x - ruler.width(string, style), y, style),
    line: (x, y, width, color, thickness = 0.5) =>
      void document
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(thickness)
        .strokeColor(color)
        .stroke(),
  }
}
