import { Badge, Code } from "@mantine/core"
import { useState } from "react"
import type { AuditEntry } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { AdminOnly } from "../../parts/admin-only"
import { StatusBadge } from "../../parts/status-badge"
import { useActorInWords } from "./actor"
import { AuditDetails } from "./details"
import { outcomes } from "../../../../shared/audit"
import { actionInWords, actorChoices, actorTypeInWords, kindInWords, kindNames } from "./words"

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: words(value) }))
const filters = [
  {
    key: "kind",
    label: "Kind",
    options: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
  },
  { key: "actorType", label: "Actor", options: actorChoices },
  { key: "outcome", label: "Outcome", options: choices(outcomes) },
  { key: "createdAt", label: "Period", isDate: true as const },
]

const columns: Column<AuditEntry>[] = [
  { key: "createdAt", title: "Time", show: ({ createdAt }) => moment(createdAt) },
  { key: "actorName", title: "Actor", show: (entry) => <Who entry={entry} /> },
  { key: "action", title: "Action", show: ({ action }) => actionInWords(action) },
  { key: "kind", title: "Kind", show: ({ kind }) => (kind ? kindInWords(kind) : "–") },
  {
    key: "recordId",
    title: "Record",
    show: ({ recordId }) => (recordId ? <Code>{recordId}</Code> : "–"),
  },
  { key: "outcome", title: "Outcome", show: ({ outcome }) => <StatusBadge status={outcome} /> },
  { key: "ip", title: "IP", show: ({ ip }) => ip ?? "–" },
  { key: "requestId", title: "Request ID", isExtra: true, show: ({ requestId }) => requestId ?? "–" },
]

const Who = ({ entry: { actorName, actorType } }: { entry: AuditEntry }) => (
  <>
    {actorName}{" "}
    <Badge variant="default" tt="none" size="sm" fw={500}>
      {actorTypeInWords(actorType)}
    </Badge>
  </>
)

export default function Audit() {
  return (
    <AdminOnly title="Audit log">
      <Log />
    </AdminOnly>
  )
}

function Log() {
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const describe = useActorInWords()
  return (
    <>
      <RecordList
        kind="audit-logs"
        title="Audit log"
        noun="entry"
        columns={columns}
        phone={{ title: "action", line: ["createdAt", "outcome", "actorName"] }}
        filters={filters}
        nameOf={({ action }) => actionInWords(action)}
        onOpen={setOpen}
        describe={describe}
        intro="The actions of users, API keys and apps are recorded here."
      />
      <AuditDetails entry={open} onClose={() => setOpen(null)} />
    </>
  )
}
