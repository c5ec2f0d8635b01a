import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { useRecord } from "../../console/api/hooks"
import { RecordForm } from "../../console/forms/record-form"
import type { Conflict, RecordFormState } from "../../console/forms/use-record-form"
import { BusyButton } from "../../console/parts/busy-button"
import { t } from "../../console/texts"
import { describeDocument } from "./describe"
import { DocumentFields } from "./document-fields"
import type { DocumentValues, Draft } from "./document-values"
import type { DocumentKind } from "./use-steps"

type Props = {
  kind: DocumentKind
  /** The draft; null for a new document. */
  record: Draft | null
  /** The customer of a new document, if known. */
  customer?: { name: string }
  state: Omit<RecordFormState, "form" | "conflict"> & {
    form: unknown
    conflict: Conflict<Draft> | null
    isFinalizing: boolean
  }
  /** The date inputs. */
  dates: ReactNode
  /** The input of the supply date, if the document has one. */
  supplyDate?: ReactNode
  /** The button that finalizes the document; null if that is not possible. */
  finalize: { label: string; onClick: () => void } | null
}

/** The form of a draft order or invoice. */
export function DraftEditor({ kind, record, customer, state, dates, supplyDate, finalize }: Props) {
  const form = state.form as UseFormReturnType<DocumentValues>
  const { data: typed } = useRecord("customers", form.values.customer)
  const asTyped = { ...form.values, customerName: typed?.name ?? "" }
  return (
    <RecordForm
      state={{ ...state, form }}
      submit={t(($) => $.documents.saveDraft)}
      isMain={!finalize}
      describe={describeDocument(record, state.conflict?.theirs ?? null, asTyped)}
      actions={
        finalize && (
          <BusyButton isBusy={state.isFinalizing} onClick={finalize.onClick}>
            {finalize.label}
          </BusyButton>
        )
      }
    >
      <DocumentFields
        form={form}
        kind={kind}
        record={record}
        customerName={record?.customerName ?? customer?.name ?? ""}
        dates={dates}
        supplyDate={supplyDate}
      />
    </RecordForm>
  )
}
