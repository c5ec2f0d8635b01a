import { Fieldset, SimpleGrid, TextInput } from "@mantine/core"
import type { Customer } from "../api/types"
import { countryName } from "../format"
import { locales, t } from "../texts"
import { SearchSelect } from "./search-select"
import { countries } from "../../shared/countries"

export const addressValuesOf = (address: Customer["address"] | undefined) => ({
  street: address?.street ?? "",
  zipCode: address?.zipCode ?? "",
  city: address?.city ?? "",
  state: address?.state ?? "",
  country: address?.country ?? null,
})

export type AddressValues = ReturnType<typeof addressValuesOf>

type Props = {
  legend: string
  /** The name of the address in the form. */
  name: string
  /** A form that has this address. The library's form type cannot express this. */
  form: { getInputProps: (path: never) => object }
  isReadOnly?: boolean
}

/** The inputs of a postal address. */
export function AddressFields({ legend, name, form, isReadOnly = false }: Props) {
  const inputOf = (part: string) => form.getInputProps(`${name}.${part}` as never)
  return (
    <Fieldset legend={legend}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t(($) => $.fields.street)} {...inputOf("street")} />
        <TextInput label={t(($) => $.forms.postalCode)} {...inputOf("zipCode")} />
        <TextInput label={t(($) => $.fields.city)} {...inputOf("city")} />
        <TextInput label={t(($) => $.forms.state)} {...inputOf("state")} />
        <SearchSelect
          label={t(($) => $.fields.country)}
          data={countryOptions}
          clearable={!isReadOnly}
          nothingFoundMessage={t(($) => $.forms.noCountry)}
          {...inputOf("country")}
        />
      </SimpleGrid>
    </Fieldset>
  )
}

/** All countries, sorted by name in the user's language. */
export const countryOptions = [...countries]
  .map((value) => ({ value, label: countryName(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label, [...locales]))
