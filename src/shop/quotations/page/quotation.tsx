import { Anchor, Grid, Paper, Stack, Text, Textarea } from "@mantine/core"
import { useState } from "react"
import { Link } from "wouter"
import { useMay, useRecord } from "../../../console/api/hooks"
import type { Customer, Quotation } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { useHeld } from "../../../console/forms/unsaved"
import { date, moment, money, number } from "../../../console/format"
import { Facts, Panel } from "../../../console/parts/page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { daysLater } from "../../../shared/dates"
import { documentPage } from "../../../trade/page/document-page"
import { DraftEditor } from "../../../trade/page/draft/draft-editor"
import { useCopied } from "../../../trade/page/draft/use-copied"
import { termsOf } from "../../../trade/page/in-words"
import { DocumentLines } from "../../../trade/page/lines/document-lines"
import { sentFact } from "../../../trade/page/mail/sent"
import { RecordPage } from "../../../trade/page/record-page"
import { addressLines, CustomerLink } from "../../../trade/page/view/parties"
import { TotalsBox } from "../../../trade/page/view/totals-box"
import { useQuotationActions } from "./actions"
import { shownStatus } from "./list"
import { t } from "./texts"

const name = (field: string) => fieldName(field, { of: "quotations" })

/** The page of a quotation: a form while it is a draft or edited, or a view with the available actions. */
export default documentPage({
  kind: "quotations",
  create: {
    title: t(($) => $.new),
    onlyFor: t(($) => $.onlyFor),
    form: (customer) => <NewQuotation customer={customer} />,
  },
  show: (quotation) => <Existing quotation={quotation} />,
})

function NewQuotation({ customer }: { customer: Customer | undefined }) {
  const { id, copied, isLoading } = useCopied("quotations")
  return !isLoading && <Editor key={id} quotation={null} customer={customer} copied={copied} />
}

function Existing({ quotation }: { quotation: Quotation }) {
  const may = useMay()
  const status = useHeld(quotation.status)
  const [isRevised, setRevised] = useState(false)
  const isEditable = may("sales-orders", "write") && (status === "draft" || (status === "sent" && isRevised))
  const { actions, more, dialogs } = useQuotationActions(quotation, {
    isEdited: isEditable,
    edit: () => setRevised(true),
  })
  return (
    <RecordPage
      kind="quotations"
      record={quotation}
      title={quotation.quotationNumber}
      badge={<StatusBadge status={shownStatus(quotation)} />}
      facts={[
        { label: common(($) => $.fields.customer), value: <CustomerLink of={quotation} /> },
        {
          label: common(($) => $.fields.total),
          value: money(quotation.total, quotation.currency),
          isStrong: true,
        },
        { label: name("quotationDate"), value: date(quotation.quotationDate) },
        { label: name("validUntil"), value: date(quotation.validUntil) },
        quotation.revision > 1 && { label: name("revision"), value: number(quotation.revision) },
        sentFact(quotation),
      ]}
      actions={actions}
      more={more}
      aside={<Aside quotation={quotation} />}
      isWide={isEditable}
    >
      {isEditable ? (
        <Editor key={status} quotation={quotation} onSaved={() => setRevised(false)} />
      ) : (
        <View key={status} quotation={quotation} />
      )}
      {dialogs}
    </RecordPage>
  )
}

/** The order that was made of it, who has accepted it, and the page of the customer. */
function Aside({ quotation }: { quotation: Quotation }) {
  const { salesOrder, link } = quotation
  return (
    <>
      {salesOrder !== null && <OrderPanel id={salesOrder} />}
      {quotation.acceptedAt !== null && <Acceptance quotation={quotation} />}
      {link !== null && (
        <Panel title={name("link")}>
          <Text size="sm">
            {link.expiresAt === null
              ? t(($) => $.pageOpen, { time: moment(link.createdAt) })
              : t(($) => $.pageOpenUntil, { time: moment(link.expiresAt) })}
          </Text>
        </Panel>
      )}
    </>
  )
}

function OrderPanel({ id }: { id: string }) {
  const { data } = useRecord("sales-orders", id)
  return (
    <Panel title={common(($) => $.fields.salesOrder)}>
      <Anchor component={Link} href={`/orders/${id}`} size="sm">
        {data?.orderNumber ?? t(($) => $.order)}
      </Anchor>
    </Panel>
  )
}

function Acceptance({ quotation }: { quotation: Quotation }) {
  const { acceptedAt, acceptedBy, acceptedReference, acceptedIp, acceptedRevision, acceptedPdfHash } =
    quotation
  const facts = [
    { label: name("acceptedBy"), value: acceptedBy },
    { label: name("acceptedAt"), value: acceptedAt && moment(acceptedAt) },
    { label: name("acceptedReference"), value: acceptedReference },
    { label: name("acceptedRevision"), value: acceptedRevision && number(acceptedRevision) },
    { label: name("acceptedIp"), value: acceptedIp },
    {
      label: name("acceptedPdfHash"),
      value: acceptedPdfHash && <span style={{ overflowWrap: "anywhere" }}>{acceptedPdfHash}</span>,
    },
  ]
  return (
    <Panel title={t(($) => $.acceptance)}>
      <Facts columns={1} of={facts.filter(({ value }) => value !== null)} />
    </Panel>
  )
}

type Props = {
  /** The quotation; null for a new one. */
  quotation: Quotation | null
  /** The customer of a new one, if known. */
  customer?: Customer
  /** The quotation from which a new one is filled. */
  copied?: Quotation | null
  onSaved?: () => void
}

/** How long an offer usually stands, in days. */
const usualValidity = 30

/** Edits a draft, or revises a quotation that was sent. */
function Editor({ quotation, customer, copied, onSaved }: Props) {
  const isRevision = quotation?.status === "sent"
  return (
    <DraftEditor
      kind="quotations"
      record={quotation}
      customer={customer}
      copied={copied}
      ownValues={(from, { today }) => ({
        quotationDate: from?.quotationDate ?? today,
        validUntil: from ? from.validUntil : daysLater(today, usualValidity),
        terms: from?.terms ?? copied?.terms ?? "",
      })}
      finalize={{ status: "sent" }}
      finalizeLabel={isRevision ? null : t(($) => $.saveAndMarkSent)}
      saveLabel={isRevision ? t(($) => $.saveRevision) : undefined}
      told={({ quotationNumber }, outcome) => {
        onSaved?.()
        if (outcome === "finalized") return t(($) => $.isSentNow, { number: quotationNumber })
        return isRevision
          ? t(($) => $.wasRevised, { number: quotationNumber })
          : t(($) => $.wasSavedAsDraft, { number: quotationNumber })
      }}
      dates={(form) => (
        <>
          <DayInput label={name("quotationDate")} required {...form.getInputProps("quotationDate")} />
          <DayInput
            label={name("validUntil")}
            clearable
            minDate={form.values.quotationDate}
            {...form.getInputProps("validUntil")}
          />
        </>
      )}
      texts={(form) => (
        <Textarea
          label={name("terms")}
          description={t(($) => $.termsHint)}
          autosize
          minRows={3}
          maxRows={16}
          {...form.getInputProps("terms")}
        />
      )}
    />
  )
}

const View = ({ quotation }: { quotation: Quotation }) => (
  <Stack>
    <Paper withBorder p="md">
      <Facts of={factsOf(quotation)} columns={3} />
    </Paper>
    <DocumentLines of={quotation} />
    <Grid>
      <Grid.Col span={{ base: 12, sm: 7 }}>
        <Stack>
          <Prose label={name("terms")} text={quotation.terms} />
          <Prose label={common(($) => $.fields.notes)} text={quotation.notes} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 5 }}>
        <TotalsBox {...quotation} />
      </Grid.Col>
    </Grid>
  </Stack>
)

function factsOf(quotation: Quotation) {
  const { paymentTerms, buyerReference, sentAt, declinedAt, withdrawnAt, reason } = quotation
  const shipping = addressLines(quotation.shippingAddress)
  return [
    { label: common(($) => $.fields.paymentTerms), value: termsOf(paymentTerms) },
    { label: common(($) => $.fields.buyerReference), value: buyerReference },
    { label: common(($) => $.fields.shippingAddress), value: shipping.join(", ") },
    { label: t(($) => $.sentSince), value: sentAt && moment(sentAt) },
    { label: name("declinedAt"), value: declinedAt && moment(declinedAt) },
    { label: name("withdrawnAt"), value: withdrawnAt && moment(withdrawnAt) },
    { label: common(($) => $.fields.reason), value: reason },
  ].filter(({ value }) => value)
}

const Prose = ({ label, text }: { label: string; text: string | null }) =>
  text && (
    <Paper withBorder p="md">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {text}
      </Text>
    </Paper>
  )
