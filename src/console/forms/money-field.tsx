import type { ComponentProps } from "react"
import { useMe } from "../api/hooks"
import { digitsOf } from "../format"
import { NumberField } from "./number-field"

/** The input of an amount or a price in the company's currency. It shows the decimals of the currency: 12.50. */
export function MoneyField(props: ComponentProps<typeof NumberField>) {
  const { currency } = useMe().company
  return <NumberField digits={digitsOf(currency)} {...props} />
}
