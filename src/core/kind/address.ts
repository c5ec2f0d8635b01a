import { countries } from "../../shared/countries"
import { object, type PartsOf } from "./object"
import { text } from "./text-field"

const country = text({
  max: 2,
  examples: ["DE"],
  description: "ISO 3166-1 alpha-2",
  check: (value) =>
    /^[a-z]{2}$/i.test(value) && countries.has(value.toUpperCase())
      ? { value: value.toUpperCase() }
      : { error: "must be a two-letter country code of ISO 3166-1, such as DE", format: "country" },
})

const parts = {
  street: text({ examples: ["Hafenstraße 12"] }),
  city: text({ examples: ["Hamburg"] }),
  state: text({ examples: ["Hamburg"] }),
  zipCode: text({ max: 20, examples: ["20457"] }),
  country,
}

const plain = object(parts)

/** A postal address. Its schema has a name, because many records contain one. */
export const address = (): typeof plain => ({ ...plain, schema: { ...plain.schema, $id: "Address" } })

export type Address = PartsOf<typeof parts>
