import { Alert, Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { Link } from "wouter"
import { useMe, useRead } from "../../../console/api/hooks"
import type { Customer, Invoice, RecurringInvoice } from "../../../console/api/types"
import { useHeld } from "../../../console/forms/unsaved"
import { date, money } from "../../../console/format"
import { useMayWrite } from "../../../console/api/rights"
import { confirm } from "../../../console/parts/confirm"
import { Panel } from "../../../console/parts/page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { documentPage } from "../../../trade/page/document-page"
import { DraftEditor } from "../../../trade/page/draft/draft-editor"
import { DocumentLines } from "../../../trade/page/lines/document-lines"
import { SendingProblem } from "../../../trade/page/mail/no-address"
import { RecordPage } from "../../../trade/page/record-page"
import { askedFor, setStatus, useSteps } from "../../../trade/page/use-steps"
import { CustomerLink } from "../../../trade/page/view/parties"
import { TotalsBox } from "../../../trade/page/view/totals-box"
import { begunPeriods, intervalText, ModeInputs, type OwnValues, ScheduleInputs } from "./schedule"
import { t } from "./texts"

const kind = "recurring-invoices"

/** The page of a recurring invoice: its form, or a view when it has ended. */
export default documentPage({
  kind,
  create: {
    title: t(($) => $.new),
    onlyFor: t(($) => $.onlyFor),
    form: (customer) => <Editor record={null} customer={customer} />,
  },
  show: (record) => <Existing record={record} />,
})

/** When the next invoice is made: on the first day of its period, or at once if that has passed. */
function nextInvoice({ nextDate, status }: RecurringInvoice, today: string): string {
  if (status === "paused") return t(($) => $.whilePaused)
  return nextDate !== null && nextDate <= today ? t(($) => $.atOnce) : date(nextDate)
}

function Existing({ record }: { record: RecurringInvoice }) {
  const { customerName, total, currency, every } = record
  const { today } = useMe().company
  const isEditable = useHeld(record.status) !== "ended" && useMayWrite()(kind)
  const { actions, more } = useActions(record)
  return (
    <RecordPage
      kind={kind}
      record={record}
      title={t(($) => $.titleOf, { customer: customerName })}
      badge={<StatusBadge status={record.status} />}
      facts={[
        { label: common(($) => $.fields.customer), value: <CustomerLink of={record} /> },
        { label: common(($) => $.fields.total), value: money(total, currency), isStrong: true },
        { label: t(($) => $.rhythm), value: intervalText(every) },
        { label: fieldName("nextDate", { of: kind }), value: nextInvoice(record, today) },
      ]}
      actions={actions}
      more={more}
      aside={<Made record={record} />}
      isWide={isEditable}
    >
      <Stack>
        <Problems record={record} />
        {isEditable ? (
          <Editor record={record} />
        ) : (
          <>
            <DocumentLines of={record} />
            <TotalsBox {...record} />
          </>
        )}
      </Stack>
    </RecordPage>
  )
}

/** What went wrong with the last invoice, and what was left out. */
const Problems = ({
  record: { problem, skippedPeriods, lastSkippedAt, customer, customerName },
}: {
  record: RecurringInvoice
}) => (
  <>
    {problem && (
      <Alert color="yellow" title={t(($) => $.lastProblem)}>
        <SendingProblem problem={problem} customer={customer} name={customerName} />
      </Alert>
    )}
    {skippedPeriods > 0 && (
      <Alert color="gray">
        {t(($) => $.skipped, { count: skippedPeriods, date: date(lastSkippedAt?.slice(0, 10) ?? null) })}
      </Alert>
    )}
  </>
)

/** The invoices that were made, the newest first. */
function Made({ record }: { record: RecurringInvoice }) {
  const { data = [] } = useRead<Invoice[]>(
    `/invoices?recurringInvoice=${record.id}&sort=createdAt&order=desc&perPage=12`,
  )
  return (
    <Panel title={t(($) => $.made)}>
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(($) => $.noneMade)}
        </Text>
      )}
      {data.map(({ id, invoiceNumber, invoiceDate, periodStartDate, status, isOverdue, total, currency }) => (
        <Group key={id} justify="space-between" gap="xs" py={4}>
          <div>
            <Anchor component={Link} href={`/invoices/${id}`} size="sm">
              {invoiceNumber ?? common(($) => $.values.status.draft)}
            </Anchor>
            <Text size="xs" c="dimmed">
              {t(($) => $.madeFor, { date: date(invoiceDate), from: date(periodStartDate) })}
            </Text>
          </div>
          <Group gap="sm">
            <StatusBadge status={isOverdue ? "overdue" : status} />
            <Text size="sm" className="figures">
              {money(total, currency)}
            </Text>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

type Props = { record: RecurringInvoice | null; customer?: Customer }

function Editor({ record, customer }: Props) {
  const { today } = useMe().company
  return (
    <DraftEditor
      kind={kind}
      record={record}
      customer={customer}
      ownValues={(from, { today }): OwnValues => ({
        every: from?.every ?? { unit: "month", count: 1 },
        startsOn: from?.startsOn ?? today,
        endsOn: from?.endsOn ?? null,
        occurrences: from?.occurrences ?? "",
        mode: from?.mode ?? "draft",
        prices: from?.prices ?? "template",
      })}
      maySave={(values) => mayMake(values, record, today)}
      finalizeLabel={null}
      saveLabel={common(($) => $.common.save)}
      told={({ customerName }) => t(($) => $.saved, { customer: customerName })}
      dates={(form) => (
        <ScheduleInputs
          form={form as unknown as UseFormReturnType<OwnValues>}
          nextPeriod={record?.nextPeriod ?? 1}
          isPaused={record?.status === "paused"}
        />
      )}
      texts={(form) => (
        <>
          <Text size="xs" c="dimmed">
            {t(($) => $.placeholders)}
          </Text>
          <Paper withBorder p="md">
            <ModeInputs form={form as unknown as UseFormReturnType<OwnValues & { customer: string }>} />
          </Paper>
        </>
      )}
    />
  )
}

/** Asks before invoices are issued immediately, because their periods have begun. */
async function mayMake(values: OwnValues, record: RecurringInvoice | null, today: string): Promise<boolean> {
  const count = record?.status === "paused" ? 0 : begunPeriods(values, record?.nextPeriod ?? 1, today)
  if (values.mode === "draft" || count === 0) return true
  const answer = await confirm({
    title: t(($) => $.confirmMake, { count }),
    text: t(($) => (values.mode === "send" ? $.confirmSendText : $.confirmMakeText)),
    action: t(($) => $.make),
    isDangerous: false,
  })
  return answer !== null
}

function useActions(record: RecurringInvoice) {
  const { take, isPending } = useSteps<RecurringInvoice>()
  const mayWrite = useMayWrite()(kind)
  const { id, version, customerName, allowedTransitions } = record
  const removal = useDelete({
    kind,
    id,
    version,
    name: t(($) => $.titleOf, { customer: customerName }),
    to: "/recurring-invoices",
  })
  const isBusy = isPending || removal.isBusy
  const may = (status: string) => mayWrite && allowedTransitions.includes(status)
  const become = (status: RecurringInvoice["status"], done: string) => ({
    run: () => setStatus(kind, record, { status }),
    done,
  })
  const end = () =>
    askedFor<RecurringInvoice>(
      { title: t(($) => $.confirmEnd), text: t(($) => $.confirmEndText), action: t(($) => $.end) },
      () =>
        become(
          "ended",
          t(($) => $.wasEnded),
        ),
    )
  return {
    actions: (
      <>
        {may("paused") && (
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() =>
              take(
                become(
                  "paused",
                  t(($) => $.wasPaused),
                ),
              )
            }
          >
            {t(($) => $.pause)}
          </Button>
        )}
        {may("active") && (
          <Button
            disabled={isBusy}
            onClick={() =>
              take(
                become(
                  "active",
                  t(($) => (record.problem === null ? $.wasContinued : $.madeUpFor)),
                ),
              )
            }
          >
            {t(($) => $.continue)}
          </Button>
        )}
      </>
    ),
    more: {
      actions: [
        may("ended") && { label: t(($) => $.end), onClick: () => take(end()) },
        mayWrite && removal.action,
      ],
      isBusy,
    },
  }
}
