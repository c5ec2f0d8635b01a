import { Paper, Textarea } from "@mantine/core"
import { useMay } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { DayInput } from "../../../console/forms/day-input"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

const valuesOf = (invoice: Invoice | null) => ({
  dueDate: invoice?.dueDate ?? "",
  notes: invoice?.notes ?? "",
})

/** The only two fields of an issued invoice that can be updated. */
export function InvoiceNotesForm({ invoice }: { invoice: Invoice }) {
  const may = useMay()
  const state = useRecordForm({
    kind: "invoices",
    record: invoice,
    valuesOf,
    onSaved: ({ invoiceNumber }) => tellDone(t(($) => $.common.saved, { name: invoiceNumber ?? "" })),
  })
  const { form } = state
  const isReadOnly = !may("invoices", "write") || invoice.status === "cancelled"
  const hint = isReadOnly || invoice.isOpening ? undefined : t(($) => $.documents.filesKeepValue)
  return (
    <Paper withBorder p="md">
      <RecordForm state={state} isReadOnly={isReadOnly} isMain={form.isDirty()}>
        <DayInput
          label={t(($) => $.fields.dueDate)}
          description={hint}
          w={{ base: "100%", xs: 360 }}
          required
          {...form.getInputProps("dueDate")}
        />
        <Textarea
          label={t(($) => $.fields.notes)}
          description={hint}
          autosize
          minRows={2}
          maxRows={12}
          {...form.getInputProps("notes")}
        />
      </RecordForm>
    </Paper>
  )
}
