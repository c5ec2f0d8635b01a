import type { Database } from "../../core/engine/engine"
import { business } from "../../core/lib/clock"
import { fieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import type { Settings } from "../../office/settings/model"
import { type QuotationHead, type QuotationLink, quotationRefusals, type QuotationStatus } from "./model"
import { nameOf } from "./rules"
import { closeLink, openLink, quotationOf } from "./store"

type Deps = {
  db: Database
  settings: () => Settings
  /** The URL that others know this server by. */
  issuer: () => string
  /** Refuses a quotation that does not exist. */
  load: (id: string) => { head: QuotationHead }
  findHead: (id: string) => QuotationHead | null
  /** Notes that the page was opened or closed. */
  note: (tx: Tx, id: string) => void
}

/** The statuses in which there is something to read for the customer. */
const openStatuses: readonly QuotationStatus[] = ["sent", "accepted"]

/** The links to the public pages of quotations. */
export function linksOf({ db, settings, issuer, load, findHead, note }: Deps) {
  /** Opens a public page, and closes the one before. Returns its link. */
  const openPage = (tx: Tx, id: string, expiresAt: string | null): QuotationLink & { url: string } => {
    assertPage(settings().publicPages, load(id).head, expiresAt, tx.now)
    const link = { createdAt: tx.now, expiresAt }
    const token = openLink(db, id, link)
    note(tx, id)
    tx.audit("quotations.link", id, expiresAt === null ? {} : { expiresAt: { from: null, to: expiresAt } })
    return { ...link, url: `${issuer()}/q/${token}` }
  }
  return {
    openPage,

    /** Returns a new link for a message that is sent now; null if there is nothing to answer any more. */
    linkFor(tx: Tx, id: string): string | null {
      const head = findHead(id)
      const isOpen = head && openStatuses.includes(head.status) && settings().publicPages
      return isOpen ? openPage(tx, id, null).url : null
    },

    /** Closes the public page. */
    closePage(tx: Tx, id: string): void {
      load(id)
      if (!closeLink(db, id)) return
      note(tx, id)
      tx.audit("quotations.unlink", id)
    },

    arePagesOn: (): boolean => settings().publicPages,

    /** Returns the quotation of a link that works now; null while there are no public pages. */
    ofLink: (token: string): string | null =>
      settings().publicPages ? quotationOf(db, token, business.now()) : null,
  }
}

function assertPage(isOn: boolean, head: QuotationHead, expiresAt: string | null, now: string): void {
  const { status, quotationNumber: number } = head
  if (!isOn)
    throw new Refusal(
      quotationRefusals.PUBLIC_PAGES_OFF,
      "There are no pages for customers: an admin can switch on the setting publicPages.",
    )
  if (!openStatuses.includes(status))
    throw new Refusal("DOCUMENT_LOCKED", `${nameOf(head)} is ${status}; there is nothing to answer.`, {
      params: { number, status },
      details: [fieldError("status", "RULE", `is ${status}`, { rule: "STATUS", status })],
    })
  if (expiresAt !== null && expiresAt <= now)
    throw invalid("expiresAt", "RULE", "must be in the future", { rule: "NOT_IN_FUTURE" })
}
