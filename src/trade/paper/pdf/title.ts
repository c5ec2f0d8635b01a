import { correctionOf, deliveryAddressOf, type Fact } from "../shown"
import { longFacts } from "./facts"
import type { Flow, Piece } from "./flow"
import type { Pen } from "./pen"
import { addressRows, numberOf, type Sheet } from "./sheet"
import { body, contentWidth, ink, label, left, lineHeight, mm, right, soft, type Style } from "./style"

const titleStyle: Style = { weight: "bold", size: 19, color: ink }
const numberStyle: Style = { weight: "regular", size: 19, color: soft }
const smallNumber: Style = { ...numberStyle, size: 12 }
const badge: Style = { weight: "bold", size: 9, color: "#a51d2d" }
const labelWidth = 34 * mm

/** Adds the title with the number, and what must be read before the lines: what is corrected, and where goods go. */
export function addTitle(flow: Flow, sheet: Sheet): void {
  for (const piece of titlePieces(sheet)) flow.add(piece)
  flow.space(3 * mm)
  for (const [name, value] of detailsOf(sheet)) addDetail(flow, sheet, name, value)
  flow.space(3 * mm)
}

function titlePieces(sheet: Sheet): Piece[] {
  const { paper, texts, ruler } = sheet
  const [title, number] = [texts.titles[paper.kind], numberOf(sheet)]
  const titleWidth = ruler.width(`${title} `, titleStyle)
  const room = contentWidth - titleWidth - 35 * mm
  const isOneLine = ruler.width(number, numberStyle) <= room
  const first: Piece = {
    height: lineHeight(titleStyle),
    draw: (pen, y) => {
      pen.text(title, left, y, titleStyle)
      if (isOneLine) pen.text(number, left + titleWidth + 2, y, numberStyle)
      if (paper.mark) drawBadge(pen, sheet, texts.marks[paper.mark], y)
    },
  }
  return isOneLine ? [first] : [first, ...textPieces(sheet, number, contentWidth, smallNumber)]
}

/** A frame with the state of the document at the right end of the title. */
function drawBadge(pen: Pen, { ruler }: Sheet, mark: string, y: number): void {
  const text = mark.toUpperCase()
  const width = ruler.width(text, badge) + 14
  const [x, top, height] = [right - width, y + 5, 17]
  pen.document.roundedRect(x, top, width, height, 3).lineWidth(1.2).strokeColor(badge.color).stroke()
  pen.text(text, x + 7, top + (height - lineHeight(badge)) / 2, badge)
}

function detailsOf(sheet: Sheet): Fact[] {
  const { paper, texts, formats } = sheet
  const rows = addressRows(deliveryAddressOf(paper), formats)
  const delivery: Fact[] = rows.length > 0 ? [[texts.shippingAddress, rows.join(", ")]] : []
  return [...longFacts(sheet), ...correctionOf(sheet), ...delivery]
}

function addDetail(flow: Flow, sheet: Sheet, name: string, value: string): void {
  const [first, ...others] = textPieces(sheet, value, contentWidth - labelWidth, body, left + labelWidth)
  if (!first) return
  flow.add({
    height: first.height,
    draw: (pen, y) => {
      pen.text(name, left, y + 1.3, label)
      first.draw(pen, y)
    },
  })
  for (const piece of others) flow.add(piece)
  flow.space(1.5 * mm)
}

/** The lines of a text, each as a piece, so that a long text can go on on the next page. */
export const textPieces = (sheet: Sheet, text: string, width: number, style: Style, x = left): Piece[] =>
  sheet.ruler.lines(text, width, style).map((line) => ({
    height: lineHeight(style),
    draw: (pen, y) => pen.text(line, x, y, style),
  }))
