import type { ReactNode } from "react"
import { useRecord } from "../../../console/api/hooks"
import { emptyAsNull, type Body } from "../../../console/forms/body"
import type { Typed } from "../../../console/forms/number"
import { NumberField } from "../../../console/forms/number-field"
import { lastItem } from "../suggestions"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { TaxCodeField } from "./tax-code-field"

/** The tax of an item. The code is empty if there is none. With a code, the rate may be empty: it is that of the code. */
export type ItemTax = { taxCode: string; taxRate: Typed }

/** The tax of a new item: that of the last one on this device, or else the default of the company. */
export function newItemTax(defaultTaxCode: string | null): ItemTax {
  const { taxCode, taxRate } = lastItem()
  return taxRate === "" ? { taxCode: defaultTaxCode ?? "", taxRate: "" } : { taxCode, taxRate }
}

/** The request body of an item. Without a code, a rate that is left empty is 0, and not the default of the company. */
export const bodyOfItem = <V extends ItemTax>(values: V): Body =>
  emptyAsNull(values.taxCode === "" && values.taxRate === "" ? { ...values, taxRate: 0 } : values)

type Props = {
  values: ItemTax
  errors: Record<string, ReactNode>
  onChange: (values: Partial<ItemTax>) => void
}

/** The tax code of an item and its rate. A code sets the rate, and another rate removes the code. */
export function TaxFields({ values: { taxCode, taxRate }, errors, onChange }: Props) {
  const { data } = useRecord("tax-codes", taxCode)
  const shownRate = taxCode && taxRate === "" ? (data?.rate ?? "") : taxRate
  return (
    <>
      <TaxCodeField
        data-path="taxCode"
        label={common(($) => $.fields.taxCode)}
        value={taxCode}
        error={errors["taxCode"]}
        onPick={(next) => onChange(next ? { taxCode: next.id, taxRate: next.rate } : { taxCode: "" })}
      />
      <NumberField
        label={common(($) => $.fields.taxRate)}
        description={taxCode ? t(($) => $.pickers.rateOfCode) : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        rightSection="%"
        value={shownRate}
        error={errors["taxRate"]}
        onChange={(next) => next !== shownRate && onChange({ taxRate: next, taxCode: "" })}
      />
    </>
  )
}
