import { Checkbox, Stack, Text } from "@mantine/core"
import { presetCountries, taxPresetsOf, type TaxPreset } from "../../../shared/tax-presets"
import { useRead } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { number } from "../../../console/format"
import { SearchSelect } from "../../../console/forms/search-select"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { language, locales, t } from "../../../console/texts"
import { countryName } from "../../../console/forms/countries"

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
export function PresetsDialog({ country, onClose }: Props) {
  const existing = useExisting()
  const { state, chosen } = usePresets(existing, { country, onClose })
  const { form } = state
  const count = chosen.length
  return (
    <FormDialog
      title={t(($) => $.taxCodes.addFrom)}
      state={state}
      submit={t(($) => $.taxCodes.add, { count, shown: number(count) })}
      onClose={onClose}
      size="md"
    >
      <SearchSelect
        label={t(($) => $.taxCodes.country)}
        data={countries}
        nothingFoundMessage={t(($) => $.taxCodes.noCountry)}
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
        {t(($) => $.taxCodes.presetsHint)}
      </Text>
    </FormDialog>
  )
}

/** The form, and the presets that are selected in it. */
function usePresets(existing: ReadonlySet<string>, { country, onClose }: Props) {
  const chosenOf = ({ country, chosen }: Values) => presetsOf(country).filter(isChosen(chosen, existing))
  const state = useCreateForm<{ results: unknown[] }, Values>({
    path: "/tax-codes/batch",
    initialValues: { country, chosen: null },
    bodyOf: (values) => ({
      mode: "all",
      operations: chosenOf(values).map((body) => ({ op: "create", body })),
    }),
    check: (values) => (chosenOf(values).length === 0 ? t(($) => $.taxCodes.noneSelected) : null),
    onCreated: ({ results }) => {
      tellDone(t(($) => $.taxCodes.added, { count: results.length, shown: number(results.length) }))
      onClose()
    },
  })
  return { state, chosen: chosenOf(state.form.values) }
}

/** The codes that exist, in lower case, because codes are unique ignoring case. */
function useExisting(): ReadonlySet<string> {
  const { data = [] } = useRead<Pick<TaxCode, "code">[]>("/tax-codes?perPage=100&fields=code")
  return new Set(data.map(({ code }) => code.toLowerCase()))
}

const presetsOf = (country: string | null): TaxPreset[] =>
  country === null ? [] : taxPresetsOf(country, language)

/** At first, the codes with a rate are selected. A code that exists cannot be selected. */
const isChosen =
  (chosen: string[] | null, existing: ReadonlySet<string>) =>
  ({ code, category }: TaxPreset): boolean =>
    !existing.has(code.toLowerCase()) && (chosen ? chosen.includes(code) : category === "S")

type ChoicesProps = {
  presets: TaxPreset[]
  existing: ReadonlySet<string>
  chosen: string[]
  onChoose: (codes: string[]) => void
}

const Choices = ({ presets, existing, chosen, onChoose }: ChoicesProps) =>
  presets.length > 0 && (
    <Checkbox.Group
      label={t(($) => $.taxCodes.title)}
      value={chosen}
      onChange={onChoose}
      styles={{ label: { marginBottom: 8 } }}
    >
      <Stack gap="xs">
        {presets.map(({ code, name, category, reason }) => {
          const exists = existing.has(code.toLowerCase())
          return (
            <Checkbox
              key={code}
              value={code}
              label={`${code} · ${name}`}
              description={
                exists
                  ? t(($) => $.taxCodes.exists)
                  : (reason ?? t(($) => $.values.taxCategoryMeaning[category]))
              }
              disabled={exists}
            />
          )
        })}
      </Stack>
    </Checkbox.Group>
  )
