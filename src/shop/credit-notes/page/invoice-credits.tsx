import { Anchor, Group } from "@mantine/core"
import { Link } from "wouter"
import { useMay, useRead } from "../../../console/api/hooks"
import type { CreditNote, Invoice } from "../../../console/api/types"
import { PartList } from "../../../trade/page/view/part-list"
import { date, money } from "../../../console/format"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { applicationRemoval } from "./credit-note"

/** The credit notes of an invoice, and the credit notes of other invoices that were applied to it. */
export const InvoiceCredits = ({ invoice }: { invoice: Invoice }) => (
  <>
    {invoice.creditNotes.length > 0 && <Issued invoice={invoice} />}
    {invoice.applications.length > 0 && <Applied invoice={invoice} />}
  </>
)

const fields = "id,creditNoteNumber,creditNoteDate,reason,status,total,currency"

function Issued({ invoice }: { invoice: Invoice }) {
  const query = `invoice=${invoice.id}&sort=createdAt&order=asc&perPage=100&fields=${fields}`
  const { data = [] } = useRead<CreditNote[]>(`/credit-notes?${query}`)
  return (
    <PartList
      title={common(($) => $.kinds["credit-notes"].title)}
      parts={data.map(({ id, creditNoteNumber, creditNoteDate, reason, status, total, currency }) => ({
        id,
        title: (
          <Group gap="xs">
            <NoteLink id={id} number={creditNoteNumber} />
            {status === "open" && <StatusBadge status={status} />}
          </Group>
        ),
        text: `${date(creditNoteDate)} · ${reason}`,
        amount: money(total, currency),
      }))}
    />
  )
}

function Applied({ invoice: { applications, currency } }: { invoice: Invoice }) {
  const mayVoid = useMay()("invoices", "delete")
  return (
    <PartList
      title={t(($) => $.appliedTitle)}
      parts={applications.map((application) => {
        const { id, creditNote, creditNoteNumber, applicationDate } = application
        const amount = money(application.amount, currency)
        return {
          id,
          title: <NoteLink id={creditNote} number={creditNoteNumber} />,
          text: date(applicationDate),
          amount,
          removal: mayVoid && applicationRemoval(application, amount),
        }
      })}
    />
  )
}

const NoteLink = ({ id, number }: { id: string; number: string }) => (
  <Anchor component={Link} href={`/credit-notes/${id}`} inherit>
    {number}
  </Anchor>
)
