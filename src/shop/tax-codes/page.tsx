import { Button, SimpleGrid, Switch, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { useMay, useRead } from "../../console/api/hooks"
import type { Settings, TaxCode } from "../../console/api/types"
import { SearchSelect } from "../../console/forms/search-select"
import { useCreateForm } from "../../console/forms/use-create-form"
import { countryName, number } from "../../console/format"
import { useActiveBulk } from "../../console/lists/active-bulk"
import { isActiveFilter, optionsOf } from "../../console/lists/filters"
import { RecordList } from "../../console/lists/record-list"
import { FormDialog } from "../../console/parts/form-dialog"
import { tellDone } from "../../console/parts/tell"
import { locales, t as common } from "../../console/texts"
import { type TaxCategory, taxCategories } from "../../shared/documents/tax"
import { presetCountries } from "../../shared/documents/tax-presets"
import { columnsOf } from "../../trade/page/columns"
import { kindPage } from "../../trade/page/kind-page"
import { taxCodeValuesOf, TaxKindFields } from "../../trade/page/pickers/tax-fields"
import { Choices, isChosen, presetsOf, useExisting } from "./presets"
import { t } from "./texts"

const categoryName = (category: TaxCategory) => common(($) => $.values.taxCategory[category])
const rateOf = ({ rate }: TaxCode) => `${number(rate)} %`

const filters = [
  { key: "category", label: t(($) => $.category), options: optionsOf(taxCategories, categoryName) },
  isActiveFilter,
]

const columns = columnsOf(
  "tax-codes",
  [
    { key: "code", title: t(($) => $.code) },
    "name",
    { key: "category", title: t(($) => $.category), show: ({ category }) => categoryName(category) },
    { key: "rate", title: t(($) => $.rate), as: "percent" },
    { key: "isUsed", title: t(($) => $.used), show: ({ isUsed }) => (isUsed ? t(($) => $.used) : "–") },
    "isActive",
  ],
  [{ key: "reason", title: t(($) => $.reason) }, "updatedAt"],
)

export function List() {
  const mayWrite = useMay()("items", "write")
  const bulk = useActiveBulk("tax-codes")
  const country = useCountry()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <RecordList
        kind="tax-codes"
        title={common(($) => $.kinds["tax-codes"].title)}
        columns={columns}
        phone={{ title: "name", amount: rateOf, line: ["code", "category", "isActive"] }}
        filters={filters}
        sort={{ key: "code", order: "asc" }}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/settings/tax-codes/${id}`}
        create={mayWrite && { label: t(($) => $.new), href: "/settings/tax-codes/new" }}
        actions={
          mayWrite && (
            <Button variant="default" onClick={() => setAdding(true)}>
              {country === null
                ? t(($) => $.addFrom)
                : t(($) => $.addOf, { country: countryName(country) ?? country })}
            </Button>
          )
        }
        bulk={bulk}
        intro={t(($) => $.intro)}
      />
      {isAdding && <PresetsDialog country={country} onClose={() => setAdding(false)} />}
    </>
  )
}

export const Record = kindPage({
  kind: "tax-codes",
  texts: { new: t(($) => $.new), create: t(($) => $.create), onlyFor: t(($) => $.onlyFor) },
  nameOf: ({ name }) => name,
  savedAs: ({ code }) => code,
  valuesOf: taxCodeValuesOf,
  inCopy: { code: "" },
  isDeletable: ({ isUsed }) => !isUsed,
  facts: (taxCode) => [
    { label: t(($) => $.code), value: taxCode.code },
    { label: t(($) => $.category), value: categoryName(taxCode.category) },
    { label: t(($) => $.rate), value: rateOf(taxCode), isStrong: true },
    {
      label: common(($) => $.common.status),
      value: taxCode.isUsed ? t(($) => $.used) : t(($) => $.unused),
    },
  ],
  fields: (form, taxCode) => (
    <>
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
    </>
  ),
})

/** Returns the country whose tax codes are offered first: that of the company, or else of the browser; null if neither has any. */
function useCountry(): string | null {
  // Only admins may read the settings.
  const { data } = useRead<Settings>("/settings", useMay()("administration", "admin"))
  const regions = locales.map((locale) => new Intl.Locale(locale).region)
  return [data?.address?.country, ...regions].find((each) => each && presetCountries.includes(each)) ?? null
}

const countries = presetCountries
  .map((value) => ({ value, label: countryName(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label, [...locales]))

type Values = {
  country: string | null
  /** The selected codes; null for those that are selected at first. */
  chosen: string[] | null
}

type Props = { country: string | null; onClose: () => void }

/** Creates the tax codes of a country that the user selects, all together or none. */
function PresetsDialog({ country, onClose }: Props) {
  const existing = useExisting()
  const { state, chosen } = usePresets(existing, { country, onClose })
  const { form } = state
  const count = chosen.length
  return (
    <FormDialog
      title={t(($) => $.addFrom)}
      state={state}
      submit={t(($) => $.add, { count, shown: number(count) })}
      onClose={onClose}
      size="md"
    >
      <SearchSelect
        label={t(($) => $.country)}
        data={countries}
        nothingFoundMessage={t(($) => $.noCountry)}
        data-autofocus={country === null || undefined}
        value={form.values.country}
        onChange={(next) => form.setValues({ country: next, chosen: null })}
      />
      <Choices
        presets={presetsOf(form.values.country)}
        existing={existing}
        chosen={chosen.map(({ code }) => code)}
        onChoose={(codes) => form.setValues({ chosen: codes })}
      />
      <Text size="sm" c="dimmed">
        {t(($) => $.presetsHint)}
      </Text>
    </FormDialog>
  )
}

/** The form, and the presets that are selected in it. */
function usePresets(existing: ReadonlyMap<string, string>, { country, onClose }: Props) {
  const chosenOf = ({ country, chosen }: Values) => presetsOf(country).filter(isChosen(chosen, existing))
  const state = useCreateForm<{ results: unknown[] }, Values>({
    path: "/tax-codes/batch",
    initialValues: { country, chosen: null },
    bodyOf: (values) => ({
      mode: "all",
      operations: chosenOf(values).map((body) => ({ op: "create", body })),
    }),
    check: (values) => (chosenOf(values).length === 0 ? t(($) => $.noneSelected) : null),
    onCreated: ({ results }) => {
      tellDone(t(($) => $.added, { count: results.length, shown: number(results.length) }))
      onClose()
    },
  })
  return { state, chosen: chosenOf(state.form.values) }
}
