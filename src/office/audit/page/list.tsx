import { Anchor, Badge, Code, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core"
import { useState } from "react"
import { useList, useRecord } from "../../../console/api/hooks"
import type { AuditEntry, Kind } from "../../../console/api/types"
import { kindOf, kinds } from "../../../console/kinds"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { useListState } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly, Facts } from "../../../console/parts/page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { actorTypes, outcomes } from "../../../shared/suggestions"
import { actionInWords, kindInWords, kindNames, recordPathOf } from "./words"
import { Link, useSearchParams } from "wouter"
import { useQueries } from "@tanstack/react-query"
import { call } from "../../../console/api/client"
import { shown } from "../../../console/parts/shown"
import { fieldName } from "../../../console/texts/fields"

const filters = [
  {
    key: "kind",
    label: t(($) => $.kind),
    options: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
  },
  {
    key: "actorType",
    label: t(($) => $.actor),
    options: actorTypes.map((value) => ({ value, label: common(($) => $.values.actorType[value]) })),
  },
  {
    key: "outcome",
    label: t(($) => $.outcome),
    options: outcomes.map((value) => ({ value, label: common(($) => $.values.status[value]) })),
  },
  { key: "createdAt", label: common(($) => $.common.period), isDate: true as const },
]

const columnsWith = (names: ReadonlyMap<string, string>): Column<AuditEntry>[] => [
  {
    key: "createdAt",
    title: t(($) => $.time),
    show: ({ createdAt }) => moment(createdAt),
  },
  { key: "actorName", title: t(($) => $.actor), show: (entry) => <Who entry={entry} /> },
  { key: "action", title: t(($) => $.action), show: ({ action }) => actionInWords(action) },
  { key: "kind", title: t(($) => $.kind), show: ({ kind }) => (kind ? kindInWords(kind) : "–") },
  {
    key: "recordId",
    title: t(($) => $.record),
    show: ({ recordId }) => (recordId ? (names.get(recordId) ?? <Code>{recordId}</Code>) : "–"),
  },
  {
    key: "outcome",
    title: t(($) => $.outcome),
    show: ({ outcome }) => <StatusBadge status={outcome} />,
  },
  { key: "ip", title: t(($) => $.ip), isExtra: true, show: ({ ip }) => ip ?? "–" },
  {
    key: "requestId",
    title: t(($) => $.requestId),
    isExtra: true,
    show: ({ requestId }) => requestId ?? "–",
  },
]

const Who = ({ entry: { actorName, actorType } }: { entry: AuditEntry }) => (
  <Group gap={6}>
    <Text span inherit truncate maw="12rem">
      {actorName}
    </Text>
    <Badge variant="default" tt="none" size="sm" fw={500}>
      {common(($) => $.values.actorType[actorType])}
    </Badge>
  </Group>
)

export default function Audit() {
  return (
    <AdminOnly title={common(($) => $.kinds["audit-logs"].title)}>
      <Log />
    </AdminOnly>
  )
}

function Log() {
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const describe = useActorInWords()
  const list = useList("audit-logs", useListState("createdAt", "desc").query)
  const names = useRecordNames(list.data?.pages.map(({ data }) => data) ?? [])
  return (
    <>
      <RecordList
        kind="audit-logs"
        title={common(($) => $.kinds["audit-logs"].title)}
        columns={columnsWith(names)}
        phone={{
          title: "action",
          amount: ({ kind }) => (kind ? kindInWords(kind) : null),
          line: ["recordId", "createdAt", "actorName"],
        }}
        filters={filters}
        nameOf={({ action }) => actionInWords(action)}
        onOpen={setOpen}
        describe={describe}
        intro={t(($) => $.intro)}
      />
      <AuditDetails entry={open} onClose={() => setOpen(null)} />
    </>
  )
}

/** Describes the actor or record filter in the URL. */
function useActorInWords() {
  const [params] = useSearchParams()
  const actor = useActorName(params.get("actor"))
  return (parameter: string, value: string) => {
    if (parameter === "actor") return t(($) => $.activityOf, { name: actor })
    return parameter === "recordId" ? t(($) => $.historyOf, { id: value }) : undefined
  }
}

/** Returns the name of a user or a key. A revoked key no longer has a name, so its id is shown. */
function useActorName(id: string | null): string {
  const user = useRecord("users", id?.startsWith("usr_") ? id : null)
  const key = useRecord("api-keys", id?.startsWith("key_") ? id : null)
  return user.data?.name ?? key.data?.name ?? id ?? ""
}

/**
 * Reads the names of the records in pages of the audit log, by id, with one request per page and kind. Deleted records
 * have no name any more.
 */
function useRecordNames(pages: AuditEntry[][]): ReadonlyMap<string, string> {
  const answers = useQueries({
    queries: pages.flatMap(idsByKind).map(([kind, ids]) => ({
      queryKey: [kind, "names", ids],
      queryFn: () => readNames(kind, ids),
    })),
  })
  return new Map(answers.flatMap(({ data = [] }) => data))
}

function idsByKind(entries: AuditEntry[]): [kind: string, ids: string][] {
  return Object.entries(kinds).flatMap(([kind, { nameField }]): [string, string][] => {
    if (nameField === null) return []
    const ids = entries.filter((entry) => entry.kind === kind).flatMap(({ recordId }) => recordId ?? [])
    return ids.length === 0 ? [] : [[kind, [...new Set(ids)].toSorted().join(",")]]
  })
}

async function readNames(kind: string, ids: string): Promise<[id: string, name: string][]> {
  const field = kindOf(kind)?.nameField ?? "id"
  const query = new URLSearchParams({ "id[in]": ids, fields: `id,${field}`, perPage: "100" })
  const { data } = await call<Record<string, string | null>[]>("GET", `/${kind}?${query}`)
  return data.flatMap((record): [string, string][] => {
    const [id, name] = [record["id"], record[field]]
    return id && name ? [[id, name]] : []
  })
}

type Props = { entry: AuditEntry | null; onClose: () => void }

function AuditDetails({ entry, onClose }: Props) {
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={entry ? actionInWords(entry.action) : ""}
      closeButtonProps={{ "aria-label": common(($) => $.common.close) }}
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
      {t(($) => $.changes)}
    </Title>
    <Changes of={entry} />
    <Facts
      columns={1}
      of={[
        { label: t(($) => $.requestId), value: entry.requestId && <Code>{entry.requestId}</Code> },
        { label: t(($) => $.userAgent), value: entry.userAgent },
        { label: t(($) => $.hash), value: <Code>{entry.hash}</Code> },
      ]}
    />
  </Stack>
)

function MainFields({ entry }: { entry: AuditEntry }) {
  const { actorName, kind, recordId } = entry
  const type = common(($) => $.values.actorType[entry.actorType])
  return (
    <Facts
      of={[
        { label: t(($) => $.time), value: moment(entry.createdAt) },
        { label: t(($) => $.timeUtc), value: <Code>{entry.createdAt}</Code> },
        { label: t(($) => $.actor), value: actorName ? `${actorName} (${type})` : type },
        { label: t(($) => $.outcome), value: <StatusBadge status={entry.outcome} /> },
        { label: t(($) => $.action), value: <Code>{entry.action}</Code> },
        { label: t(($) => $.kind), value: kind && kindInWords(kind) },
        { label: t(($) => $.record), value: recordId && <Code>{recordId}</Code> },
        { label: t(($) => $.ipAddress), value: entry.ip },
        {
          label: fieldName("tool", { of: "audit-logs" }),
          value: entry.tool && `${entry.tool}${entry.client ? ` (${entry.client})` : ""}`,
        },
      ]}
    />
  )
}

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
          t(($) => $.openRecord),
        )}
      {recordId &&
        to(
          `/settings/audit?recordId=${recordId}`,
          t(($) => $.recordHistory),
        )}
      {actor &&
        to(
          `/settings/audit?actor=${actor}`,
          actor.startsWith("key_") ? t(($) => $.keyActivity) : t(($) => $.userActivity),
        )}
    </>
  )
}

function Changes({ of }: { of: AuditEntry }) {
  const changes = Object.entries(of.changes)
  if (changes.length === 0) return <Text size="sm">{t(($) => $.noChanges)}</Text>
  return (
    <Table.ScrollContainer
      minWidth={320}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t(($) => $.changes) },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{common(($) => $.forms.field)}</Table.Th>
            <Table.Th>{t(($) => $.from)}</Table.Th>
            <Table.Th>{t(($) => $.to)}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(([field, { from, to }]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldName(field, { of: of.kind as Kind })}</Table.Th>
              <Table.Td>{shown(field, from, of.kind)}</Table.Td>
              <Table.Td>{shown(field, to, of.kind)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
