import { footerBottomOf, type Layout } from "./layout"
import type { Pen } from "./pen"
import { numberOf, type Sheet } from "./sheet"
import { a4, contentWidth, faint, left, mm, right, rule, small, strong, type Style } from "./style"

/** Draws the pages of a document. */
export function drawPages(pen: Pen, sheet: Sheet, layout: Layout): void {
  const { pages, footer, bill } = layout
  const drawHead = laterHead(sheet)
  pages.forEach(({ placed }, i) => {
    const page = i + 1
    pen.document.addPage()
    drawMark(pen, sheet)
    if (page > 1) drawHead(pen)
    for (const { y, piece } of placed) piece.draw(pen, y)
    footer.draw(pen, footerBottomOf(layout, page), page, pages.length)
    if (page === pages.length) bill?.draw(pen.document)
  })
}

/** Writes that the document is a draft or cancelled across the page, behind everything else. */
function drawMark({ document, text }: Pen, { paper, texts, ruler }: Sheet): void {
  if (paper.mark === null) return
  const word = texts.marks[paper.mark].toUpperCase()
  const base: Style = { weight: "bold", size: 100, color: faint }
  const style = { ...base, size: (100 * 195 * mm) / ruler.width(word, base) }
  const center: [number, number] = [a4.width / 2, a4.height / 2]
  document.save().rotate(-52, { origin: center })
  text(word, center[0] - ruler.width(word, style) / 2, center[1] - style.size * 0.7, style)
  document.restore()
}

/** The top of the second and later pages: the company, and which document they belong to. */
function laterHead(sheet: Sheet): (pen: Pen) => void {
  const { paper, texts, ruler } = sheet
  const y = 17 * mm
  const half = contentWidth / 2 - 4 * mm
  const style = { ...strong, size: small.size }
  const [name = ""] = ruler.lines(paper.seller.legalName ?? "", half, small, 1)
  const [title = ""] = ruler.lines(`${texts.titles[paper.kind]} ${numberOf(sheet)}`, half, style, 1)
  return (pen) => {
    pen.text(name, left, y, small)
    pen.textTo(title, right, y, style)
    pen.line(left, y + 6 * mm, contentWidth, rule)
  }
}
