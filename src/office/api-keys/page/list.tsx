import { notifications } from "@mantine/notifications"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ComponentProps, useState } from "react"
import { useChange, useMay, useMe } from "../../../console/api/hooks"
import type { ApiKey, User } from "../../../console/api/types"
import { type Filter, valuesFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { columnsOf } from "./columns"
import { Expiry, hasExpired } from "./expiry"
import { AllowedIps, type IssuedKey, lastUse, NewApiKey } from "./new"
import { call, messageOf } from "../../../console/api/client"
import { Anchor, Button, Group, Select, Text, TextInput } from "@mantine/core"
import { CopyField, ShownOnce } from "../../../console/parts/copy-field"
import { Link } from "wouter"
import { moment } from "../../../console/format"
import { useIntentions, useRecordForm } from "../../../console/forms/use-record-form"
import { confirm } from "../../../console/parts/confirm"
import { Facts } from "../../../console/parts/page"
import { FormDialog } from "../../../console/parts/form-dialog"
import { planChoices } from "../../../console/parts/shown"

export default function ApiKeys() {
  const me = useMe()
  const isAdmin = useMay()("administration", "admin")
  const names = useUserNames(isAdmin)
  const { open, setOpen, show, close } = useDialogs()
  const nameOf = (id: string) =>
    id === me.id ? common(($) => $.common.you, { name: me.name }) : (names.get(id) ?? id)
  return (
    <>
      <RecordList
        kind="api-keys"
        title={common(($) => $.kinds["api-keys"].title)}
        columns={columnsOf(isAdmin ? nameOf : null)}
        phone={{ title: "name", amount: expiryOf, line: ["scopes", "prefix"] }}
        filters={[...(isAdmin ? [ownerFilter(names)] : []), planFilter, expiryFilter]}
        nameOf={({ name }) => name}
        onOpen={(record) => setOpen({ view: "edit", record })}
        create={{ label: t(($) => $.new), onClick: () => setOpen({ view: "new" }) }}
        intro={t(($) => $.intro)}
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
  expiresAt === null ? t(($) => $.noExpiry) : <Expiry expiresAt={expiresAt} />

const planFilter = valuesFilter("api-keys", "plan")
const expiryFilter: Filter = { key: "expiresAt", label: common(($) => $.common.expires), isDate: true }

const ownerFilter = (names: ReadonlyMap<string, string>): Filter => ({
  key: "user",
  label: t(($) => $.owner),
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
      title: t(($) => $.notReceived, { name: issued.name }),
      message: t(($) => $.notReceivedText),
      color: "yellow",
      autoClose: false,
    })
  }
  return { open, setOpen, show, close }
}

/** The names of all users by id, for admins. API keys contain only the id of their owner. */
function useUserNames(isWanted: boolean): ReadonlyMap<string, string> {
  const { data } = useQuery({ queryKey: ["users", "names"], queryFn: readAll, enabled: isWanted })
  return data ?? nobody
}

const nobody: ReadonlyMap<string, string> = new Map()

async function readAll(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  let cursor: string | null = ""
  while (cursor !== null) {
    const query = new URLSearchParams({ perPage: "100", sort: "name", order: "asc", fields: "id,name" })
    if (cursor) query.set("cursor", cursor)
    const { data, meta } = await call<Pick<User, "id" | "name">[]>("GET", `/users?${query}`)
    for (const { id, name } of data) names.set(id, name)
    cursor = meta?.nextCursor ?? null
  }
  return names
}

/** Shows the text of a key once, with an example request. */
const ApiKeyShown = ({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) => (
  <ShownOnce
    title={t(($) => $.keyFor, { name: issued.name })}
    warning={t(($) => $.storeKey)}
    done={t(($) => $.keyStored)}
    onClose={onClose}
  >
    <CopyField label={t(($) => $.key)} copy={t(($) => $.copyKey)} value={issued.key ?? ""} autoFocus />
    <Text size="sm">{t(($) => $.tryIt)}</Text>
    <CopyField
      label={t(($) => $.example)}
      copy={t(($) => $.copyExample)}
      value={curlExample(issued, location.origin)}
      isLong
    />
  </ShownOnce>
)

/** Returns an example request that the scopes of this key allow. */
function curlExample({ key, scopes }: IssuedKey, origin: string): string {
  const begin = `curl -H 'X-API-Key: ${key}'`
  const at = (path: string) => `'${origin}/api/v1${path}'`
  if (scopes.includes("read")) return `${begin} ${at("/items?perPage=5")}`
  if (scopes.includes("write"))
    return `${begin} -H 'Content-Type: application/json' -d '{"name":"A new customer"}' ${at("/customers")}`
  if (scopes.includes("admin")) return `${begin} ${at("/audit-logs?perPage=5")}`
  return `${begin} -X DELETE ${at("/sales-orders/ID-OF-A-DRAFT")}`
}

const valuesOf = (key: ApiKey | null) => ({
  name: key?.name ?? "",
  allowedIps: key?.allowedIps ?? [],
  plan: key?.plan ?? "",
})

type Props = {
  record: ApiKey
  owner: string
  onRotated: (issued: IssuedKey) => void
  onClose: () => void
}

/** The dialog of a key: the fields to update, the read-only fields, and the actions to rotate and revoke it. */
function EditApiKey({ record, owner, onRotated, onClose }: Props) {
  const isAdmin = useMay()("administration", "admin")
  const state = useRecordForm({
    kind: "api-keys",
    record,
    valuesOf,
    onSaved: ({ name }) => {
      notifications.show({ message: common(($) => $.common.saved, { name }), color: "teal" })
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit={common(($) => $.common.save)}
      onClose={onClose}
      actions={<RotateAndRevoke record={record} onRotated={onRotated} onRevoked={onClose} />}
    >
      <Fixed record={record} owner={owner} />
      {isAdmin && (
        <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} size="sm">
          {t(($) => $.activity)}
        </Anchor>
      )}
      <TextInput
        label={common(($) => $.common.name)}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <AllowedIps form={form} />
      <PlanSelect record={record} isAdmin={isAdmin} {...form.getInputProps("plan")} />
      {hasExpired(record.expiresAt) && <Text size="sm">{t(($) => $.hasExpired)}</Text>}
    </FormDialog>
  )
}

/** The read-only fields. */
const Fixed = ({ record, owner }: Pick<Props, "record" | "owner">) => (
  <Facts
    of={[
      { label: t(($) => $.prefix), value: <code>{record.prefix}</code> },
      {
        label: common(($) => $.common.scopes),
        value: record.scopes.map((scope) => common(($) => $.values.scopeBadge[scope])).join(", "),
      },
      {
        label: t(($) => $.areas),
        value:
          record.areas?.map((area) => common(($) => $.values.area[area])).join(", ") ?? t(($) => $.allAreas),
      },
      { label: common(($) => $.common.expires), value: <Expiry expiresAt={record.expiresAt} /> },
      { label: t(($) => $.owner), value: owner },
      { label: common(($) => $.common.lastUsed), value: lastUse(record) },
      { label: common(($) => $.common.created), value: moment(record.createdAt) },
    ]}
  />
)

type PlanProps = ComponentProps<typeof Select> & { record: ApiKey; isAdmin: boolean }

function PlanSelect({ record, isAdmin, ...input }: PlanProps) {
  const me = useMe()
  return (
    <Select
      label={common(($) => $.common.plan)}
      description={isAdmin ? undefined : t(($) => $.planHint)}
      data={planChoices({
        inherited: {
          label: record.user === me.id ? t(($) => $.sameAsMine) : t(($) => $.sameAsOwner),
          plan: me.plan,
        },
        before: record.plan ?? me.plan,
        isAdmin,
      })}
      allowDeselect={false}
      {...input}
    />
  )
}

const rotateQuestion = (name: string) => ({
  title: t(($) => $.confirmRotate, { name }),
  text: t(($) => $.confirmRotateText),
  action: common(($) => $.common.rotate),
})

const revokeQuestion = (name: string) => ({
  title: t(($) => $.confirmRevoke, { name }),
  text: t(($) => $.confirmRevokeText),
  action: t(($) => $.revoke),
})

type RotateAndRevokeProps = { record: ApiKey; onRotated: (issued: IssuedKey) => void; onRevoked: () => void }

function RotateAndRevoke({ record, onRotated, onRevoked }: RotateAndRevokeProps) {
  const intentions = useIntentions()
  const { name } = record
  const path = `/api-keys/${record.id}`
  const idempotencyKey = () => intentions.of({ path, version: record.version })
  const rotate = useChange(() =>
    call<IssuedKey>("POST", `${path}/rotate`, { version: record.version, idempotencyKey: idempotencyKey() }),
  )
  const revoke = useChange(() => call("DELETE", path))
  const onError = (error: unknown) => notifications.show({ message: messageOf(error), color: "red" })

  const askAndRotate = async () => {
    if (await confirm(rotateQuestion(name)))
      rotate.mutate(undefined, { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRevoke = async () => {
    if (!(await confirm(revokeQuestion(name)))) return
    const onSuccess = () => {
      notifications.show({ message: t(($) => $.revoked, { name }), color: "teal" })
      onRevoked()
    }
    revoke.mutate(undefined, { onSuccess, onError })
  }

  return (
    <Group gap="sm" ml="auto">
      <Button
        variant="light"
        loading={rotate.isPending}
        disabled={hasExpired(record.expiresAt)}
        onClick={askAndRotate}
      >
        {common(($) => $.common.rotate)}
      </Button>
      <Button variant="default" loading={revoke.isPending} onClick={askAndRevoke}>
        {t(($) => $.revoke)}
      </Button>
    </Group>
  )
}
