import { useMay, useRecord } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { number } from "../../../console/format"
import { Loaded, OnlyFor } from "../../../console/parts/page"
import { NewRecord } from "../../../console/parts/new-record"
import { RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { SimpleGrid, Switch, TextInput } from "@mantine/core"
import { useLocation } from "wouter"
import { AnotherButton, useAnother } from "../../../console/forms/another-button"
import { RecordForm } from "../../../console/forms/record-form"
import { taxCodeValuesOf, TaxKindFields } from "../../../trade/page/tax-kind-fields"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"

const href = "/settings/tax-codes"
const parent = { title: t(($) => $.title), href }

/** The page of a tax code: its form and timeline. */
export default function TaxCodePage({ id }: { id: string }) {
  const query = useRecord("tax-codes", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title={t(($) => $.new)}
        parent={parent}
        sentence={t(($) => $.onlyFor)}
      >
        <NewRecord kind="tax-codes" title={t(($) => $.new)} parent={parent}>
          {(copied, startAgain) => <TaxCodeForm taxCode={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(taxCode) => <Existing taxCode={taxCode} />}</Loaded>
}

function Existing({ taxCode }: { taxCode: TaxCode }) {
  const may = useMay()
  const { id, version, code, name, category, rate, isUsed, isActive } = taxCode
  const duplicate = useDuplicate(href, id)
  const removal = useDelete({ kind: "tax-codes", id, version, name, to: href })
  return (
    <RecordPage
      kind="tax-codes"
      record={taxCode}
      title={name}
      parent={parent}
      badge={<StatusBadge status={isActive ? "active" : "inactive"} />}
      facts={[
        { label: t(($) => $.code), value: code },
        { label: t(($) => $.category), value: common(($) => $.values.taxCategory[category]) },
        { label: t(($) => $.rate), value: `${number(rate)} %`, isStrong: true },
        {
          label: common(($) => $.common.status),
          value: isUsed ? t(($) => $.used) : t(($) => $.unused),
        },
      ]}
      more={{
        actions: [may("items", "write") && duplicate, may("items", "delete") && !isUsed && removal.action],
        isBusy: removal.isBusy,
      }}
    >
      <TaxCodeForm taxCode={taxCode} />
    </RecordPage>
  )
}

type Props = {
  /** The tax code to edit; null for a new one. */
  taxCode: TaxCode | null
  /** The tax code from which a new one is filled. */
  copied?: TaxCode | null
  /** Shows an empty form after "Save and add another". */
  startAgain?: () => void
}

/** The form of a tax code. If `taxCode` is null, it creates one. */
function TaxCodeForm({ taxCode, copied, startAgain }: Props) {
  const may = useMay()
  const { state, saveAndAdd } = useTaxCodeForm({ taxCode, copied, startAgain })
  const { form } = state
  return (
    <RecordForm
      state={state}
      isReadOnly={!may("items", "write")}
      submit={taxCode ? common(($) => $.common.save) : t(($) => $.create)}
      actions={!taxCode && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t(($) => $.code)}
          placeholder="DE19"
          required
          autoFocus={!taxCode}
          {...form.getInputProps("code")}
        />
        <TextInput label={common(($) => $.common.name)} required {...form.getInputProps("name")} />
      </SimpleGrid>
      <TaxKindFields form={form} isFixed={taxCode?.isUsed ?? false} />
      <Switch
        label={common(($) => $.values.status.active)}
        description={t(($) => $.activeHint)}
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
      tellDone(common(($) => $.common.saved, { name: saved.code }))
      if (taxCode) return
      if (another.isWanted()) startAgain?.()
      else go(`/settings/tax-codes/${saved.id}`, { replace: true })
    },
  })
  return another.buttonsOf(state)
}
