import type { Assets } from "./assets"
import { fontNames, type PdfFile } from "./file"
import { lineHeight, type Style, type Weight } from "./style"
import { wrap } from "./wrap"

/** Draws on the current page of a PDF. Positions are in points, from the top left corner of the page. */
export type Pen = {
  document: PDFKit.PDFDocument
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
  /** Breaks a text into the lines that fit into a width. */
  lines(text: string, width: number, style: Style): string[]
}

export const rulerOf = ({ faces }: Assets): Ruler => ({
  canDraw: (text) =>
    [...text].every((letter) => !faces.regular.glyphOf(letter.codePointAt(0) ?? 0).isMissing),
  width: (text, { weight, size }) => faces[weight].width(text, size),
  lines: (text, width, { weight, size }) => wrap(text, faces[weight], size, width),
})

/** The font of pdfkit: it collects the glyphs that are drawn. Its types do not declare it. */
type DrawnFont = {
  id: string
  ref(): PDFKit.PDFKitReference
  encode(
    text: string,
    features: string[],
  ): [codes: string[], positions: { xAdvance: number; advanceWidth: number }[]]
}
type Internals = { _font: DrawnFont; page: { fonts: Record<string, PDFKit.PDFKitReference> } }

export function penOf({ document }: PdfFile, ruler: Ruler): Pen {
  const internals = document as unknown as Internals
  const fontOf = (weight: Weight): DrawnFont => {
    document.font(fontNames[weight])
    return internals._font
  }
  const fonts: Record<Weight, DrawnFont> = { regular: fontOf("regular"), bold: fontOf("bold") }

  // pdfkit's own method writes ten operators for each text. One takes half of the time.
  const text: Pen["text"] = (string, x, y, style) => {
    if (string === "") return
    const { weight, size, color } = style
    const font = fonts[weight]
    internals.page.fonts[font.id] ??= font.ref()
    const baseline = y + lineHeight(style) / 2 + size * 0.37
    document.addContent(
      `BT ${rgbOf(color)} rg /${font.id} ${rounded(size)} Tf 1 0 0 -1 ${rounded(x)} ${rounded(baseline)} Tm [${glyphsOf(font, string)}] TJ ET`,
    )
  }

  return {
    document,
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

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** A colour such as #14181f as the three numbers of a PDF. */
const rgbOf = (color: string): string =>
  [1, 3, 5].map((at) => rounded(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(" ")

/** The codes of the glyphs of a text, with the distances between those that are closer than usual. */
function glyphsOf(font: DrawnFont, text: string): string {
  const [codes, positions] = font.encode(text, [])
  let [written, run] = ["", ""]
  codes.forEach((code, i) => {
    run += code
    const { xAdvance = 0, advanceWidth = 0 } = positions[i] ?? {}
    if (xAdvance === advanceWidth) return
    written += `<${run}> ${rounded(advanceWidth - xAdvance)} `
    run = ""
  })
  return run === "" ? written : `${written}<${run}>`
}
