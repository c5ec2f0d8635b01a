import { inGroups } from "../shown"
import type { Pen } from "./pen"
import type { Sheet } from "./sheet"
import { contentWidth, left, lineHeight, mm, right, rule, tiny } from "./style"

const columnWidth = 45 * mm
const columnGap = 4 * mm
/** More lines of the company's own text would take the place of the document. */
const mostTextLines = 4
const mostLinesOfValue = 2
const above = 2.5 * mm

/** The bottom of each page. */
export type Footer = {
  height: number
  draw(pen: Pen, bottom: number, page: number, pages: number): void
  /** The company's own text, if it is too long for each page. It is printed once, at the end. */
  textForEnd: string | null
}

/** The company at the bottom of each page: how to reach it, where to pay, its own text, and the number of the page. */
export function footerOf(sheet: Sheet): Footer {
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
