import { encode } from "uqr"
import { inGroups } from "../shown"
import { epcPayload } from "./epc"
import type { Piece } from "./flow"
import type { Pen } from "./pen"
import type { Sheet } from "./sheet"
import { ink, left, lineHeight, mm, small, strong, tiny } from "./style"
import { totalsLeft } from "./totals"

const size = 27 * mm
const above = 6 * mm
const textLeft = left + size + 4 * mm
const textWidth = totalsLeft - textLeft - 4 * mm

/** The code that pays an invoice, with what it contains. Null when the invoice cannot be paid by it. */
export function paymentCode(sheet: Sheet): Piece | null {
  const payload = epcPayload(sheet.paper)
  if (payload === null) return null
  const modules = encode([...Buffer.from(payload)], { ecc: "M", border: 0 }).data
  return {
    height: above + size + 1 * mm,
    draw: (pen, y) => {
      drawModules(pen, modules, left, y + above)
      drawCaption(pen, sheet, y + above)
    },
  }
}

/** Draws the dark modules. Those that touch in a row are one rectangle, so that no gaps are visible. */
function drawModules({ document }: Pen, rows: boolean[][], x: number, y: number): void {
  const step = size / rows.length
  rows.forEach((row, r) => {
    for (let start = 0; start < row.length; start++) {
      if (!row[start]) continue
      let end = start
      while (row[end]) end++
      document.rect(x + start * step, y + r * step, (end - start) * step, step)
      start = end
    }
  })
  document.fillColor(ink).fill()
}

function drawCaption(pen: Pen, { paper, texts, ruler }: Sheet, y: number): void {
  const { legalName, iban } = paper.seller
  const caption = { ...strong, size: small.size }
  pen.text(texts.scanToPay, textLeft, y, caption)
  const values = [legalName, iban && inGroups(iban), texts.paymentReference, paper.number]
  const lines = values.flatMap((value) => (value ? ruler.lines(value, textWidth, tiny).slice(0, 3) : []))
  lines.forEach((line, i) =>
    pen.text(line, textLeft, y + lineHeight(caption) + 2 + i * lineHeight(tiny), tiny),
  )
}
