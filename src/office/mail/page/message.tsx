import { Anchor, Group, Stack, Table, Text } from "@mantine/core"
import { Link } from "wouter"
import { useList, useRecord } from "../../../console/api/hooks"
import { moment } from "../../../console/format"
import { kindOf } from "../../../console/kinds"
import { Facts, Loaded, Page, Section } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import type { Message } from "../model"
import { MessageBadge } from "./badge"
import { MessageButtons } from "./actions"
import { aboutOf } from "./list"
import { withLinkInWords } from "./link-words"
import { MailNotice } from "./notice"
import { outcomeOf } from "./outcome"
import { reasonInWords } from "./reasons"
import { t } from "./texts"

const parent = { title: common(($) => $.kinds.messages.title), href: "/messages" }
const name = (field: string) => fieldName(field, { of: "messages" })

/** A message that is under way changes soon, in ms. */
const readEvery = 5_000

/** The page of a message: what it says, and what has become of it. */
export default function MessagePage({ id }: { id: string }) {
  return (
    <Loaded query={useRecord("messages", id, readEvery)}>{(message) => <Shown message={message} />}</Loaded>
  )
}

const Shown = ({ message }: { message: Message }) => (
  <Page
    title={message.subject}
    parent={parent}
    badge={<MessageBadge status={message.status} />}
    actions={<MessageButtons message={message} />}
  >
    <Stack>
      <MailNotice />
      {outcomeOf(message).map((sentence) => (
        <Text key={sentence} size="sm" style={{ overflowWrap: "anywhere" }}>
          {sentence}
        </Text>
      ))}
      <Contents message={message} />
      <Attempts message={message} />
    </Stack>
  </Page>
)

const Contents = ({ message }: { message: Message }) => (
  <Section title={t(($) => $.contents)}>
    <Facts
      of={[
        { label: t(($) => $.document), value: <Document message={message} /> },
        { label: common(($) => $.common.created), value: moment(message.createdAt) },
        { label: t(($) => $.by), value: <By id={message.id} /> },
        { label: name("to"), value: message.to.join(", ") },
        { label: name("cc"), value: message.cc.join(", ") },
        { label: name("sentAt"), value: message.sentAt && moment(message.sentAt) },
        {
          label: name("attachments"),
          value: message.attachments.map((file) => file.name).join(", "),
        },
      ]}
    />
    <Text size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
      {withLinkInWords(message.message, message.kind)}
    </Text>
  </Section>
)

/** Who asked for the message, as its history names them. */
function By({ id }: { id: string }) {
  const { data } = useList(
    "audit-logs",
    { perPage: "1", sort: "createdAt", order: "asc" },
    `/messages/${id}/history`,
  )
  const [entry] = data?.pages[0]?.data ?? []
  return entry ? (entry.actorName ?? common(($) => $.values.actorType[entry.actorType])) : null
}

function Document({ message }: { message: Message }) {
  const href = kindOf(message.kind)?.recordPath?.(message.record)
  if (!href) return aboutOf(message)
  return (
    <Anchor component={Link} href={href} inherit>
      {aboutOf(message)}
    </Anchor>
  )
}

const Attempts = ({ message: { attempts } }: { message: Message }) => (
  <Section title={t(($) => $.attempts)}>
    {attempts.length === 0 && <Text c="dimmed">{t(($) => $.noAttempts)}</Text>}
    <Table>
      <Table.Tbody>
        {attempts.toReversed().map(({ at, step, code, text }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Group gap={4}>
                <Text size="sm">{moment(at)}</Text>
                <Text size="sm" c="dimmed">
                  {t(($) => $.steps[step])}
                </Text>
              </Group>
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {code === null ? reasonInWords(text) : text}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Section>
)
