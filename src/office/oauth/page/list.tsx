import { notifications } from "@mantine/notifications"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { OAuthClient, User } from "../../../console/api/types"
import { moment } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import type { PhoneLines } from "../../../console/lists/list-body"
import { RecordList } from "../../../console/lists/record-list"
import { AdminOnly, Facts, Loaded } from "../../../console/parts/page"
import { ScopeBadges } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { CopyCode } from "./copy-code"
import { Anchor, Button, Checkbox, Group, Modal, Radio, Select, Stack, Text, TextInput } from "@mantine/core"
import { useIntentions, useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog, useRestoreFocus } from "../../../console/parts/form-dialog"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { Link } from "wouter"
import { call, messageOf } from "../../../console/api/client"
import { useChange, useRead } from "../../../console/api/hooks"
import { confirm } from "../../../console/parts/confirm"
import type { UseFormReturnType } from "@mantine/form"
import { scopes } from "../../../shared/rights"
import { TagsField } from "../../../console/forms/search-select"
import { assertOk, send } from "../../../console/api/send"

const filters = [
  {
    key: "type",
    label: common(($) => $.common.type),
    options: [
      { value: "confidential", label: common(($) => $.values.clientType.confidential) },
      { value: "public", label: common(($) => $.values.clientType.public) },
    ],
  },
]

const columns: Column<OAuthClient>[] = [
  { key: "name", title: common(($) => $.common.name), show: ({ name }) => name },
  {
    key: "clientId",
    title: t(($) => $.oauthClients.clientId),
    sorts: false,
    show: ({ name, clientId }) => (
      <CopyCode copy={t(($) => $.oauthClients.copyClientIdOf, { name })} value={clientId} />
    ),
  },
  {
    key: "type",
    title: common(($) => $.common.type),
    show: ({ type }) => common(($) => $.values.clientType[type]),
  },
  {
    key: "scopes",
    title: common(($) => $.common.scopes),
    sorts: false,
    show: ({ scopes }) => <ScopeBadges of={scopes} />,
  },
  {
    key: "redirectUris",
    title: t(($) => $.oauthClients.redirectUris),
    sorts: false,
    show: ({ redirectUris }) => redirectUris.join(", "),
  },
  { key: "createdAt", title: common(($) => $.common.created), show: ({ createdAt }) => moment(createdAt) },
  {
    key: "updatedAt",
    title: common(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

type Open = { view: "new" } | { view: "edit"; record: OAuthClient } | { view: "shown"; issued: IssuedClient }

export default function OAuthClients() {
  return (
    <AdminOnly title={common(($) => $.kinds["oauth-clients"].title)}>
      <ClientList />
    </AdminOnly>
  )
}

const phone: PhoneLines<OAuthClient> = {
  title: "name",
  amount: ({ type }) => common(($) => $.values.clientType[type]),
  line: ["redirectUris", "createdAt"],
}

function ClientList() {
  const { open, setOpen, show, close } = useDialogs()
  return (
    <>
      <RecordList
        kind="oauth-clients"
        title={common(($) => $.kinds["oauth-clients"].title)}
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

type Props = { onCreated: (issued: IssuedClient) => void; onClose: () => void }

function NewOAuthClient({ onCreated, onClose }: Props) {
  const state = useRecordForm({
    kind: "oauth-clients",
    record: null,
    valuesOf: clientValuesOf,
    onSaved: onCreated,
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.oauthClients.new)}
      state={state}
      submit={t(($) => $.oauthClients.create)}
      onClose={onClose}
    >
      <ClientName form={form} />
      <Radio.Group
        label={common(($) => $.common.type)}
        description={t(($) => $.oauthClients.typeHint)}
        required
        {...form.getInputProps("type")}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="confidential"
            label={common(($) => $.values.clientType.confidential)}
            description={common(($) => $.values.clientTypeMeaning.confidential)}
          />
          <Radio
            value="public"
            label={common(($) => $.values.clientType.public)}
            description={common(($) => $.values.clientTypeMeaning.public)}
          />
        </Stack>
      </Radio.Group>
      <ClientAccess form={form} />
    </FormDialog>
  )
}

type OAuthClientShownProps = { issued: IssuedClient; onClose: () => void }

/** The credentials and endpoints for the developer of a client. A secret is shown only once. */
const OAuthClientShown = (props: OAuthClientShownProps) =>
  props.issued.clientSecret ? (
    <ShownOnce
      title={t(($) => $.oauthClients.credentialsFor, { name: props.issued.name })}
      warning={t(($) => $.oauthClients.storeSecret)}
      done={t(($) => $.oauthClients.secretStored)}
      onClose={props.onClose}
    >
      <CopyField
        label={t(($) => $.oauthClients.clientId)}
        copy={t(($) => $.oauthClients.copyClientId)}
        value={props.issued.clientId}
      />
      <CopyField
        label={t(($) => $.oauthClients.clientSecret)}
        copy={t(($) => $.oauthClients.copyClientSecret)}
        value={props.issued.clientSecret}
        autoFocus
      />
      <OAuthAddresses />
    </ShownOnce>
  ) : (
    <WithoutSecret {...props} />
  )

function WithoutSecret({ issued, onClose }: OAuthClientShownProps) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(($) => $.oauthClients.credentialsFor, { name: issued.name })}
      size="lg"
    >
      <Stack>
        <CopyField
          label={t(($) => $.oauthClients.clientId)}
          copy={t(($) => $.oauthClients.copyClientId)}
          value={issued.clientId}
          autoFocus
        />
        <Text size="sm">{t(($) => $.oauthClients.noSecret)}</Text>
        <OAuthAddresses />
        <Group justify="flex-end">
          <Button onClick={onClose}>{common(($) => $.common.done)}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type EditOAuthClientProps = {
  record: OAuthClient
  onRotated: (issued: IssuedClient) => void
  onClose: () => void
}

/**
 * The dialog of a client: the fields to update, the read-only fields, and the actions to rotate its secret and delete
 * it.
 */
function EditOAuthClient({ record, onRotated, onClose }: EditOAuthClientProps) {
  const state = useRecordForm({
    kind: "oauth-clients",
    record,
    valuesOf: clientValuesOf,
    onSaved: ({ name }) => {
      notifications.show({ message: common(($) => $.common.saved, { name }), color: "teal" })
      onClose()
    },
  })
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit={common(($) => $.common.save)}
      onClose={onClose}
      actions={<RotateAndDelete record={record} onRotated={onRotated} onRemoved={onClose} />}
    >
      <Fixed record={record} />
      <ClientName form={state.form} />
      <ClientAccess form={state.form} />
      {record.type === "confidential" && <ActsAs form={state.form} />}
      <Text size="sm">{t(($) => $.oauthClients.scopesWarning)}</Text>
      <OAuthAddresses />
    </FormDialog>
  )
}

/** The read-only fields. */
const Fixed = ({ record }: { record: OAuthClient }) => (
  <Facts
    of={[
      {
        label: t(($) => $.oauthClients.clientId),
        value: <CopyCode copy={t(($) => $.oauthClients.copyClientId)} value={record.clientId} />,
      },
      { label: common(($) => $.common.type), value: common(($) => $.values.clientType[record.type]) },
      { label: common(($) => $.common.created), value: moment(record.createdAt) },
      {
        label: common(($) => $.kinds["audit-logs"].title),
        value: (
          <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} inherit>
            {t(($) => $.oauthClients.activity)}
          </Anchor>
        ),
      },
    ]}
  />
)

type RotateAndDeleteProps = {
  record: OAuthClient
  onRotated: (issued: IssuedClient) => void
  onRemoved: () => void
}

function RotateAndDelete({ record, onRotated, onRemoved }: RotateAndDeleteProps) {
  const intentions = useIntentions()
  const { name, version } = record
  const path = `/oauth-clients/${record.id}`
  const rotate = useChange((idempotencyKey: string) =>
    call<IssuedClient>("POST", `${path}/rotate`, { version, idempotencyKey }),
  )
  const remove = useChange(() => call("DELETE", path, { version }))
  const onError = (error: unknown) => notifications.show({ message: messageOf(error), color: "red" })

  const askAndRotate = async () => {
    const title = t(($) => $.oauthClients.confirmRotate, { name })
    const text = t(($) => $.oauthClients.confirmRotateText)
    if (await confirm({ title, text, action: common(($) => $.common.rotate) }))
      rotate.mutate(intentions.of({ path, version }), { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRemove = async () => {
    const title = common(($) => $.parts.confirmDelete, { name })
    const text = t(($) => $.oauthClients.confirmDeleteText)
    if (!(await confirm({ title, text, action: common(($) => $.common.delete) }))) return
    const onSuccess = () => {
      notifications.show({ message: t(($) => $.oauthClients.deleted, { name }), color: "teal" })
      onRemoved()
    }
    remove.mutate(undefined, { onSuccess, onError })
  }

  return (
    <Group gap="sm" ml="auto">
      {record.type === "confidential" && (
        <Button variant="light" loading={rotate.isPending} onClick={askAndRotate}>
          {t(($) => $.oauthClients.rotateSecret)}
        </Button>
      )}
      <Button variant="default" loading={remove.isPending} onClick={askAndRemove}>
        {common(($) => $.common.delete)}
      </Button>
    </Group>
  )
}

/** A client with its secret. Only the response that creates the client or rotates its secret contains it. */
type IssuedClient = OAuthClient & { clientSecret?: string }

const clientValuesOf = (client: OAuthClient | null) => ({
  name: client?.name ?? "",
  type: client?.type ?? "confidential",
  redirectUris: client?.redirectUris ?? [],
  scopes: client?.scopes ?? ["read"],
  actsAs: client?.actsAs ?? "",
})

type Form = UseFormReturnType<ReturnType<typeof clientValuesOf>>

const ClientName = ({ form }: { form: Form }) => (
  <TextInput
    label={common(($) => $.common.name)}
    description={t(($) => $.oauthClients.nameHint)}
    required
    maxLength={100}
    data-autofocus
    {...form.getInputProps("name")}
  />
)

/** As whom the client acts without asking anybody. */
function ActsAs({ form }: { form: Form }) {
  const users = useRead<User[]>("/users?isActive=true&sort=name&order=asc&perPage=100")
  return (
    <Select
      label={t(($) => $.oauthClients.actsAs)}
      description={t(($) => $.oauthClients.actsAsHint)}
      data={(users.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
      clearable
      {...form.getInputProps("actsAs")}
      onChange={(value) => form.setFieldValue("actsAs", value ?? "")}
    />
  )
}

/** The redirect URIs and scopes of a client. */
const ClientAccess = ({ form }: { form: Form }) => (
  <>
    <TagsField
      form={form}
      name="redirectUris"
      label={t(($) => $.oauthClients.redirectUris)}
      required
      description={t(($) => $.oauthClients.redirectUrisHint)}
    />
    <Checkbox.Group
      label={common(($) => $.common.scopes)}
      description={t(($) => $.oauthClients.scopesHint)}
      required
      {...form.getInputProps("scopes")}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={common(($) => $.values.scope[scope])}
            description={common(($) => $.values.scopeMeaning[scope])}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
)

const place = "/.well-known/oauth-authorization-server"

type Metadata = {
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
  introspection_endpoint: string
}

/** The endpoints that the developer of a client needs, from the OAuth metadata of the server. */
function OAuthAddresses() {
  const query = useQuery({
    queryKey: ["read", place],
    queryFn: async () => (await (await assertOk(await send("GET", place, {}))).json()) as Metadata,
  })
  return (
    <Loaded query={query}>
      {(found) => (
        <div>
          <Text size="sm" mb="xs">
            {t(($) => $.oauthClients.endpoints)}
          </Text>
          <Facts
            columns={1}
            of={endpointsOf(found).map(({ label, copy, value }) => ({
              label,
              value: <CopyCode copy={copy} value={value} />,
            }))}
          />
        </div>
      )}
    </Loaded>
  )
}

const endpointsOf = (found: Metadata) => [
  {
    label: t(($) => $.oauthClients.authorization),
    copy: t(($) => $.oauthClients.copyAuthorization),
    value: found.authorization_endpoint,
  },
  {
    label: t(($) => $.oauthClients.token),
    copy: t(($) => $.oauthClients.copyToken),
    value: found.token_endpoint,
  },
  {
    label: t(($) => $.oauthClients.revocation),
    copy: t(($) => $.oauthClients.copyRevocation),
    value: found.revocation_endpoint,
  },
  {
    label: t(($) => $.oauthClients.introspection),
    copy: t(($) => $.oauthClients.copyIntrospection),
    value: found.introspection_endpoint,
  },
  {
    label: t(($) => $.oauthClients.metadata),
    copy: t(($) => $.oauthClients.copyMetadata),
    value: location.origin + place,
  },
]
