import { SimpleGrid, Switch, TextInput } from "@mantine/core"
import { useLocation } from "wouter"
import { useMay } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { AnotherButton } from "../../../console/forms/another-button"
import { RecordForm } from "../../../console/forms/record-form"
import { TaxKindFields, taxCodeValuesOf } from "../../../console/forms/tax-kind-fields"
import { useAnother } from "../../../console/forms/use-another"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

type Props = {
  /** The tax code to edit; null for a new one. */
  taxCode: TaxCode | null
  /** The tax code from which a new one is filled. */
  copied?: TaxCode | null
  /** Shows an empty form after "Save and add another". */
  startAgain?: () => void
}

/** The form of a tax code. If `taxCode` is null, it creates one. */
export function TaxCodeForm({ taxCode, copied, startAgain }: Props) {
  const may = useMay()
  const { state, saveAndAdd } = useTaxCodeForm({ taxCode, copied, startAgain })
  const { form } = state
  return (
    <RecordForm
      state={state}
      isReadOnly={!may("items", "write")}
      submit={taxCode ? t(($) => $.common.save) : t(($) => $.taxCodes.create)}
      actions={!taxCode && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t(($) => $.taxCodes.code)}
          placeholder="DE19"
          required
          autoFocus={!taxCode}
          {...form.getInputProps("code")}
        />
        <TextInput label={t(($) => $.common.name)} required {...form.getInputProps("name")} />
      </SimpleGrid>
      <TaxKindFields form={form} isFixed={taxCode?.isUsed ?? false} />
      <Switch
        label={t(($) => $.values.status.active)}
        description={t(($) => $.taxCodes.activeHint)}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </RecordForm>
  )
}

function useTaxCodeForm({ taxCode, copied, startAgain }: Props) {
  const [, go] = useLocation()
  const another = useAnother()
  const state = useRecordForm({
    kind: "tax-codes",
    record: taxCode,
    valuesOf: (from) => taxCodeValuesOf(from ?? (copied ? { ...copied, code: "", isActive: true } : null)),
    onSaved: (saved) => {
      tellDone(t(($) => $.common.saved, { name: saved.code }))
      if (taxCode) return
      if (another.isWanted()) startAgain?.()
      else go(`/settings/tax-codes/${saved.id}`, { replace: true })
    },
  })
  return another.buttonsOf(state)
}
