import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { OAuthClient } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import type { PhoneLines } from "../../../console/lists/list-cells"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly } from "../../../console/parts/admin-only"
import { ScopeBadges } from "../../../console/parts/scope-badges"
import { t } from "../../../console/texts"
import { CopyCode } from "./copy-code"
import { EditOAuthClient } from "./edit"
import type { IssuedClient } from "./fields"
import { NewOAuthClient } from "./new"
import { OAuthClientShown } from "./shown"

const filters = [
  {
    key: "type",
    label: t(($) => $.common.type),
    options: [
      { value: "confidential", label: t(($) => $.values.clientType.confidential) },
      { value: "public", label: t(($) => $.values.clientType.public) },
    ],
  },
]

const columns: Column<OAuthClient>[] = [
  { key: "name", title: t(($) => $.common.name), show: ({ name }) => name },
  {
    key: "clientId",
    title: t(($) => $.oauthClients.clientId),
    sorts: false,
    show: ({ name, clientId }) => (
      <CopyCode copy={t(($) => $.oauthClients.copyClientIdOf, { name })} value={clientId} />
    ),
  },
  { key: "type", title: t(($) => $.common.type), show: ({ type }) => t(($) => $.values.clientType[type]) },
  {
    key: "scopes",
    title: t(($) => $.common.scopes),
    sorts: false,
    show: ({ scopes }) => <ScopeBadges of={scopes} />,
  },
  {
    key: "redirectUris",
    title: t(($) => $.oauthClients.redirectUris),
    sorts: false,
    show: ({ redirectUris }) => redirectUris.join(", "),
  },
  { key: "createdAt", title: t(($) => $.common.created), show: ({ createdAt }) => moment(createdAt) },
  {
    key: "updatedAt",
    title: t(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

type Open = { view: "new" } | { view: "edit"; record: OAuthClient } | { view: "shown"; issued: IssuedClient }

export default function OAuthClients() {
  return (
    <AdminOnly title={t(($) => $.kinds["oauth-clients"].title)}>
      <ClientList />
    </AdminOnly>
  )
}

const phone: PhoneLines<OAuthClient> = {
  title: "name",
  amount: ({ type }) => t(($) => $.values.clientType[type]),
  line: ["redirectUris", "createdAt"],
}

function ClientList() {
  const { open, setOpen, show, close } = useDialogs()
  return (
    <>
      <RecordList
        kind="oauth-clients"
        title={t(($) => $.kinds["oauth-clients"].title)}
        columns={columns}
        phone={phone}
        filters={filters}
        nameOf={({ name }) => name}
        onOpen={(record) => setOpen({ view: "edit", record })}
        create={{ label: t(($) => $.oauthClients.new), onClick: () => setOpen({ view: "new" }) }}
        intro={t(($) => $.oauthClients.intro)}
      />
      {open?.view === "new" && <NewOAuthClient onCreated={show} onClose={close} />}
      {open?.view === "edit" && (
        <EditOAuthClient key={open.record.id} record={open.record} onRotated={show} onClose={close} />
      )}
      {open?.view === "shown" && <OAuthClientShown issued={open.issued} onClose={close} />}
    </>
  )
}

/** Which dialog is open. After a client is created or its secret is rotated, its credentials are shown. */
function useDialogs() {
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
      title: t(($) => $.oauthClients.notReceived, { name: issued.name }),
      message: t(($) => $.oauthClients.notReceivedText),
      color: "yellow",
      autoClose: false,
    })
  }
  return { open, setOpen, show, close }
}
