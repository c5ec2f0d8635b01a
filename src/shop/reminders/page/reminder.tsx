import { Paper, Text } from "@mantine/core"
import { useRecord } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { Loaded } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { SendAction } from "../../../trade/page/mail/send-action"
import { sentFact } from "../../../trade/page/mail/sent"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { type HeaderFact, RecordPage } from "../../../trade/page/record-page"
import { CustomerLink, InvoiceLink } from "../../../trade/page/view/parties"
import { t } from "./texts"

type Reminder = Kinds["reminders"]

/** The page of a reminder: what it says, and its letter. */
export default function ReminderPage({ id }: { id: string }) {
  const query = useRecord("reminders", id)
  return <Loaded query={query}>{(reminder) => <Shown reminder={reminder} />}</Loaded>
}

const Shown = ({ reminder }: { reminder: Reminder }) => (
  <RecordPage
    kind="reminders"
    record={reminder}
    title={reminder.reminderNumber}
    badge={null}
    facts={factsOf(reminder)}
    actions={
      <>
        <PdfButton kind="reminders" id={reminder.id} />
        <SendAction kind="reminders" document={reminder} number={reminder.reminderNumber} />
      </>
    }
  >
    <Paper withBorder p="md" component="section" aria-label={t(($) => $.text)}>
      <Text fw={600} mb="sm">
        {reminder.subject}
      </Text>
      <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
        {reminder.message}
      </Text>
    </Paper>
  </RecordPage>
)

const factsOf = (reminder: Reminder): (HeaderFact | false)[] => [
  { label: common(($) => $.fields.customer), value: <CustomerLink of={reminder} /> },
  { label: common(($) => $.fields.invoice), value: <InvoiceLink of={reminder} /> },
  { label: t(($) => $.open), value: money(reminder.balance, reminder.currency), isStrong: true },
  reminder.fee > 0 && {
    label: fieldName("fee", { of: "reminders" }),
    value: money(reminder.fee, reminder.currency),
  },
  { label: fieldName("level", { of: "reminders" }), value: `${reminder.level}` },
  { label: common(($) => $.fields.date), value: date(reminder.date) },
  { label: common(($) => $.fields.dueDate), value: date(reminder.dueDate) },
  sentFact(reminder),
]
