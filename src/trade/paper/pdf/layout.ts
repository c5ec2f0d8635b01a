import { createFlow, type Flow, type Page, type Piece } from "./flow"
import { letterhead, longFacts } from "./letterhead"
import type { Logo } from "./logo"
import { paymentCode, billTop, swissBill, type SwissBill } from "./payment"
import { addressRows, numberOf, type Sheet } from "./sheet"
import {
  body,
  contentWidth,
  footerBottom,
  ink,
  label,
  laterTop,
  left,
  lineHeight,
  mm,
  quiet,
  right,
  rule,
  soft,
  type Style,
  tiny,
} from "./style"
import { addTable } from "./table"
import { addTotals, heightOf, totalPieces } from "./totals"
import { correctionOf, deliveryAddressOf, type Fact, inGroups, remarksOf } from "../shown"
import type { Pen } from "./pen"

/** The pages of a document, and what is on them apart from its content. */
export type Layout = {
  pages: Page[]
  footer: Footer
  /** The payment part, which is at the bottom of the last page. */
  bill: SwissBill | null
}

const aboveFooter = 4 * mm
const footerAboveBill = billTop - 4 * mm

/** The bottom of the footer of a page. On the page with the payment part, the footer is above that part. */
export const footerBottomOf = ({ bill, pages }: Layout, page: number): number =>
  bill && page === pages.length ? footerAboveBill : footerBottom

/** Distributes a document over pages. */
export function layoutOf(sheet: Sheet, logo: Logo | null): Layout {
  const footer = footerOf(sheet)
  const head = letterhead(sheet, logo)
  const bottom = footerBottom - footer.height - aboveFooter
  const flow = createFlow(0, laterTop, bottom)
  flow.add(head)
  addTitle(flow, sheet)
  addLetter(flow, sheet)
  const totals = totalPieces(sheet)
  const code = paymentCode(sheet)
  const turnPage = addTable(flow, sheet, Math.max(heightOf(totals), code?.height ?? 0))
  addTotals(flow, totals, code, turnPage)
  addRemarks(flow, sheet, footer.textForEnd)
  addSignature(flow, sheet)
  const bill = swissBill(sheet.paper)
  const taken = bottom - flow.room()
  if (bill && taken > footerAboveBill - footer.height - aboveFooter) flow.breakPage()
  return { pages: flow.pages, footer, bill }
}

/** Adds the text of a letter. */
function addLetter(flow: Flow, sheet: Sheet): void {
  if (sheet.paper.text === null) return
  for (const piece of textPieces(sheet, sheet.paper.text, contentWidth, body)) flow.add(piece)
  flow.space(6 * mm)
}

/** Adds what follows the totals: why no tax is charged, the notes, the texts of the kind, and the text of the footer if it is long. */
function addRemarks(flow: Flow, sheet: Sheet, footerText: string | null): void {
  const { notes, ownTexts } = sheet.paper
  const remarks = remarksOf(sheet)
  if (remarks.length > 0) flow.space(5 * mm)
  for (const remark of remarks)
    for (const piece of textPieces(sheet, remark, contentWidth, quiet)) flow.add(piece)
  for (const { heading, text } of [{ heading: sheet.texts.notes, text: notes }, ...ownTexts])
    if (text) addText(flow, sheet, heading, text)
  if (footerText) {
    flow.space(6 * mm)
    for (const piece of textPieces(sheet, footerText, contentWidth, tiny)) flow.add(piece)
  }
}

const signatureWidth = 80 * mm
const signatureRoom = 22 * mm

/** Adds the line on which the receipt of goods is signed. */
function addSignature(flow: Flow, { paper }: Sheet): void {
  const { handover } = paper
  if (!handover) return
  flow.add({
    height: signatureRoom + lineHeight(label),
    draw: (pen, y) => {
      pen.line(left, y + signatureRoom - 1 * mm, signatureWidth, ink)
      pen.text(handover.received, left, y + signatureRoom, label)
    },
  })
}

/** The heading of a text stays with its first line. */
function addText(flow: Flow, sheet: Sheet, heading: string, text: string): void {
  const [first, ...others] = textPieces(sheet, text, contentWidth, body)
  if (!first) return
  const headingHeight = lineHeight(label) + 0.8 * mm
  flow.space(6 * mm)
  flow.add({
    height: headingHeight + first.height,
    draw: (pen, y) => {
      pen.text(heading, left, y, label)
      first.draw(pen, y + headingHeight)
    },
  })
  for (const piece of others) flow.add(piece)
}

const columnWidth = 45 * mm
const columnGap = 4 * mm
/** More lines of the company's own text would take the place of the document. */
const mostTextLines = 4
const mostLinesOfValue = 2
const above = 2.5 * mm

/** The bottom of each page. */
type Footer = {
  height: number
  draw(pen: Pen, bottom: number, page: number, pages: number): void
  /** The company's own text, if it is too long for each page. It is printed once, at the end. */
  textForEnd: string | null
}

/** The company at the bottom of each page: how to reach it, where to pay, its own text, and the number of the page. */
function footerOf(sheet: Sheet): Footer {
  const { texts, formats, ruler } = sheet
  const { documentFooter } = sheet.paper.seller
  const columns = columnsOf(sheet).filter((lines) => lines.length > 0)
  const textLines = documentFooter ? ruler.lines(documentFooter, contentWidth, tiny) : []
  const isLong = textLines.length > mostTextLines
  const ownLines = isLong ? [] : textLines
  const step = lineHeight(tiny)
  const columnsHeight = Math.max(1, ...columns.map((lines) => lines.length)) * step
  const ownTop = columnsHeight + 1.2 * mm
  const height = above + (ownLines.length > 0 ? ownTop + ownLines.length * step : columnsHeight)
  return {
    height,
    textForEnd: isLong ? documentFooter : null,
    draw: (pen, bottom, page, pages) => {
      const top = bottom - height + above
      pen.line(left, bottom - height, contentWidth, rule)
      columns.forEach((lines, i) =>
        lines.forEach((text, n) =>
          pen.text(text, left + i * (columnWidth + columnGap), top + n * step, tiny),
        ),
      )
      ownLines.forEach((text, n) => pen.text(text, left, top + ownTop + n * step, tiny))
      pen.textTo(texts.page(formats.quantity(page), formats.quantity(pages)), right, top, tiny)
    },
  }
}

function columnsOf({ paper: { seller }, ruler }: Sheet): string[][] {
  const { email, phone, website, registrationId, bankName, iban, bic } = seller
  const column = (values: (string | null)[]) =>
    values.flatMap((value) => (value ? ruler.lines(value, columnWidth, tiny, mostLinesOfValue) : []))
  return [
    column([phone, email, website]),
    column([bankName, iban && `IBAN ${inGroups(iban)}`, bic && `BIC ${bic}`]),
    column([registrationId]),
  ]
}

const titleStyle: Style = { weight: "bold", size: 19, color: ink }
const numberStyle: Style = { weight: "regular", size: 19, color: soft }
const smallNumber: Style = { ...numberStyle, size: 12 }
const badge: Style = { weight: "bold", size: 9, color: "#a51d2d" }
const labelWidth = 34 * mm

/** Adds the title with the number, and what must be read before the lines: what is corrected, and where goods go. */
function addTitle(flow: Flow, sheet: Sheet): void {
  for (const piece of titlePieces(sheet)) flow.add(piece)
  flow.space(3 * mm)
  for (const [name, value] of detailsOf(sheet)) addDetail(flow, sheet, name, value)
  flow.space(3 * mm)
}

function titlePieces(sheet: Sheet): Piece[] {
  const { paper, texts, ruler } = sheet
  const [title, number] = [paper.title, numberOf(sheet)]
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
const textPieces = (sheet: Sheet, text: string, width: number, style: Style, x = left): Piece[] =>
  sheet.ruler.lines(text, width, style).map((line) => ({
    height: lineHeight(style),
    draw: (pen, y) => pen.text(line, x, y, style),
  }))
