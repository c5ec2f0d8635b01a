import { Radio, Stack } from "@mantine/core"
import { useRecordForm } from "../../forms/use-record-form"
import { FormDialog } from "../../parts/form-dialog"
import { ClientName, ClientAccess, clientValuesOf, type IssuedClient } from "./fields"

type Props = { onCreated: (issued: IssuedClient) => void; onClose: () => void }

export function NewOAuthClient({ onCreated, onClose }: Props) {
  const state = useRecordForm({
    kind: "oauth-clients",
    record: null,
    valuesOf: clientValuesOf,
    onSaved: onCreated,
  })
  const { form } = state
  return (
    <FormDialog title="New OAuth client" state={state} submit="Create OAuth client" onClose={onClose}>
      <ClientName form={form} />
      <Radio.Group
        label="Type"
        description="Cannot be changed later"
        required
        {...form.getInputProps("type")}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="confidential"
            label="Confidential"
            description="A server that can keep a secret, such as a web shop. It authenticates with its secret."
          />
          <Radio
            value="public"
            label="Public"
            description="An app on a user's device, such as a phone or a cash register. It has no secret."
          />
        </Stack>
      </Radio.Group>
      <ClientAccess form={form} />
    </FormDialog>
  )
}
