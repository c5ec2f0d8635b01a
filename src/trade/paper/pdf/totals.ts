import { sumsOf, type Sum } from "../shown"
import type { Flow, Piece } from "./flow"
import type { Sheet } from "./sheet"
import { body, ink, lineHeight, mm, right, type Style } from "./style"
import { repeatedHeight } from "./table"

const width = 88 * mm
export const totalsLeft = right - width
const sumStyle: Style = { weight: "bold", size: 12, color: ink }
const above = 4 * mm

/** The totals of a document as pieces, one for each row. */
export const totalPieces = (sheet: Sheet): Piece[] => [
  { height: above, draw: () => {} },
  ...sumsOf(sheet).map((sum) => sumPiece(sheet, sum)),
]

export const heightOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { height }) => sum + height, 0)

/**
 * Adds the totals, with another piece to the left of them. If the page has no room for them, the table continues on the
 * next page with the carried sum. Only totals that are longer than a page are split.
 */
export function addTotals(
  flow: Flow,
  totals: readonly Piece[],
  beside: Piece | null,
  turnPage: () => void,
): void {
  const height = Math.max(heightOf(totals), beside?.height ?? 0)
  if (height > flow.fullHeight - repeatedHeight) {
    for (const piece of totals) flow.add(piece)
    if (beside) flow.add(beside)
    return
  }
  if (height > flow.room()) turnPage()
  flow.add({
    height,
    draw: (pen, y) => {
      beside?.draw(pen, y)
      let at = y
      for (const piece of totals) {
        piece.draw(pen, at)
        at += piece.height
      }
    },
  })
}

function sumPiece({ formats, ruler }: Sheet, { label, amount, isTotal = false }: Sum): Piece {
  const style = isTotal ? sumStyle : body
  const text = formats.money(amount)
  const lines = ruler.lines(label, width - ruler.width(text, style) - 3 * mm, style)
  const padding = isTotal ? 1.4 * mm : 0.7 * mm
  const height = lines.length * lineHeight(style) + 2 * padding
  return {
    height: isTotal ? height + 1.2 * mm : height,
    draw: (pen, y) => {
      if (isTotal) pen.line(totalsLeft, y + 0.4 * mm, width, ink, 0.8)
      lines.forEach((line, i) => pen.text(line, totalsLeft, y + padding + i * lineHeight(style), style))
      pen.textTo(text, right, y + padding, style)
    },
  }
}
