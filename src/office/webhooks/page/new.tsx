import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { t } from "../../../console/texts"
import { WebhookFields, webhookValuesOf, type IssuedWebhook } from "./fields"

type Props = { onCreated: (issued: IssuedWebhook) => void; onClose: () => void }

export function NewWebhook({ onCreated, onClose }: Props) {
  const state = useRecordForm({
    kind: "webhooks",
    record: null,
    valuesOf: webhookValuesOf,
    onSaved: onCreated,
  })
  return (
    <FormDialog
      title={t(($) => $.webhooks.new)}
      state={state}
      submit={t(($) => $.webhooks.create)}
      onClose={onClose}
      size="xl"
    >
      <WebhookFields form={state.form} isNew />
    </FormDialog>
  )
}
