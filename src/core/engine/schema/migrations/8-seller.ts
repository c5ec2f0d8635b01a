import type { Database } from "../../engine"
import { systemClock } from "../../../lib/clock"
import { digestOf } from "../../../lib/secret"
import { feedAudit, newestEntryAt } from "../../../write/audit-log"
import { system, type Tx } from "../../../write/writer"

type Company = { companyName?: string | null; companyAddress?: string | null; companyTaxId?: string | null }

/**
 * Gives issued invoices the company of this day as their seller, because no earlier data is known, and writes it to the
 * audit log. This code does not follow later changes of the seller: it only runs on files of version 7.
 */
export function keepSeller(db: Database): void {
  const { issued } = db
    .query<{ issued: number }, []>("SELECT count(*) AS issued FROM invoices WHERE issued_at IS NOT NULL")
    .get() ?? { issued: 0 }
  if (issued === 0) return
  const row = db.query<{ body: string }, []>("SELECT body FROM settings").get()
  const seller = sellerOf(row ? (JSON.parse(row.body) as Company) : {})
  const body = JSON.stringify(seller)
  const id = `slr_${digestOf(body).slice(0, 26)}`
  db.query("INSERT INTO seller_versions (id, body) VALUES (?, ?)").run(id, body)
  db.query("UPDATE invoices SET seller_version = ? WHERE issued_at IS NOT NULL").run(id)
  const changes = { seller: { from: null, to: seller }, invoices: { from: null, to: issued } }
  const entry = {
    action: "invoices.seller",
    kind: "invoices",
    recordId: null,
    outcome: "success" as const,
    changes,
  }
  const now = systemClock(newestEntryAt(db))()
  feedAudit(db)([{ auditEntries: [entry], by: system, now } as unknown as Tx])
}

const sellerOf = ({ companyName = null, companyAddress = null, companyTaxId = null }: Company) => ({
  legalName: companyName,
  address: companyAddress && {
    street: companyAddress,
    city: null,
    state: null,
    zipCode: null,
    country: null,
  },
  email: null,
  phone: null,
  website: null,
  vatId: companyTaxId,
  taxNumber: null,
  registrationId: null,
  iban: null,
  bic: null,
  bankName: null,
  documentFooter: null,
  logo: null,
})
