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
import { ClientName, ClientReach, clientValuesOf, type IssuedClient } from "./fields"

type Props = { record: OAuthClient; onRotated: (issued: IssuedClient) => void; onClose: () => void }

/** A client: what of it can be changed, what cannot, and how to give it a new secret or end it. */
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
      actions={<Ends record={record} onRotated={onRotated} onRemoved={onClose} />}
    >
      <Fixed record={record} />
      <ClientName form={state.form} />
      <ClientReach form={state.form} />
      <Text size="sm">
        If you take a scope away, the application loses it at once, for everybody who has connected it.
      </Text>
      <OAuthAddresses />
    </FormDialog>
  )
}

/** What cannot be changed. */
const Fixed = ({ record }: { record: OAuthClient }) => (
  <Facts
    of={[
      { label: "Client id", value: <CopyCode label="client id" value={record.clientId} /> },
      { label: "Type", value: words(record.type) },
      { label: "Created", value: moment(record.createdAt) },
      {
        label: "Audit log",
        value: (
          <Anchor component={Link} href={`/settings/audit?actor=${record.id}`} inherit>
            What this application did
          </Anchor>
        ),
      },
    ]}
  />
)

type EndsProps = {
  record: OAuthClient
  onRotated: (issued: IssuedClient) => void
  onRemoved: () => void
}

function Ends({ record, onRotated, onRemoved }: EndsProps) {
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
      "You get a new secret. The present one stops working at once: put the new one in its place soon. Connected people stay connected."
    if (await confirm({ title: `New secret for ${name}?`, text, action: "Make a new secret" }))
      rotate.mutate(intentions.of({ path, version }), { onSuccess: ({ data }) => onRotated(data), onError })
  }
  const askAndRemove = async () => {
    const text =
      "Its tokens die at once, for everybody who has connected it, and nobody can connect it again. This cannot be taken back."
    if (!(await confirm({ title: `Remove ${name}?`, text, action: "Remove" }))) return
    const onSuccess = () => {
      notifications.show({ message: `${name} was removed.`, color: "teal" })
      onRemoved()
    }
    remove.mutate(undefined, { onSuccess, onError })
  }

  return (
    <Group gap="sm" ml="auto">
      {record.type === "confidential" && (
        <Button variant="light" loading={rotate.isPending} onClick={askAndRotate}>
          New secret
        </Button>
      )}
      <Button variant="light" color="red" loading={remove.isPending} onClick={askAndRemove}>
        Remove
      </Button>
    </Group>
  )
}
