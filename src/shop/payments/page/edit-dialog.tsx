import { Textarea } from "@mantine/core"
import type { Payment } from "../../../console/api/types"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { HowPaid } from "./payment-fields"
import { t } from "./texts"

type Props = { payment: Payment; name: string; onClose: () => void }

/** Edits what the books do not depend on. */
export function EditDialog({ payment, name, onClose }: Props) {
  const state = useRecordForm({
    kind: "payments",
    record: payment,
    valuesOf: (from) => ({
      method: from?.method ?? "",
      reference: from?.reference ?? "",
      notes: from?.notes ?? "",
    }),
    onSaved: () => {
      tellDone(common(($) => $.common.saved, { name }))
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.editPayment)}
      state={state}
      submit={common(($) => $.common.save)}
      onClose={onClose}
      size="md"
    >
      <HowPaid getInputProps={form.getInputProps} />
      <Textarea
        label={common(($) => $.fields.notes)}
        autosize
        minRows={3}
        maxRows={12}
        {...form.getInputProps("notes")}
      />
    </FormDialog>
  )
}
