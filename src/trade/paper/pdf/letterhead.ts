import type { Piece } from "./flow"
import type { Logo } from "./logo"
import type { Pen } from "./pen"
import { addressRows, type Sheet } from "./sheet"
import { body, ink, left, lineHeight, mm, right, rule, small, soft, strong, type Style, label } from "./style"
import { factsOf, type Fact } from "../shown"

/** The window of an envelope (DIN 5008, form B) is at 45 to 90 mm. */
const windowTop = 50 * mm
const windowBottom = 91 * mm
const windowWidth = 80 * mm
/** The width of the block in which the facts are printed beside the address. */
const sideWidth = 65 * mm
const sideLeft = right - sideWidth
const top = 15 * mm
const logoSize = { width: 75 * mm, height: 24 * mm }
const sender: Style = { weight: "regular", size: 6.5, color: soft }
const addressee: Style = { ...body, size: 10 }

/** The most lines of a value, and of the address of a party. */
const [mostLines, mostRows] = [6, 16]

/** One line of text. */
type Row = { text: string; style: Style }

/** The top of the first page: the seller, the address of the buyer, and the dates and facts of the document. */
export function letterhead(sheet: Sheet, logo: Logo | null): Piece {
  const mast = logo === null ? nameRows(sheet) : []
  const seller = sellerRows(sheet, logo !== null)
  const buyer = buyerRows(sheet)
  const factsTop = Math.max(windowTop, top + heightOf(seller) + 6 * mm)
  const facts = factBlock(sheet)
  const buyerTop = windowTop + 5.5 * mm
  const end = Math.max(windowBottom, buyerTop + heightOf(buyer), factsTop + facts.height)
  return {
    height: end + 8 * mm,
    draw: (pen, y) => {
      logo?.draw(pen.document, left, y + top, logoSize)
      drawRows(pen, mast, left, y + top - 1 * mm)
      drawRows(pen, seller, sideLeft, y + top)
      drawSender(pen, sheet, y + windowTop)
      drawRows(pen, buyer, left, y + buyerTop)
      facts.draw(pen, sideLeft, y + factsTop)
    },
  }
}

const heightOf = (rows: readonly Row[]): number =>
  rows.reduce((height, { style }) => height + lineHeight(style), 0)

function drawRows(pen: Pen, rows: readonly Row[], x: number, y: number): void {
  let at = y
  for (const { text, style } of rows) {
    pen.text(text, x, at, style)
    at += lineHeight(style)
  }
}

/** The lines of a value. A value of many lines is shortened, because this part of the page cannot go on on the next. */
const rowsOf = ({ ruler }: Sheet, text: string | null, width: number, style: Style): Row[] =>
  text ? ruler.lines(text, width, style, mostLines).map((line) => ({ text: line, style })) : []

/** Without a logo, the name of the company is set large. A long name is set smaller, so that it does not reach the window. */
function nameRows(sheet: Sheet): Row[] {
  const name = sheet.paper.seller.legalName
  const sets = [16, 12, 9].map((size) => rowsOf(sheet, name, 90 * mm, { weight: "bold", size, color: ink }))
  return sets.find((rows) => heightOf(rows) <= logoSize.height) ?? sets.at(-1)?.slice(0, 6) ?? []
}

/** The address and tax numbers of the seller, with its name if the logo is in the place of it. */
function sellerRows(sheet: Sheet, hasName: boolean): Row[] {
  const { paper, texts, formats } = sheet
  const { legalName, address, vatId, taxNumber } = paper.seller
  const rows = (text: string | null) => rowsOf(sheet, text, sideWidth, small)
  const name = hasName ? rowsOf(sheet, legalName, sideWidth, { ...strong, size: small.size }) : []
  return [
    ...[...name, ...addressRows(address, formats).flatMap(rows)].slice(0, mostRows),
    ...rows(vatId && `${texts.vatId} ${vatId}`),
    ...rows(taxNumber && `${texts.taxNumber} ${taxNumber}`),
  ]
}

/** The address of the sender in one small line above that of the buyer. */
function drawSender(pen: Pen, { paper, formats, ruler }: Sheet, y: number): void {
  const parts = [paper.seller.legalName, ...addressRows(paper.seller.address, formats)].filter(Boolean)
  const [text] = ruler.lines(parts.join(" · "), windowWidth, sender, 1)
  if (!text) return
  pen.text(text, left, y, sender)
  pen.line(left, y + lineHeight(sender) + 1, windowWidth, rule)
}

function buyerRows(sheet: Sheet): Row[] {
  const { buyer } = sheet.paper
  return [buyer.name, buyer.contactName, ...addressRows(buyer.address, sheet.formats)]
    .flatMap((text) => rowsOf(sheet, text, windowWidth, addressee))
    .slice(0, mostRows)
}

/** A fact with more lines is printed over the width of the page, because the block of facts cannot be split. */
const mostFactLines = 3
const gap = 3 * mm
const linesOf = ({ ruler }: Sheet, [name, value]: Fact): string[] =>
  ruler.lines(value, sideWidth - ruler.width(name, label) - gap, body)

/** The facts that are too long to be printed beside the address. */
export const longFacts = (sheet: Sheet): Fact[] =>
  factsOf(sheet).filter((fact) => linesOf(sheet, fact).length > mostFactLines)

/** The dates and references of the document: labels on the left, values on the right. */
function factBlock(sheet: Sheet): { height: number; draw(pen: Pen, x: number, y: number): void } {
  const rows = factsOf(sheet)
    .map((fact) => ({ name: fact[0], lines: linesOf(sheet, fact) }))
    .filter(({ lines }) => lines.length <= mostFactLines)
  const step = lineHeight(body) + 1.5
  return {
    height: rows.reduce((height, { lines }) => height + lines.length * step, 0),
    draw: (pen, x, y) => {
      let at = y
      for (const { name, lines } of rows) {
        pen.text(name, x, at + (lineHeight(body) - lineHeight(label)) / 2 + 0.6, label)
        for (const line of lines) {
          pen.textTo(line, x + sideWidth, at, body)
          at += step
        }
      }
    },
  }
}
