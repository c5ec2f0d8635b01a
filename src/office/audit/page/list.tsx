import { Badge, Code } from "@mantine/core"
import { useState } from "react"
import { useList } from "../../../console/api/hooks"
import type { AuditEntry } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { useListState } from "../../../console/lists/list-state"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly } from "../../../console/parts/admin-only"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { useActorInWords } from "./actor"
import { AuditDetails } from "./details"
import { useRecordNames } from "./record-names"
import { actorTypes, outcomes } from "../../../shared/audit"
import { actionInWords, kindInWords, kindNames } from "./words"

const filters = [
  {
    key: "kind",
    label: t(($) => $.audit.kind),
    options: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
  },
  {
    key: "actorType",
    label: t(($) => $.audit.actor),
    options: actorTypes.map((value) => ({ value, label: t(($) => $.values.actorType[value]) })),
  },
  {
    key: "outcome",
    label: t(($) => $.audit.outcome),
    options: outcomes.map((value) => ({ value, label: t(($) => $.values.status[value]) })),
  },
  { key: "createdAt", label: t(($) => $.common.period), isDate: true as const },
]

const columnsWith = (names: ReadonlyMap<string, string>): Column<AuditEntry>[] => [
  {
    key: "createdAt",
    title: t(($) => $.audit.time),
    show: ({ createdAt }) => moment(createdAt),
  },
  { key: "actorName", title: t(($) => $.audit.actor), show: (entry) => <Who entry={entry} /> },
  { key: "action", title: t(($) => $.audit.action), show: ({ action }) => actionInWords(action) },
  { key: "kind", title: t(($) => $.audit.kind), show: ({ kind }) => (kind ? kindInWords(kind) : "–") },
  {
    key: "recordId",
    title: t(($) => $.audit.record),
    show: ({ recordId }) => (recordId ? (names.get(recordId) ?? <Code>{recordId}</Code>) : "–"),
  },
  {
    key: "outcome",
    title: t(($) => $.audit.outcome),
    show: ({ outcome }) => <StatusBadge status={outcome} />,
  },
  { key: "ip", title: t(($) => $.audit.ip), show: ({ ip }) => ip ?? "–" },
  {
    key: "requestId",
    title: t(($) => $.audit.requestId),
    isExtra: true,
    show: ({ requestId }) => requestId ?? "–",
  },
]

const Who = ({ entry: { actorName, actorType } }: { entry: AuditEntry }) => (
  <>
    {actorName}{" "}
    <Badge variant="default" tt="none" size="sm" fw={500}>
      {t(($) => $.values.actorType[actorType])}
    </Badge>
  </>
)

export default function Audit() {
  return (
    <AdminOnly title={t(($) => $.kinds["audit-logs"].title)}>
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
        title={t(($) => $.kinds["audit-logs"].title)}
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
        intro={t(($) => $.audit.intro)}
      />
      <AuditDetails entry={open} onClose={() => setOpen(null)} />
    </>
  )
}
