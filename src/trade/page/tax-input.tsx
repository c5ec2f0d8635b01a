import { NativeSelect } from "@mantine/core"
import { memo } from "react"
import type { TaxCode } from "../../console/api/types"
import { number } from "../../console/format"
import { t } from "../../console/texts"
import { labelsOf, placeOf, type Common } from "./line-inputs"
import type { LineTax } from "./line-tax"
import { untaxedName } from "./tax-rate-text"

type Props = Common & {
  /** The chosen tax code; null if the line has its usual tax. */
  value: string | null
  /** The usual tax of the line, as text. */
  usual: string
  /** The tax code of that tax. It is not offered a second time. */
  usualCode: string | null
  codes: readonly TaxCode[]
}

/** The tax of a line: the usual one, or that of a tax code. */
export const TaxInput = memo(function TaxInput(props: Props) {
  const { isCard, index, actions, value, usual, usualCode, codes, error } = props
  const offered = codes.filter(({ id, isActive }) => id === value || (isActive && id !== usualCode))
  return (
    <NativeSelect
      {...placeOf(props, "taxCode")}
      {...labelsOf(isCard, index, "tax")}
      data={[
        { value: "", label: usual },
        ...offered.map(({ id, code, rate }) => ({ value: id, label: `${number(rate)} % · ${code}` })),
      ]}
      styles={{ input: { textOverflow: "ellipsis" } }}
      value={value ?? ""}
      error={error}
      onChange={({ currentTarget }) => actions.set(index, "taxCode", currentTarget.value || null)}
    />
  )
})

/** Returns the usual tax of a line in a few words: the rate, and where it comes from. */
export function usualTax(
  { taxCode, taxCategory, taxRate, from }: LineTax,
  codes: readonly TaxCode[],
): string {
  const rate = number(taxRate)
  if (from === "item" || from === "customer" || from === "default")
    return t(($) => $.documents.taxFrom[from], { rate })
  const code = codes.find(({ id }) => id === taxCode)?.code
  const name = code ?? untaxedName(taxCategory)
  return name ? `${rate} % · ${name}` : `${rate} %`
}
