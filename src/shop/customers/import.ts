import { isObject } from "../../core/kind/object"
import { fold } from "../../core/lib/text"
import { once } from "../../core/lib/once"
import type { Input } from "../../core/kind/read"
import { countries } from "../../shared/countries"
import { languages } from "../../shared/languages"
import { customers } from "./model"
import type { CustomerService } from "./service"
import type { ImportKind } from "../../office/imports/kind"
import { recordImport } from "../../office/imports/records"

/** Customers are found by their number, or else by their external id. A new customer gets the next number. */
export const customerImport = ({ customers: service }: { customers: CustomerService }): ImportKind =>
  recordImport({
    resource: customers,
    noun: "customers",
    service,
    keys: ["customerNumber", "externalId"],
    prepare: (input) => withCountry(withCountry(input, "address"), "shippingAddress"),
  })

/** Replaces the name of a country with its code, because spreadsheets have names. */
function withCountry(input: Input, name: "address" | "shippingAddress"): Input {
  const address = input[name]
  if (!isObject(address) || typeof address.country !== "string" || address.country.length > 100) return input
  const code = codesByName().get(fold(address.country.trim()))
  return code === undefined ? input : { ...input, [name]: { ...address, country: code } }
}

/** The codes of countries by their names in the languages of the console. */
const codesByName = once(
  () =>
    new Map(
      languages.flatMap((language) => {
        const names = new Intl.DisplayNames([language], { type: "region" })
        return [...countries].map((code) => [fold(names.of(code) ?? code), code] as const)
      }),
    ),
)
