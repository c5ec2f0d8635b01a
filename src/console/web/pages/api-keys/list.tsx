import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useMay, useMe } from "../../api/hooks"
import type { ApiKey } from "../../api/types"
import type { Filter } from "../../lists/filters"
import { RecordList } from "../../lists/record-list"
import { columnsOf } from "./columns"
import { EditApiKey } from "./edit"
import type { IssuedKey } from "./issued-key"
import { NewApiKey } from "./new"
import { ApiKeyShown } from "./shown"
import { useUserNames } from "./user-names"

export default function ApiKeys() {
  const me = useMe()
  const isAdmin = useMay()("administration", "admin")
  const names = useUserNames(isAdmin)
  const { open, setOpen, show, close } = useDialogs()
  const nameOf = (id: string) => (id === me.id ? `${me.name} (me)` : (names.get(id) ?? id))
  return (
    <>
      <RecordList
        kind="api-keys"
        title="API keys"
        noun="API key"
        columns={columnsOf(isAdmin ? nameOf : null)}
        filters={isAdmin ? [ownerFilter(names), expiryFilter] : [expiryFilter]}
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

const expiryFilter: Filter = { key: "expiresAt", label: "Expires", isDate: true }

const ownerFilter = (names: ReadonlyMap<string, string>): Filter => ({
  key: "user",
  label: "Owner",
  options: [...names].map(([value, label]) => ({ value, label })),
})

type Open = { view: "new" } | { view: "edit"; record: ApiKey } | { view: "shown"; issued: IssuedKey }

/** Which dialog is open. A key that was made or rotated is shown with its text. */
function useDialogs() {
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const show = (issued: IssuedKey) => {
    // Only the dialog may keep the text.
    client.removeQueries({ queryKey: ["api-keys", issued.id] })
    if (issued.key) return setOpen({ view: "shown", issued })
    // The first answer was lost, and the answer to a repeated request has no secret.
    close()
    notifications.show({
      title: `${issued.name} was made, but its text got lost on the way`,
      message: "Open it and rotate it: that gives it a new text.",
      color: "yellow",
      autoClose: false,
    })
  }
  return { open, setOpen, show, close }
}
