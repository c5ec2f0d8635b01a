import { Anchor, Code, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core"
import { Link } from "wouter"
import type { AuditEntry } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { Facts } from "../../../console/parts/facts"
import { shown } from "../../../console/parts/shown"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { fieldName } from "../../../console/texts/fields"
import { actionInWords, kindInWords, recordPathOf } from "./words"

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
      closeButtonProps={{ "aria-label": t(($) => $.common.close) }}
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
      {t(($) => $.audit.changes)}
    </Title>
    <Changes of={entry.changes} />
    <Facts
      columns={1}
      of={[
        { label: t(($) => $.audit.requestId), value: entry.requestId && <Code>{entry.requestId}</Code> },
        { label: t(($) => $.audit.userAgent), value: entry.userAgent },
        { label: t(($) => $.audit.hash), value: <Code>{entry.hash}</Code> },
      ]}
    />
  </Stack>
)

/** The actor, action, time and record. */
function MainFields({ entry }: { entry: AuditEntry }) {
  const { actorName, kind, recordId } = entry
  const type = t(($) => $.values.actorType[entry.actorType])
  return (
    <Facts
      of={[
        { label: t(($) => $.audit.time), value: moment(entry.createdAt) },
        { label: t(($) => $.audit.timeUtc), value: <Code>{entry.createdAt}</Code> },
        { label: t(($) => $.audit.actor), value: actorName ? `${actorName} (${type})` : type },
        { label: t(($) => $.audit.outcome), value: <StatusBadge status={entry.outcome} /> },
        { label: t(($) => $.audit.action), value: <Code>{entry.action}</Code> },
        { label: t(($) => $.audit.kind), value: kind && kindInWords(kind) },
        { label: t(($) => $.audit.record), value: recordId && <Code>{recordId}</Code> },
        { label: t(($) => $.audit.ipAddress), value: entry.ip },
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
      {place &&
        to(
          place,
          t(($) => $.audit.openRecord),
        )}
      {recordId &&
        to(
          `/settings/audit?recordId=${recordId}`,
          t(($) => $.audit.recordHistory),
        )}
      {actor &&
        to(
          `/settings/audit?actor=${actor}`,
          actor.startsWith("key_") ? t(($) => $.audit.keyActivity) : t(($) => $.audit.userActivity),
        )}
    </>
  )
}

function Changes({ of }: { of: AuditEntry["changes"] }) {
  const changes = Object.entries(of)
  if (changes.length === 0) return <Text size="sm">{t(($) => $.audit.noChanges)}</Text>
  return (
    <Table.ScrollContainer
      minWidth={320}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.audit.changes) },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(($) => $.forms.field)}</Table.Th>
            <Table.Th>{t(($) => $.audit.from)}</Table.Th>
            <Table.Th>{t(($) => $.audit.to)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(([field, { from, to }]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldName(field)}</Table.Th>
              <Table.Td>{shown(field, from)}</Table.Td>
              <Table.Td>{shown(field, to)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
