import { Anchor, Button, Group, Select, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { ComponentProps } from "react"
import { Link } from "wouter"
import { call, messageOf } from "../../api/client"
import { useChange, useMay, useMe } from "../../api/hooks"
import type { ApiKey } from "../../api/types"
import { moment } from "../../format"
import { useRecordForm } from "../../forms/use-record-form"
import { useIntentions } from "../../forms/intentions"
import { confirm } from "../../parts/confirm"
import { Facts } from "../../parts/facts"
import { FormDialog } from "../../parts/form-dialog"
import { planChoices } from "../../parts/plan-choices"
import { AllowedIps } from "./allowed-ips"
import { Expiry, hasExpired } from "./expiry"
import { lastUse, type IssuedKey } from "./issued-key"

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
export function EditApiKey({ record, owner, onRotated, onClose }: Props) {
  const isAdmin = useMay()("administration", "admin")
  const state = useRecordForm({
    kind: "api-keys",
    record,
    valuesOf,
    onSaved: ({ name }) => {
      notifications.show({ message: `${name} was saved.`, color: "teal" })
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit="Save"
      onClose={onClose}
      actions={<RotateAndRevoke record={record} onRotated={onRotated} onRevoked={onClose} />}
    >
      <Fixed record={record} owner={owner} />
      {isAdmin && (
        <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} size="sm">
          Activity of this key
        </Anchor>
      )}
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps("name")} />
      <AllowedIps form={form} />
      <PlanSelect record={record} isAdmin={isAdmin} {...form.getInputProps("plan")} />
      {hasExpired(record.expiresAt) && (
        <Text size="sm">This key has expired and can no longer be rotated. Create a new key instead.</Text>
      )}
    </FormDialog>
  )
}

/** The read-only fields. */
const Fixed = ({ record, owner }: Pick<Props, "record" | "owner">) => (
  <Facts
    of={[
      { label: "Prefix", value: <code>{record.prefix}</code> },
      { label: "Scopes", value: record.scopes.join(", ") },
      { label: "Expires", value: <Expiry expiresAt={record.expiresAt} /> },
      { label: "Owner", value: owner },
      { label: "Last used", value: lastUse(record) },
      { label: "Created", value: moment(record.createdAt) },
    ]}
  />
)

type PlanProps = ComponentProps<typeof Select> & { record: ApiKey; isAdmin: boolean }

function PlanSelect({ record, isAdmin, ...input }: PlanProps) {
  const me = useMe()
  return (
    <Select
      label="Plan"
      description={isAdmin ? undefined : "Only admins can choose a larger plan."}
      data={planChoices({
        inherited: { label: record.user === me.id ? "Same as mine" : "Same as owner", plan: me.plan },
        before: record.plan ?? me.plan,
        isAdmin,
      })}
      allowDeselect={false}
      {...input}
    />
  )
}

type RotateAndRevokeProps = { record: ApiKey; onRotated: (issued: IssuedKey) => void; onRevoked: () => void }

function RotateAndRevoke({ record, onRotated, onRevoked }: RotateAndRevokeProps) {
  const intentions = useIntentions()
  const path = `/api-keys/${record.id}`
  const idempotencyKey = () => intentions.of({ path, version: record.version })
  const rotate = useChange(() =>
    call<IssuedKey>("POST", `${path}/rotate`, { version: record.version, idempotencyKey: idempotencyKey() }),
  )
  const revoke = useChange(() => call("DELETE", path))
  const onError = (error: unknown) => notifications.show({ message: messageOf(error), color: "red" })

  const askAndRotate = async () => {
    const text =
      "This creates a new key. The current key stops working immediately, so replace it everywhere it is used."
    if (await confirm({ title: `Rotate ${record.name}?`, text, action: "Rotate" }))
      rotate.mutate(undefined, { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRevoke = async () => {
    const text = "Requests with this key fail immediately. This cannot be undone."
    if (!(await confirm({ title: `Revoke ${record.name}?`, text, action: "Revoke" }))) return
    const onSuccess = () => {
      notifications.show({ message: `${record.name} was revoked.`, color: "teal" })
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
        Rotate
      </Button>
      <Button variant="default" loading={revoke.isPending} onClick={askAndRevoke}>
        Revoke
      </Button>
    </Group>
  )
}
