import { Paper, Textarea } from "@mantine/core"
import { useMay } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

const valuesOf = (note: CreditNote | null) => ({ notes: note?.notes ?? "" })

/** The notes of a credit note, the only field that can be updated. */
export function CreditNoteNotes({ note }: { note: CreditNote }) {
  const may = useMay()
  const state = useRecordForm({
    kind: "credit-notes",
    record: note,
    valuesOf,
    onSaved: ({ creditNoteNumber }) => tellDone(t(($) => $.common.saved, { name: creditNoteNumber })),
  })
  const { form } = state
  const isReadOnly = !may("invoices", "write")
  return (
    <Paper withBorder p="md">
      <RecordForm state={state} isReadOnly={isReadOnly} isMain={form.isDirty()}>
        <Textarea
          label={t(($) => $.fields.notes)}
          description={isReadOnly ? undefined : t(($) => $.documents.filesKeepValue)}
          autosize
          minRows={2}
          maxRows={12}
          {...form.getInputProps("notes")}
        />
      </RecordForm>
    </Paper>
  )
}
