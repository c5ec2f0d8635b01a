import { amountOf, columnsIn, discountOf } from "../shown"
import type { Flow, Piece } from "./flow"
import type { Pen, Ruler } from "./pen"
import type { Sheet } from "./sheet"
import {
  body,
  contentWidth,
  ink,
  label,
  left,
  lineHeight,
  mm,
  right,
  rule,
  soft,
  strong,
  type Style,
} from "./style"
import type { PaperAccount, PaperClaim, PaperLine } from "../model"
import { unitIn } from "../../../shared/words/units"

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
  const { ruler } = sheet
  const { drafts, sums } = rowsOf(sheet)
  const columns = columnsOf(drafts, ruler)
  const headings = headingsOf(columns)
  let printed = 0

  /** The sum has no meaning before the first line. */
  const turnPage = () => {
    const carried = printed === 0 || sheet.paper.handover ? null : carriedPiece(sheet, sums[printed - 1] ?? 0)
    if (carried) flow.add(carried)
    flow.breakPage()
    flow.add(headings)
    if (carried) flow.add(carried)
  }

  let isOpen = false
  const full = flow.fullHeight - repeatedHeight - carriedHeight
  sums.forEach((_, i) => {
    const row: Row = columns.map(({ cells, width, style }) => ruler.lines(cells[i] ?? "", width, style))
    const isLast = i === sums.length - 1
    const reserve = isLast ? 0 : carriedHeight
    const height = rowHeight(row, columns) + reserve
    const wanted = isLast && height + totalsHeight <= full ? height + totalsHeight : height
    const needed = (wanted <= full ? wanted : leastOfLongRow) + (isOpen ? 0 : headingHeight)
    if (flow.room() < needed) (isOpen ? turnPage : flow.breakPage)()
    if (!isOpen) flow.add(headings)
    isOpen = true
    addRow(flow, columns, row, reserve, turnPage)
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

/** A column of the line table. `cells` has the text of each line. */
type Column = {
  heading: string
  cells: string[]
  isFigure: boolean
  x: number
  width: number
  style: Style
}

/** A column before its place is known. */
type Draft = Pick<Column, "heading" | "cells" | "isFigure" | "style"> & {
  /** The widest that it gets, in points. The column of the item gets what is left. */
  most: number | "rest"
}

const gap = 4 * mm
/** The item is never narrower than this, if smaller letters allow it. */
const leastItemWidth = 48 * mm
/** The sizes to try, in points, when the figures are very long. */
const sizes = [9, 8, 7, 6] as const

/** The columns of a table, and the sum after each row, which the next page begins with. */
type Rows = { drafts: Draft[]; sums: number[] }

/** What the table of a paper shows. */
function rowsOf(sheet: Sheet): Rows {
  const { account, claim } = sheet.paper
  if (account) return accountRows(sheet, account)
  return claim ? claimRows(sheet, claim) : lineRows(sheet)
}

/** The lines of a document. The columns for code, discount and tax exist only if a line has one. */
function lineRows(sheet: Sheet): Rows {
  const { lines, digits } = sheet.paper
  const scale = 10 ** digits
  let sum = 0
  const sums = lines.map((line) => (sum += Math.round(amountOf(line, sheet.paper) * scale)) / scale)
  const figures = figureDrafts(sheet)
  // A delivery note shows only the quantities.
  return { drafts: [...itemDrafts(sheet), ...(sheet.paper.handover ? figures.slice(0, 1) : figures)], sums }
}

/** The movements of an account, after the balance with which the period begins. */
function accountRows({ paper, texts, formats }: Sheet, account: PaperAccount): Rows {
  const { from, opening, movements } = account
  const rows = [
    { date: formats.date(from), text: texts.opening, amount: "", balance: opening },
    ...movements.map(({ date, kind, number, amount, balance }) => ({
      date: formats.date(date),
      text: [texts.movements[kind], number].filter(Boolean).join(" "),
      amount: formats.amount(amount),
      balance,
    })),
  ]
  const column = (heading: string, cells: string[], isFigure: boolean, most: Draft["most"]): Draft => ({
    heading,
    cells,
    isFigure,
    style: body,
    most,
  })
  const cellsOf = (name: "date" | "text" | "amount") => rows.map((row) => row[name])
  return {
    drafts: [
      column(texts.date, cellsOf("date"), false, 40 * mm),
      column(texts.movement, cellsOf("text"), false, "rest"),
      column(`${texts.amount} ${paper.currency}`, cellsOf("amount"), true, 40 * mm),
      column(
        texts.balance,
        rows.map(({ balance }) => formats.amount(balance)),
        true,
        40 * mm,
      ),
    ],
    sums: rows.map(({ balance }) => balance),
  }
}

/** The invoice that a reminder is about. */
function claimRows({ paper, texts, formats }: Sheet, { invoice, balance }: PaperClaim): Rows {
  const cell = (heading: string, text: string, most: Draft["most"], isFigure = false): Draft => ({
    heading,
    cells: [text],
    isFigure,
    style: body,
    most,
  })
  return {
    drafts: [
      cell(texts.movements.invoices, invoice.number, "rest"),
      cell(texts.date, formats.date(invoice.date), 40 * mm),
      cell(texts.dueDate, formats.date(invoice.dueDate), 40 * mm),
      cell(`${texts.amount} ${paper.currency}`, formats.amount(invoice.total), 40 * mm, true),
      cell(texts.open, formats.amount(balance), 40 * mm, true),
    ],
    sums: [balance],
  }
}

/** Chooses the widths of the columns. */
function columnsOf(drafts: Draft[], ruler: Ruler): Column[] {
  const widths = drafts.map((draft) => (draft.most === "rest" ? 0 : widestOf(draft, ruler)))
  const candidates = sizes.map((size) => placed(ruler, drafts, widths, size))
  const isWideEnough = (columns: Column[]) =>
    columns.every(({ width }, i) => drafts[i]?.most !== "rest" || width >= leastItemWidth)
  return candidates.find(isWideEnough) ?? (candidates.at(-1) as Column[])
}

function itemDrafts({ paper: { lines }, texts }: Sheet): Draft[] {
  const code: Draft = {
    heading: texts.code,
    cells: lines.map(({ itemCode }) => itemCode ?? ""),
    isFigure: false,
    style: { ...body, color: soft },
    most: 28 * mm,
  }
  const item: Draft = {
    heading: texts.item,
    cells: lines.map(({ itemName, description }) => itemName ?? description ?? ""),
    isFigure: false,
    style: body,
    most: "rest",
  }
  return columnsIn(lines).hasCode ? [code, item] : [item]
}

function figureDrafts({ paper, texts, formats }: Sheet): Draft[] {
  const { lines, currency } = paper
  const figure = (heading: string, text: (line: PaperLine) => string, most = 40 * mm): Draft => ({
    heading,
    cells: lines.map(text),
    isFigure: true,
    style: body,
    most,
  })
  /** An amount of a credit note has no quantity, so it has no price and no discount either. */
  const counted = (heading: string, text: (line: PaperLine) => string, most?: number): Draft =>
    figure(heading, (line) => (line.isAmount ? "" : text(line)), most)
  const quantity = ({ quantity: count, uom }: PaperLine) =>
    `${formats.quantity(count)} ${unitIn(paper.language, uom, count)}`
  const { hasDiscount, hasTax } = columnsIn(lines)
  return [
    counted(texts.quantity, quantity, 28 * mm),
    counted(texts.rate, ({ rate }) => formats.rate(rate)),
    ...(hasDiscount ? [counted(texts.discount, (line) => discountOf(line, formats))] : []),
    ...(hasTax ? [figure(texts.taxRate, ({ taxRate }) => formats.percent(taxRate))] : []),
    figure(`${texts.amount} ${currency}`, (line) => formats.amount(amountOf(line, paper))),
  ]
}

/** The width of the widest cell at a size of one point. */
const widestOf = ({ cells, style }: Draft, ruler: Ruler): number =>
  cells.reduce((widest, cell) => Math.max(widest, ruler.width(cell, { ...style, size: 1 })), 0)

/** Gives the columns the width of their widest cell, and the rest of the page to the item. */
function placed(ruler: Ruler, drafts: Draft[], widest: readonly number[], size: number): Column[] {
  const widths = drafts.map(({ heading, most }, i) =>
    most === "rest"
      ? 0
      : Math.max(ruler.width(heading, label), Math.min((widest[i] ?? 0) * size, most)) + 0.1,
  )
  const taken = widths.reduce((sum, width) => sum + width + gap, -gap)
  let x = left
  return drafts.map(({ heading, cells, isFigure, style, most }, i) => {
    const width = most === "rest" ? Math.max(contentWidth - taken, 20 * mm) : (widths[i] ?? 0)
    const column = { heading, cells, isFigure, x, width, style: { ...style, size } }
    x += width + gap
    return column
  })
}
