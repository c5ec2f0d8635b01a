import type { Address } from "../../core/kind/address"
import type { Formats } from "./formats"

/** Countries that write the city before the ZIP code, on one line with the state. */
const townFirst = ["US", "CA", "AU"]

/** An address as it is written in its country, with line breaks. */
export function addressLines(address: Address | null, formats: Formats): string {
  if (address === null) return ""
  const { street, city, state, zipCode, country } = address
  const joined = (parts: (string | null)[], by: string) => parts.filter(Boolean).join(by)
  const town = townFirst.includes(country ?? "")
    ? [joined([city, joined([state, zipCode], " ")], ", ")]
    : [joined([zipCode, city], " "), state === city ? null : state]
  return joined([street, ...town, country && formats.country(country)], "\n")
}
