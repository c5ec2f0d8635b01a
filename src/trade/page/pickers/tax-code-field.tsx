import { Text, TextInput } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useRecord } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { number } from "../../../console/format"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { TaxKindFields, taxCodeValuesOf } from "./tax-kind-fields"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { RecordPicker, type NewRecordProps } from "./record-picker"

type Props = {
  /** The id of the tax code; empty if none is selected. */
  value: string
  /** Gets null when the choice is removed. */
  onPick: (taxCode: TaxCode | null) => void
  label?: string
  description?: string
  "aria-label"?: string
  id?: string
  /** The path in the form, by which a link can name the input. */
  "data-path"?: string
  error?: ReactNode
}

/** A tax code that may be left out. */
export function TaxCodeField({ value, onPick, ...input }: Props) {
  const client = useQueryClient()
  const { data } = useRecord("tax-codes", value)
  return (
    <RecordPicker
      {...input}
      kind="tax-codes"
      sort="code"
      where={active}
      placeholder={t(($) => $.pickers.taxCodeHint)}
      picked={value && data ? `${data.code} · ${data.name}` : ""}
      codeOf={({ code }) => code}
      nothing={t(($) => $.pickers.noTaxCode)}
      create={newTaxCode}
      onClear={() => onPick(null)}
      onPick={(next) => {
        client.setQueryData(["tax-codes", next.id], next)
        onPick(next)
      }}
      show={({ code, name, category, rate }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {`${code} · ${common(($) => $.values.taxCategory[category])} · ${number(rate)} %`}
          </Text>
        </>
      )}
    />
  )
}

const active = { isActive: "true" }

const newTaxCode = {
  label: t(($) => $.pickers.createNewTaxCode),
  dialog: (props: NewRecordProps<TaxCode>) => <NewTaxCodeDialog {...props} />,
}

/** Creates a tax code without leaving the form. */
function NewTaxCodeDialog({ typed, onCreated, onClose }: NewRecordProps<TaxCode>) {
  const state = useRecordForm({
    kind: "tax-codes",
    record: null,
    valuesOf: (record) => ({ ...taxCodeValuesOf(record), ...(record ? {} : { code: typed }) }),
    onSaved: (taxCode) => {
      tellDone(common(($) => $.common.saved, { name: taxCode.code }))
      onCreated(taxCode)
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.pickers.newTaxCode)}
      state={state}
      submit={t(($) => $.pickers.createTaxCode)}
      onClose={onClose}
      size="md"
    >
      <TextInput
        label={t(($) => $.pickers.taxCode)}
        placeholder="DE19"
        required
        data-autofocus={typed === "" || undefined}
        {...form.getInputProps("code")}
      />
      <TextInput
        label={common(($) => $.common.name)}
        required
        data-autofocus={typed !== "" || undefined}
        {...form.getInputProps("name")}
      />
      <TaxKindFields form={form} />
    </FormDialog>
  )
}
