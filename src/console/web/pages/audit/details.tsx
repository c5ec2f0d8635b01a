import { Anchor, Code, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core"
import { Link } from "wouter"
import type { AuditEntry } from "../../api/types"
import { moment, words } from "../../format"
import { shown } from "../../forms/conflict-dialog"
import { Facts } from "../../parts/facts"
import { StatusBadge } from "../../parts/status-badge"
import { actionInWords, actorTypeInWords, kindInWords, recordPathOf } from "./words"

type Props = { entry: AuditEntry | null; onClose: () => void }

/** All fields of one entry of the audit log. */
export function AuditDetails({ entry, onClose }: Props) {
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={entry ? actionInWords(entry.action) : ""}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {entry && <Details entry={entry} onLeave={onClose} />}
    </Drawer>
  )
}

const Details = ({ entry, onLeave }: { entry: AuditEntry; onLeave: () => void }) => (
  <Stack>
    <MainFields entry={entry} />
    <Group gap="md">
      <Links entry={entry} onLeave={onLeave} />
    </Group>
    <Title order={3} size="h5">
      Changes
    </Title>
    <Changes of={entry.changes} />
    <Facts
      columns={1}
      of={[
        { label: "Request ID", value: entry.requestId && <Code>{entry.requestId}</Code> },
        { label: "User agent", value: entry.userAgent },
        { label: "Hash of this and the previous entry", value: <Code>{entry.hash}</Code> },
      ]}
    />
  </Stack>
)

/** The actor, action, time and record. */
function MainFields({ entry }: { entry: AuditEntry }) {
  const { actorName, kind, recordId } = entry
  const type = actorTypeInWords(entry.actorType)
  return (
    <Facts
      of={[
        { label: "Time", value: moment(entry.createdAt) },
        { label: "Time (UTC)", value: <Code>{entry.createdAt}</Code> },
        { label: "Actor", value: actorName ? `${actorName} (${type})` : type },
        { label: "Outcome", value: <StatusBadge status={entry.outcome} /> },
        { label: "Action", value: <Code>{entry.action}</Code> },
        { label: "Kind", value: kind && kindInWords(kind) },
        { label: "Record", value: recordId && <Code>{recordId}</Code> },
        { label: "IP address", value: entry.ip },
      ]}
    />
  )
}

/** Links to the record and to related entries. */
function Links({ entry: { actor, kind, recordId }, onLeave }: { entry: AuditEntry; onLeave: () => void }) {
  const place = recordPathOf(kind, recordId)
  const to = (href: string, text: string) => (
    <Anchor component={Link} href={href} size="sm" onClick={onLeave}>
      {text}
    </Anchor>
  )
  return (
    <>
      {place && to(place, "Open record")}
      {recordId && to(`/settings/audit?recordId=${recordId}`, "History of this record")}
      {actor &&
        to(`/settings/audit?actor=${actor}`, `Activity of this ${actor.startsWith("key_") ? "key" : "user"}`)}
    </>
  )
}

function Changes({ of }: { of: AuditEntry["changes"] }) {
  const changes = Object.entries(of)
  if (changes.length === 0) return <Text size="sm">No changes</Text>
  return (
    <Table.ScrollContainer
      minWidth={320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Changes" } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>To</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(([field, { from, to }]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{words(field)}</Table.Th>
              <Table.Td>{shown(from)}</Table.Td>
              <Table.Td>{shown(to)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
