import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useMay, useMe } from "../../../console/api/hooks"
import type { ApiKey } from "../../../console/api/types"
import type { Filter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t } from "../../../console/texts"
import { columnsOf } from "./columns"
import { EditApiKey } from "./edit"
import { Expiry } from "./expiry"
import type { IssuedKey } from "./issued-key"
import { NewApiKey } from "./new"
import { ApiKeyShown } from "./shown"
import { useUserNames } from "./user-names"

export default function ApiKeys() {
  const me = useMe()
  const isAdmin = useMay()("administration", "admin")
  const names = useUserNames(isAdmin)
  const { open, setOpen, show, close } = useDialogs()
  const nameOf = (id: string) =>
    id === me.id ? t(($) => $.common.you, { name: me.name }) : (names.get(id) ?? id)
  return (
    <>
      <RecordList
        kind="api-keys"
        title={t(($) => $.kinds["api-keys"].title)}
        columns={columnsOf(isAdmin ? nameOf : null)}
        phone={{ title: "name", amount: expiryOf, line: ["scopes", "prefix"] }}
        filters={isAdmin ? [ownerFilter(names), expiryFilter] : [expiryFilter]}
        nameOf={({ name }) => name}
        onOpen={(record) => setOpen({ view: "edit", record })}
        create={{ label: t(($) => $.apiKeys.new), onClick: () => setOpen({ view: "new" }) }}
        intro={t(($) => $.apiKeys.intro)}
      />
      {open?.view === "new" && <NewApiKey onCreated={show} onClose={close} />}
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

const expiryOf = ({ expiresAt }: ApiKey) =>
  expiresAt === null ? t(($) => $.apiKeys.noExpiry) : <Expiry expiresAt={expiresAt} />

const expiryFilter: Filter = { key: "expiresAt", label: t(($) => $.common.expires), isDate: true }

const ownerFilter = (names: ReadonlyMap<string, string>): Filter => ({
  key: "user",
  label: t(($) => $.apiKeys.owner),
  options: [...names].map(([value, label]) => ({ value, label })),
})

type Open = { view: "new" } | { view: "edit"; record: ApiKey } | { view: "shown"; issued: IssuedKey }

/** Which dialog is open. After a key is created or rotated, its text is shown. */
function useDialogs() {
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const show = (issued: IssuedKey) => {
    // Remove the secret text from the query cache. Only the dialog may keep it.
    client.removeQueries({ queryKey: ["api-keys", issued.id] })
    if (issued.key) return setOpen({ view: "shown", issued })
    // The first response was lost, and the response to a repeated request does not contain the secret.
    close()
    notifications.show({
      title: t(($) => $.apiKeys.notReceived, { name: issued.name }),
      message: t(($) => $.apiKeys.notReceivedText),
      color: "yellow",
      autoClose: false,
    })
  }
  return { open, setOpen, show, close }
}
