import { Radio, Stack } from "@mantine/core"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
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
    <FormDialog
      title={t(($) => $.oauthClients.new)}
      state={state}
      submit={t(($) => $.oauthClients.create)}
      onClose={onClose}
    >
      <ClientName form={form} />
      <Radio.Group
        label={t(($) => $.common.type)}
        description={t(($) => $.oauthClients.typeHint)}
        required
        {...form.getInputProps("type")}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="confidential"
            label={t(($) => $.values.clientType.confidential)}
            description={t(($) => $.values.clientTypeMeaning.confidential)}
          />
          <Radio
            value="public"
            label={t(($) => $.values.clientType.public)}
            description={t(($) => $.values.clientTypeMeaning.public)}
          />
        </Stack>
      </Radio.Group>
      <ClientAccess form={form} />
    </FormDialog>
  )
}
