import { Checkbox, Stack } from "@mantine/core"
import { useRead } from "../../console/api/hooks"
import type { TaxCode } from "../../console/api/types"
import { language, t as common } from "../../console/texts"
import { type TaxPreset, taxPresetsOf } from "../../shared/documents/tax-presets"
import { t } from "./texts"

/** The ids of the codes that exist. Their codes are in lower case, because codes are unique ignoring case. */
export function useExisting(): ReadonlyMap<string, string> {
  const { data = [] } = useRead<Pick<TaxCode, "id" | "code">[]>("/tax-codes?perPage=100&fields=id,code")
  return new Map(data.map(({ id, code }) => [code.toLowerCase(), id]))
}

/** The tax codes for a country, with names in the language of the console. */
export const presetsOf = (country: string | null): TaxPreset[] =>
  country === null ? [] : taxPresetsOf(country, language)

/** At first, the codes with a rate are selected. A code that exists cannot be selected. */
export const isChosen =
  (chosen: string[] | null, existing: ReadonlyMap<string, string>) =>
  ({ code, category }: TaxPreset): boolean =>
    !existing.has(code.toLowerCase()) && (chosen ? chosen.includes(code) : category === "S")

type ChoicesProps = {
  presets: TaxPreset[]
  existing: ReadonlyMap<string, string>
  chosen: string[]
  onChoose: (codes: string[]) => void
}

/** The tax codes of a country to choose from. */
export const Choices = ({ presets, existing, chosen, onChoose }: ChoicesProps) =>
  presets.length > 0 && (
    <Checkbox.Group
      label={common(($) => $.kinds["tax-codes"].title)}
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
                exists ? t(($) => $.exists) : (reason ?? common(($) => $.values.taxCategoryMeaning[category]))
              }
              disabled={exists}
            />
          )
        })}
      </Stack>
    </Checkbox.Group>
  )
