import { remarksOf } from "../shown"
import type { Flow } from "./flow"
import type { Sheet } from "./sheet"
import { body, contentWidth, label, left, lineHeight, mm, quiet, tiny } from "./style"
import { textPieces } from "./title"

/** Adds what follows the totals: why no tax is charged, the notes, and the text of the footer if it is long. */
export function addRemarks(flow: Flow, sheet: Sheet, footerText: string | null): void {
  const { notes } = sheet.paper
  const remarks = remarksOf(sheet)
  if (remarks.length > 0) flow.space(5 * mm)
  for (const remark of remarks)
    for (const piece of textPieces(sheet, remark, contentWidth, quiet)) flow.add(piece)
  if (notes) addNotes(flow, sheet, notes)
  if (footerText) {
    flow.space(6 * mm)
    for (const piece of textPieces(sheet, footerText, contentWidth, tiny)) flow.add(piece)
  }
}

/** The heading of the notes stays with their first line. */
function addNotes(flow: Flow, sheet: Sheet, notes: string): void {
  const [first, ...others] = textPieces(sheet, notes, contentWidth, body)
  if (!first) return
  const headingHeight = lineHeight(label) + 0.8 * mm
  flow.space(6 * mm)
  flow.add({
    height: headingHeight + first.height,
    draw: (pen, y) => {
      pen.text(sheet.texts.notes, left, y, label)
      first.draw(pen, y + headingHeight)
    },
  })
  for (const piece of others) flow.add(piece)
}
