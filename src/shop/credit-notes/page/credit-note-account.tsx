import { useMay } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { EInvoicePanel } from "../../../trade/page/e-invoice-panel"
import { PartList, type Part } from "../../../trade/page/part-list"
import { TotalsBox } from "../../../trade/page/totals-box"
import { date, money } from "../../../console/format"
import { t } from "../../../console/texts"
import { InvoiceLink } from "./invoice-link"
import { applicationRemoval, refundRemoval } from "./removals"

/** The totals of a credit note, and how it was used. */
export function CreditNoteAccount({ note }: { note: CreditNote }) {
  const mayVoid = useMay()("invoices", "delete")
  const { total, appliedToInvoice } = note
  return (
    <>
      <TotalsBox {...note} more={usesOf(note)} />
      {total > appliedToInvoice && (
        <>
          <PartList
            title={t(($) => $.creditNotes.applications)}
            none={t(($) => $.creditNotes.noApplications)}
            parts={applicationsOf(note, mayVoid)}
          />
          <PartList
            title={t(($) => $.fields.refunds)}
            none={t(($) => $.creditNotes.noRefunds)}
            parts={refundsOf(note, mayVoid)}
          />
        </>
      )}
      <EInvoicePanel
        kind="credit-notes"
        id={note.id}
        isIssued
        document={{ ...note, path: `/credit-notes/${note.id}`, isEditable: false }}
        advice={t(($) => $.eInvoice.issued["credit-notes"])}
      />
    </>
  )
}

/** How the total was used, and what is left of it. */
const usesOf = ({ invoiceNumber, appliedToInvoice, applied, refunded, unapplied }: CreditNote) => [
  ...[
    { label: t(($) => $.creditNotes.tookOff, { invoice: invoiceNumber }), amount: appliedToInvoice },
    { label: t(($) => $.fields.applied), amount: applied },
    { label: t(($) => $.fields.refunded), amount: refunded },
  ].filter(({ amount }) => amount > 0),
  { label: t(($) => $.fields.unapplied), amount: unapplied, isStrong: true },
]

const applicationsOf = (note: CreditNote, mayVoid: boolean): Part[] =>
  note.applications.map((application) => {
    const amount = money(application.amount, note.currency)
    return {
      id: application.id,
      title: <InvoiceLink of={application} />,
      text: date(application.applicationDate),
      amount,
      removal: mayVoid && applicationRemoval(application, amount, note.version),
    }
  })

const refundsOf = (note: CreditNote, mayVoid: boolean): Part[] =>
  note.refunds.map(({ id, amount: refunded, refundDate, method, reference }) => {
    const amount = money(refunded, note.currency)
    return {
      id,
      title: date(refundDate),
      text: [method, reference].filter(Boolean).join(" · ") || "–",
      amount,
      removal: mayVoid && refundRemoval(`/credit-notes/${note.id}`, id, amount, note.version),
    }
  })
