import { Alert, Paper, SimpleGrid, Stack } from "@mantine/core"
import { useRecord } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { CustomerLink } from "../../../trade/page/customer-link"
import { DocumentLines } from "../../../trade/page/document-lines"
import { BilledCustomer, Entry, IssuingCompany } from "../../../trade/page/parties"
import { date, money } from "../../../console/format"
import { Loaded } from "../../../console/parts/loaded"
import { RecordPage, type HeaderFact } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { CreditNoteActions } from "./credit-note-actions"
import { CreditNoteAccount } from "./credit-note-account"
import { CreditNoteNotes } from "./credit-note-notes"
import { InvoiceLink } from "./invoice-link"

export default function CreditNotePage({ id }: { id: string }) {
  return <Loaded query={useRecord("credit-notes", id)}>{(note) => <Issued note={note} />}</Loaded>
}

/** The page of a credit note. Only its notes can change, and how it is used. */
const Issued = ({ note }: { note: CreditNote }) => (
  <RecordPage
    kind="credit-notes"
    record={note}
    title={note.creditNoteNumber}
    parent={{ title: t(($) => $.kinds["credit-notes"].title), href: "/credit-notes" }}
    badge={<StatusBadge status={note.status} />}
    facts={factsOf(note)}
    actions={<CreditNoteActions note={note} />}
    aside={<CreditNoteAccount note={note} />}
  >
    <Stack>
      {note.isCancellation && (
        <Alert color="gray">{t(($) => $.creditNotes.ofCancellation, { invoice: note.invoiceNumber })}</Alert>
      )}
      <Parties note={note} />
      <DocumentLines lines={note.items} currency={note.currency} pricesIncludeTax={note.pricesIncludeTax} />
      <CreditNoteNotes note={note} />
    </Stack>
  </RecordPage>
)

/** What a person looks for first on a credit note. */
const factsOf = (note: CreditNote): (HeaderFact | false)[] => [
  { label: t(($) => $.fields.customer), value: <CustomerLink of={note} /> },
  { label: t(($) => $.fields.invoice), value: <InvoiceLink of={note} /> },
  { label: t(($) => $.fields.total), value: money(note.total, note.currency), isStrong: true },
  note.unapplied > 0 && {
    label: t(($) => $.fields.unapplied),
    value: money(note.unapplied, note.currency),
    isStrong: true,
  },
  { label: t(($) => $.fields.creditNoteDate), value: date(note.creditNoteDate) },
]

const Parties = ({ note }: { note: CreditNote }) => (
  <Paper withBorder p="md">
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <BilledCustomer of={note} />
      <div>
        <Entry label={t(($) => $.fields.reason)}>{note.reason}</Entry>
        {!note.isCancellation && (
          <Entry label={t(($) => $.creditNotes.goods)}>
            {t(($) => (note.restock ? $.creditNotes.goodsReturned : $.creditNotes.goodsKept))}
          </Entry>
        )}
        {note.buyerReference && (
          <Entry label={t(($) => $.fields.buyerReference)}>{note.buyerReference}</Entry>
        )}
      </div>
      <IssuingCompany seller={note.seller} />
    </SimpleGrid>
  </Paper>
)
