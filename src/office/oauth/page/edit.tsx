import { Anchor, Button, Group, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { Link } from "wouter"
import { call, messageOf } from "../../../console/api/client"
import { useChange } from "../../../console/api/hooks"
import type { OAuthClient } from "../../../console/api/types"
import { moment } from "../../../console/format"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { useIntentions } from "../../../console/forms/intentions"
import { confirm } from "../../../console/parts/confirm"
import { Facts } from "../../../console/parts/facts"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { OAuthAddresses } from "./addresses"
import { CopyCode } from "./copy-code"
import { ClientName, ClientAccess, clientValuesOf, type IssuedClient } from "./fields"

type Props = { record: OAuthClient; onRotated: (issued: IssuedClient) => void; onClose: () => void }

/**
 * The dialog of a client: the fields to update, the read-only fields, and the actions to rotate its secret and delete
 * it.
 */
export function EditOAuthClient({ record, onRotated, onClose }: Props) {
  const state = useRecordForm({
    kind: "oauth-clients",
    record,
    valuesOf: clientValuesOf,
    onSaved: ({ name }) => {
      notifications.show({ message: t(($) => $.common.saved, { name }), color: "teal" })
      onClose()
    },
  })
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit={t(($) => $.common.save)}
      onClose={onClose}
      actions={<RotateAndDelete record={record} onRotated={onRotated} onRemoved={onClose} />}
    >
      <Fixed record={record} />
      <ClientName form={state.form} />
      <ClientAccess form={state.form} />
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
      { label: t(($) => $.common.type), value: t(($) => $.values.clientType[record.type]) },
      { label: t(($) => $.common.created), value: moment(record.createdAt) },
      {
        label: t(($) => $.kinds["audit-logs"].title),
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
    if (await confirm({ title, text, action: t(($) => $.common.rotate) }))
      rotate.mutate(intentions.of({ path, version }), { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRemove = async () => {
    const title = t(($) => $.parts.confirmDelete, { name })
    const text = t(($) => $.oauthClients.confirmDeleteText)
    if (!(await confirm({ title, text, action: t(($) => $.common.delete) }))) return
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
        {t(($) => $.common.delete)}
      </Button>
    </Group>
  )
}
