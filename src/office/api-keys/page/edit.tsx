import { Anchor, Button, Group, Select, Text, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import type { ComponentProps } from "react"
import { Link } from "wouter"
import { call, messageOf } from "../../../console/api/client"
import { useChange, useMay, useMe } from "../../../console/api/hooks"
import type { ApiKey } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { useIntentions } from "../../../console/forms/intentions"
import { confirm } from "../../../console/parts/confirm"
import { Facts } from "../../../console/parts/facts"
import { FormDialog } from "../../../console/parts/form-dialog"
import { planChoices } from "../../../console/parts/plan-choices"
import { t } from "../../../console/texts"
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
      notifications.show({ message: t(($) => $.common.saved, { name }), color: "teal" })
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit={t(($) => $.common.save)}
      onClose={onClose}
      actions={<RotateAndRevoke record={record} onRotated={onRotated} onRevoked={onClose} />}
    >
      <Fixed record={record} owner={owner} />
      {isAdmin && (
        <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} size="sm">
          {t(($) => $.audit.keyActivity)}
        </Anchor>
      )}
      <TextInput
        label={t(($) => $.common.name)}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <AllowedIps form={form} />
      <PlanSelect record={record} isAdmin={isAdmin} {...form.getInputProps("plan")} />
      {hasExpired(record.expiresAt) && <Text size="sm">{t(($) => $.apiKeys.hasExpired)}</Text>}
    </FormDialog>
  )
}

/** The read-only fields. */
const Fixed = ({ record, owner }: Pick<Props, "record" | "owner">) => (
  <Facts
    of={[
      { label: t(($) => $.apiKeys.prefix), value: <code>{record.prefix}</code> },
      {
        label: t(($) => $.common.scopes),
        value: record.scopes.map((scope) => t(($) => $.values.scopeBadge[scope])).join(", "),
      },
      { label: t(($) => $.common.expires), value: <Expiry expiresAt={record.expiresAt} /> },
      { label: t(($) => $.apiKeys.owner), value: owner },
      { label: t(($) => $.common.lastUsed), value: lastUse(record) },
      { label: t(($) => $.common.created), value: moment(record.createdAt) },
    ]}
  />
)

type PlanProps = ComponentProps<typeof Select> & { record: ApiKey; isAdmin: boolean }

function PlanSelect({ record, isAdmin, ...input }: PlanProps) {
  const me = useMe()
  return (
    <Select
      label={t(($) => $.common.plan)}
      description={isAdmin ? undefined : t(($) => $.apiKeys.planHint)}
      data={planChoices({
        inherited: {
          label: record.user === me.id ? t(($) => $.apiKeys.sameAsMine) : t(($) => $.apiKeys.sameAsOwner),
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
  title: t(($) => $.apiKeys.confirmRotate, { name }),
  text: t(($) => $.apiKeys.confirmRotateText),
  action: t(($) => $.common.rotate),
})

const revokeQuestion = (name: string) => ({
  title: t(($) => $.apiKeys.confirmRevoke, { name }),
  text: t(($) => $.apiKeys.confirmRevokeText),
  action: t(($) => $.apiKeys.revoke),
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
      notifications.show({ message: t(($) => $.apiKeys.revoked, { name }), color: "teal" })
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
        {t(($) => $.common.rotate)}
      </Button>
      <Button variant="default" loading={revoke.isPending} onClick={askAndRevoke}>
        {t(($) => $.apiKeys.revoke)}
      </Button>
    </Group>
  )
}
