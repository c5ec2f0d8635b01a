import { Anchor, Button, Group, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { Link } from "wouter"
import { call, messageOf } from "../../api/client"
import { useChange } from "../../api/hooks"
import type { OAuthClient } from "../../api/types"
import { moment, words } from "../../format"
import { useRecordForm } from "../../forms/use-record-form"
import { useIntentions } from "../../forms/intentions"
import { confirm } from "../../parts/confirm"
import { Facts } from "../../parts/facts"
import { FormDialog } from "../../parts/form-dialog"
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
      notifications.show({ message: `${name} was saved.`, color: "teal" })
      onClose()
    },
  })
  return (
    <FormDialog
      title={record.name}
      state={state}
      submit="Save"
      onClose={onClose}
      actions={<RotateAndDelete record={record} onRotated={onRotated} onRemoved={onClose} />}
    >
      <Fixed record={record} />
      <ClientName form={state.form} />
      <ClientAccess form={state.form} />
      <Text size="sm">
        If you remove a scope, the client loses it immediately for every user who has connected it.
      </Text>
      <OAuthAddresses />
    </FormDialog>
  )
}

/** The read-only fields. */
const Fixed = ({ record }: { record: OAuthClient }) => (
  <Facts
    of={[
      { label: "Client ID", value: <CopyCode label="client ID" value={record.clientId} /> },
      { label: "Type", value: words(record.type) },
      { label: "Created", value: moment(record.createdAt) },
      {
        label: "Audit log",
        value: (
          <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} inherit>
            Activity of this client
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
    const text =
      "This creates a new secret. The current secret stops working immediately. Connected users stay connected."
    if (await confirm({ title: `Rotate the secret of ${name}?`, text, action: "Rotate" }))
      rotate.mutate(intentions.of({ path, version }), { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRemove = async () => {
    const text =
      "Its tokens stop working immediately for all connected users, and nobody can connect it again. This cannot be undone."
    if (!(await confirm({ title: `Delete ${name}?`, text, action: "Delete" }))) return
    const onSuccess = () => {
      notifications.show({ message: `${name} was deleted.`, color: "teal" })
      onRemoved()
    }
    remove.mutate(undefined, { onSuccess, onError })
  }

  return (
    <Group gap="sm" ml="auto">
      {record.type === "confidential" && (
        <Button variant="light" loading={rotate.isPending} onClick={askAndRotate}>
          Rotate secret
        </Button>
      )}
      <Button variant="default" loading={remove.isPending} onClick={askAndRemove}>
        Delete
      </Button>
    </Group>
  )
}
