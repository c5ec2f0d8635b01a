import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { OAuthClient } from "../../api/types"
import { moment, words } from "../../format"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { AdminOnly } from "../../parts/admin-only"
import { ScopeBadges } from "../../parts/scope-badges"
import { CopyCode } from "./copy-code"
import { EditOAuthClient } from "./edit"
import type { IssuedClient } from "./fields"
import { NewOAuthClient } from "./new"
import { OAuthClientShown } from "./shown"

const filters = [
  {
    key: "type",
    label: "Type",
    options: [
      { value: "confidential", label: "Confidential" },
      { value: "public", label: "Public" },
    ],
  },
]

const columns: Column<OAuthClient>[] = [
  { key: "name", title: "Name", show: ({ name }) => name },
  {
    key: "clientId",
    title: "Client ID",
    sorts: false,
    show: ({ name, clientId }) => <CopyCode label={`client ID of ${name}`} value={clientId} />,
  },
  { key: "type", title: "Type", show: ({ type }) => words(type) },
  { key: "scopes", title: "Scopes", sorts: false, show: ({ scopes }) => <ScopeBadges of={scopes} /> },
  {
    key: "redirectUris",
    title: "Redirect URIs",
    sorts: false,
    show: ({ redirectUris }) => redirectUris.join(", "),
  },
  { key: "createdAt", title: "Created", show: ({ createdAt }) => moment(createdAt) },
  { key: "updatedAt", title: "Updated", isExtra: true, show: ({ updatedAt }) => moment(updatedAt) },
]

type Open = { view: "new" } | { view: "edit"; record: OAuthClient } | { view: "shown"; issued: IssuedClient }

export default function OAuthClients() {
  return (
    <AdminOnly title="OAuth clients">
      <ClientList />
    </AdminOnly>
  )
}

function ClientList() {
  const client = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)

  const show = (issued: IssuedClient) => {
    // Remove the secret from the query cache. Only the dialog may keep it.
    client.removeQueries({ queryKey: ["oauth-clients", issued.id] })
    if (issued.clientSecret || issued.type === "public") return setOpen({ view: "shown", issued })
    // The first response was lost, and the response to a repeated request does not contain the secret.
    close()
    notifications.show({
      title: `${issued.name} was saved, but its secret was not received`,
      message: "Open it and rotate its secret.",
      color: "yellow",
      autoClose: false,
    })
  }

  return (
    <>
      <RecordList
        kind="oauth-clients"
        title="OAuth clients"
        noun="OAuth client"
        columns={columns}
        phone={{ title: "name", amount: ({ type }) => words(type), line: ["redirectUris", "createdAt"] }}
        filters={filters}
        nameOf={({ name }) => name}
        onOpen={(record) => setOpen({ view: "edit", record })}
        create={{ label: "New OAuth client", onClick: () => setOpen({ view: "new" }) }}
        intro="Register an app here so that users can connect it. Connected apps act for users without knowing their password."
      />
      {open?.view === "new" && <NewOAuthClient onCreated={show} onClose={close} />}
      {open?.view === "edit" && (
        <EditOAuthClient key={open.record.id} record={open.record} onRotated={show} onClose={close} />
      )}
      {open?.view === "shown" && <OAuthClientShown issued={open.issued} onClose={close} />}
    </>
  )
}
