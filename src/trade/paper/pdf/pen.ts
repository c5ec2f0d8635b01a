import type { Assets } from "./assets"
import { zeroWidthSpace } from "./face"
import { fontNames } from "./file"
import { lineHeight, type Style } from "./style"

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

/** The method of pdfkit's document that breaks a text into lines. Its types do not declare it. */
type Wrapper = {
  _text(text: string, x: number, y: number, options: object, onLine: (line: string) => void): void
}

/** For each line of a word, pdfkit measures the rest of the word. So long words get places where they can be broken. */
const longWord = /\S{200}/gu

export function rulerOf(document: PDFKit.PDFDocument, { faces }: Assets): Ruler {
  const width: Ruler["width"] = (text, { weight, size }) =>
    document.font(fontNames[weight], size).widthOfString(text)
  return {
    canDraw: (text) => faces.regular.canDraw(text),
    width,
    lines: (text, limit, style, most = Infinity) => {
      if (width(text, style) <= limit && !text.includes("\n")) return [text]
      const lines: string[] = []
      const height = document.currentLineHeight(true)
      const options = { width: limit, height: (most + 0.5) * height, ellipsis: true }
      const breakable = text.replaceAll(longWord, `$&${zeroWidthSpace}`)
      ;(document as unknown as Wrapper)._text(breakable, 0, 0, options, (line) => {
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
    document.text(string, x, baseline, { lineBreak: false, baseline: "alphabetic" })
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
