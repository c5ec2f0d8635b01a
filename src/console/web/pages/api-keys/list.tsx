import { Badge, Group } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useMay, useMe } from "../../api/hooks"
import type { ApiKey } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import type { Filter } from "../../lists/list-toolbar"
import { RecordList } from "../../lists/record-list"
import { EditApiKey } from "./edit"
import { ExpiryBadge } from "./expiry"
import { NewApiKey } from "./new"
import { ApiKeyShown } from "./shown"
import { lastUse, type IssuedKey } from "./issued-key"
import { useUserNames } from "./user-names"

type Open = { view: "new" } | { view: "edit"; record: ApiKey } | { view: "shown"; issued: IssuedKey }

export default function ApiKeys() {
  const me = useMe()
  const isAdmin = useMay()("administration", "admin")
  const names = useUserNames(isAdmin)
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)

  const show = (issued: IssuedKey) => {
    // The text is for the dialog alone.
    client.removeQueries({ queryKey: ["api-keys", issued.id] })
    if (issued.key) return setOpen({ view: "shown", issued })
    // The first answer got lost on its way, and a second one holds no secret.
    close()
    notifications.show({
      title: `${issued.name} was made, but its text got lost on the way`,
      message: "Open it and rotate it: that gives it a new text.",
      color: "yellow",
      autoClose: false,
    })
  }

  const nameOf = (id: string) => (id === me.id ? `${me.name} (me)` : (names.get(id) ?? id))
  const filters: Filter[] = [{ key: "expiresAt", label: "Expires", isDate: true }]
  if (isAdmin)
    filters.unshift({
      key: "user",
      label: "Owner",
      options: [...names].map(([value, label]) => ({ value, label })),
    })

  return (
    <>
      <RecordList
        kind="api-keys"
        title="API keys"
        noun="API key"
        columns={columnsOf(isAdmin ? nameOf : null)}
        filters={filters}
        nameOf={({ name }) => name}
        onOpen={(record) => setOpen({ view: "edit", record })}
        create={{ label: "New API key", onClick: () => setOpen({ view: "new" }) }}
        intro="A key lets another program, such as a web shop, work with Kontor on your behalf."
      />
      {open?.view === "new" && <NewApiKey onMade={show} onClose={close} />}
      {open?.view === "edit" && (
        <EditApiKey
          key={open.record.id}
          record={open.record}
          owner={nameOf(open.record.user)}
          onRotated={show}
          onClose={close}
        />
      )}
      {open?.view === "shown" && <ApiKeyShown issued={open.issued} onClose={close} />}
    </>
  )
}

/** Whose a key is matters to those who see everybody's. */
function columnsOf(ownerOf: ((id: string) => string) | null): Column<ApiKey>[] {
  const owner: Column<ApiKey> = {
    key: "user",
    title: "Owner",
    sorts: false,
    show: (key) => ownerOf?.(key.user),
  }
  return [
    { key: "name", title: "Name", show: ({ name }) => name },
    {
      key: "prefix",
      title: "Begins with",
      show: ({ prefix }) => <code style={{ whiteSpace: "nowrap" }}>{prefix}</code>,
    },
    { key: "scopes", title: "Scopes", sorts: false, show: (key) => <Scopes of={key.scopes} /> },
    ...(ownerOf ? [owner] : []),
    { key: "expiresAt", title: "Expires", show: (key) => <Expiry of={key} /> },
    {
      key: "allowedIps",
      title: "Only from",
      sorts: false,
      show: ({ allowedIps }) => (allowedIps.length === 0 ? "Anywhere" : allowedIps.join(", ")),
    },
    { key: "plan", title: "Plan", show: ({ plan }) => (plan ? words(plan) : "As its owner") },
    { key: "lastUsedAt", title: "Last used", show: (key) => lastUse(key) },
    { key: "lastUsedIp", title: "Last used from", isExtra: true, show: (key) => key.lastUsedIp ?? "–" },
    { key: "createdAt", title: "Made", isExtra: true, show: ({ createdAt }) => moment(createdAt) },
  ]
}

const Scopes = ({ of }: { of: string[] }) => (
  <Group gap={4}>
    {of.map((scope) => (
      <Badge key={scope} variant="light" tt="none" size="sm">
        {scope}
      </Badge>
    ))}
  </Group>
)

const Expiry = ({ of: { expiresAt } }: { of: ApiKey }) => (
  <Group gap={6}>
    {expiresAt === null ? "Never" : moment(expiresAt)}
    <ExpiryBadge expiresAt={expiresAt} />
  </Group>
)
