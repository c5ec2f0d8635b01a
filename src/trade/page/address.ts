import { countryName } from "../../console/forms/address-fields"

type Address = { [K in "street" | "zipCode" | "city" | "state" | "country"]?: string | null }

/** Returns the lines of an address, without empty ones. */
export const addressLines = (address: Address | null | undefined): string[] =>
  [
    address?.street,
    [address?.zipCode, address?.city].filter(Boolean).join(" "),
    address?.state,
    countryName(address?.country),
  ].flatMap((line) => line || [])
