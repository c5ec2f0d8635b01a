import { footerOf, type Footer } from "./footer"
import { createFlow, type Page } from "./flow"
import { letterhead } from "./letterhead"
import type { Logo } from "./logo"
import { paymentCode } from "./payment"
import { addRemarks } from "./remarks"
import type { Sheet } from "./sheet"
import { footerBottom, laterTop, mm } from "./style"
import { billTop, swissBill, type SwissBill } from "./swiss"
import { addTable } from "./table"
import { addTitle } from "./title"
import { addTotals, heightOf, totalPieces } from "./totals"

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
  const totals = totalPieces(sheet)
  const code = paymentCode(sheet)
  const turnPage = addTable(flow, sheet, Math.max(heightOf(totals), code?.height ?? 0))
  addTotals(flow, totals, code, turnPage)
  addRemarks(flow, sheet, footer.textForEnd)
  const bill = swissBill(sheet.paper)
  const taken = bottom - flow.room()
  if (bill && taken > footerAboveBill - footer.height - aboveFooter) flow.breakPage()
  return { pages: flow.pages, footer, bill }
}
