import { amountOf } from "../shown"
import { columnsOf, type Column } from "./columns"
import type { Flow, Piece } from "./flow"
import type { Pen } from "./pen"
import type { Sheet } from "./sheet"
import { body, ink, label, left, lineHeight, contentWidth, mm, right, rule, soft, strong } from "./style"

const padding = 1.6 * mm
const carriedStyle = { ...body, color: soft }
const carriedHeight = lineHeight(body) + 2 * padding
const headingHeight = lineHeight(label) + 2 * padding

/** The height of what a page repeats of the table: the headings and the carried sum. */
export const repeatedHeight = headingHeight + carriedHeight

/** A row that is longer than a page starts on this page if there is room for so much of it. */
const leastOfLongRow = 40 * mm

/** A row: the lines of text in each column. */
type Row = string[][]

/**
 * Adds the lines of the document. Each page repeats the headings, and starts and ends with the sum that is carried. The
 * last line stays together with the totals, whose height is `totalsHeight`, if both fit on a page. Returns the function
 * that continues the table on the next page.
 */
export function addTable(flow: Flow, sheet: Sheet, totalsHeight: number): () => void {
  const { paper, ruler } = sheet
  const columns = columnsOf(sheet)
  const scale = 10 ** paper.digits
  const headings = headingsOf(columns)
  let [sum, printed] = [0, 0]

  /** The sum has no meaning before the first line. */
  const turnPage = () => {
    const carried = printed === 0 ? null : carriedPiece(sheet, sum / scale)
    if (carried) flow.add(carried)
    flow.breakPage()
    flow.add(headings)
    if (carried) flow.add(carried)
  }

  let isOpen = false
  const full = flow.fullHeight - repeatedHeight - carriedHeight
  paper.lines.forEach((line, i) => {
    const row: Row = columns.map(({ cells, width, style }) => ruler.lines(cells[i] ?? "", width, style))
    const isLast = i === paper.lines.length - 1
    const reserve = isLast ? 0 : carriedHeight
    const height = rowHeight(row, columns) + reserve
    const wanted = isLast && height + totalsHeight <= full ? height + totalsHeight : height
    const needed = (wanted <= full ? wanted : leastOfLongRow) + (isOpen ? 0 : headingHeight)
    if (flow.room() < needed) (isOpen ? turnPage : flow.breakPage)()
    if (!isOpen) flow.add(headings)
    isOpen = true
    addRow(flow, columns, row, reserve, turnPage)
    sum += Math.round(amountOf(line, paper.pricesIncludeTax) * scale)
    printed++
  })
  return turnPage
}

function headingsOf(columns: readonly Column[]): Piece {
  return {
    height: headingHeight,
    draw: (pen, y) => {
      for (const column of columns) drawCell(pen, column, column.heading, y + padding, label)
      pen.line(left, y + headingHeight, contentWidth, ink, 0.8)
    },
  }
}

function carriedPiece({ texts, formats }: Sheet, sum: number): Piece {
  return {
    height: carriedHeight,
    draw: (pen, y) => {
      pen.text(texts.carried, left, y + padding, carriedStyle)
      pen.textTo(formats.amount(sum), right, y + padding, { ...strong, color: soft })
      pen.line(left, y + carriedHeight, contentWidth, rule)
    },
  }
}

const linesOf = (row: Row): number => Math.max(1, ...row.map((lines) => lines.length))
const stepOf = (columns: readonly Column[]): number => lineHeight(columns[0]?.style ?? body)
const rowHeight = (row: Row, columns: readonly Column[]): number =>
  linesOf(row) * stepOf(columns) + 2 * padding

/** Adds a row. A row that is longer than a page is split between its lines of text. */
function addRow(
  flow: Flow,
  columns: readonly Column[],
  row: Row,
  reserve: number,
  turnPage: () => void,
): void {
  let rest = row
  while (rowHeight(rest, columns) + reserve > flow.room() && linesOf(rest) > 1) {
    const space = flow.room() - carriedHeight - 2 * padding
    const count = Math.max(1, Math.floor(space / stepOf(columns)))
    const part = rest.map((lines) => lines.slice(0, count))
    flow.add(rowPiece(columns, part, false))
    rest = rest.map((lines) => lines.slice(count))
    turnPage()
  }
  flow.add(rowPiece(columns, rest, true))
}

function rowPiece(columns: readonly Column[], row: Row, isEnd: boolean): Piece {
  const height = rowHeight(row, columns)
  const step = stepOf(columns)
  return {
    height,
    draw: (pen, y) => {
      columns.forEach((column, i) => {
        row[i]?.forEach((text, n) => drawCell(pen, column, text, y + padding + n * step, column.style))
      })
      if (isEnd) pen.line(left, y + height, contentWidth, rule)
    },
  }
}

function drawCell(pen: Pen, column: Column, text: string, y: number, style: Column["style"]): void {
  if (column.isFigure) pen.textTo(text, column.x + column.width, y, style)
  else pen.text(text, column.x, y, style)
}
