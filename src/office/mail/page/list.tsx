import { Stack } from "@mantine/core"
import { moment } from "../../../console/format"
import { kindOf, kinds } from "../../../console/kinds"
import type { Column } from "../../../console/lists/columns"
import { optionsOf, statusFilter } from "../../../console/lists/filters"
import type { PhoneLines } from "../../../console/lists/list-body"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import type { Message } from "../model"
import { MessageBadge, messageStatus } from "./badge"
import { MailNotice } from "./notice"
import { outcomeOf } from "./outcome"
import { t } from "./texts"

/** What a message is about: the number of the document, or the kind. */
export const aboutOf = ({ kind, number }: Pick<Message, "kind" | "number">): string =>
  number ?? (kind === "users" ? t(($) => $.password) : (kindOf(kind)?.title ?? kind))

const name = (field: string) => fieldName(field, { of: "messages" })

const columns: Column<Message>[] = [
  { key: "subject", title: name("subject"), sorts: false, show: ({ subject }) => subject },
  { key: "number", title: t(($) => $.document), sorts: false, show: aboutOf },
  { key: "to", title: name("to"), sorts: false, show: ({ to }) => to.join(", ") },
  {
    key: "status",
    title: common(($) => $.common.status),
    sorts: false,
    show: ({ status }) => <MessageBadge status={status} />,
  },
  { key: "createdAt", title: common(($) => $.common.created), show: ({ createdAt }) => moment(createdAt) },
  {
    key: "attempts",
    title: t(($) => $.outcome),
    sorts: false,
    show: (message) => outcomeOf(message).join(" ") || "–",
  },
  {
    key: "sentAt",
    title: name("sentAt"),
    sorts: false,
    isExtra: true,
    show: ({ sentAt }) => (sentAt ? moment(sentAt) : "–"),
  },
  { key: "cc", title: name("cc"), sorts: false, isExtra: true, show: ({ cc }) => cc.join(", ") || "–" },
]

const phone: PhoneLines<Message> = {
  title: "subject",
  amount: ({ status }) => <MessageBadge status={status} />,
  line: ["to", "createdAt", "attempts"],
}

const filters = [
  { ...statusFilter("messages"), options: optionsOf(kinds.messages.choices.status ?? [], messageStatus) },
]

/** All messages that the user may read. */
export default function Messages() {
  return (
    <RecordList
      kind="messages"
      title={common(($) => $.kinds.messages.title)}
      columns={columns}
      phone={phone}
      filters={filters}
      nameOf={({ subject }) => subject}
      hrefOf={({ id }) => `/messages/${id}`}
      intro={t(($) => $.intro)}
    >
      <Stack mb="md">
        <MailNotice />
      </Stack>
    </RecordList>
  )
}
