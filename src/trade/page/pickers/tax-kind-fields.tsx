import { Select, Textarea } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { categoriesWithReason, taxCategories, type TaxCategory } from "../../../shared/tax"
import type { TaxCode } from "../../../console/api/types"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { NumberField } from "../../../console/forms/number-field"
import type { Typed } from "../../../console/forms/number"

export const taxCodeValuesOf = (taxCode: TaxCode | null) => ({
  code: taxCode?.code ?? "",
  name: taxCode?.name ?? "",
  category: taxCode?.category ?? ("S" as TaxCategory),
  rate: (taxCode?.rate ?? "") as Typed,
  reason: taxCode?.reason ?? "",
  isActive: taxCode?.isActive ?? true,
})

type TaxCodeForm = UseFormReturnType<ReturnType<typeof taxCodeValuesOf>>

const choices = taxCategories.map((value) => ({
  value,
  label: `${value} · ${common(($) => $.values.taxCategory[value])}`,
}))

/** The category of a tax code, its rate, and why no tax is charged. The first two are fixed when the code is used. */
export function TaxKindFields({ form, isFixed = false }: { form: TaxCodeForm; isFixed?: boolean }) {
  const { category } = form.values
  const isTaxed = category === "S"
  return (
    <>
      <Select
        label={t(($) => $.taxKind.category)}
        description={common(($) => $.values.taxCategoryMeaning[category])}
        data={choices}
        allowDeselect={false}
        disabled={isFixed}
        {...form.getInputProps("category")}
        onChange={(next) =>
          next && form.setValues({ category: next as TaxCategory, rate: next === "S" ? "" : 0 })
        }
      />
      <NumberField
        label={t(($) => $.taxKind.rate)}
        description={isFixed ? t(($) => $.taxKind.fixed) : !isTaxed && t(($) => $.taxKind.rateHint)}
        rightSection="%"
        required={isTaxed}
        disabled={isFixed || !isTaxed}
        {...form.getInputProps("rate")}
      />
      {!isTaxed && <Reason form={form} isRequired={categoriesWithReason.includes(category)} />}
    </>
  )
}

const hasBuiltIn = (category: TaxCategory): boolean => ["AE", "K", "G"].includes(category)

const Reason = ({ form, isRequired }: { form: TaxCodeForm; isRequired: boolean }) => (
  <Textarea
    label={t(($) => $.taxKind.reason)}
    description={t(($) =>
      hasBuiltIn(form.values.category) ? $.taxKind.reasonBuiltIn : $.taxKind.reasonHint,
    )}
    required={isRequired}
    autosize
    minRows={2}
    maxRows={6}
    {...form.getInputProps("reason")}
  />
)
