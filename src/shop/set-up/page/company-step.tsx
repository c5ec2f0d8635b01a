import { SimpleGrid, TextInput } from "@mantine/core"
import { useEffect, useRef } from "react"
import { AddressFields, addressValuesOf, countryName } from "../../../console/forms/address-fields"
import { SearchSelect } from "../../../console/forms/search-select"
import { Section } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { currencyChoices, timeZoneChoices } from "../../../trade/company/page/form"
import { proposal } from "../../../trade/company/page/proposal"
import { t as company } from "../../../trade/company/page/texts"
import { VatIdNote } from "../../../trade/page/pickers/tax-proposal"
import { countryOf, placeOf } from "./defaults"
import { StepForm } from "./step-form"
import { t } from "./texts"
import { type StepProps, useStep } from "./use-step"

const fields = ["companyName", "address", "vatId", "taxNumber", "currency", "timeZone"] as const

/** Who sells, and in which currency. */
export function CompanyStep({ settings }: StepProps) {
  // Nobody has said yet where the company is.
  const isNew = settings.companyName === null && settings.legalName === null && settings.address === null
  const country = countryOf(navigator.languages)
  const state = useStep({
    step: "company",
    settings,
    fields,
    proposals: isNew
      ? { address: { ...addressValuesOf(null), country }, ...proposal(), ...placeOf(country) }
      : {},
  })
  const { form } = state
  const chosen = form.values.address.country
  const before = useRef(chosen)
  useEffect(() => {
    if (before.current !== chosen && isNew) form.setValues(placeOf(chosen))
    before.current = chosen
  }, [chosen])
  return (
    <StepForm
      state={state}
      proposed={
        country === null
          ? t(($) => $.proposedPlace)
          : t(($) => $.proposedCountry, { country: countryName(country) })
      }
    >
      <TextInput
        label={company(($) => $.name)}
        description={t(($) => $.nameHint)}
        autoComplete="organization"
        {...form.getInputProps("companyName")}
      />
      <AddressFields form={form} name="address" legend={common(($) => $.fields.address)} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <TextInput
            label={common(($) => $.fields.vatId)}
            description={t(($) => $.vatIdHint)}
            {...form.getInputProps("vatId")}
          />
          <VatIdNote
            taxId={form.values.vatId}
            country={chosen}
            onTaxId={(next) => form.setFieldValue("vatId", next)}
          />
        </div>
        <TextInput
          label={common(($) => $.fields.taxNumber)}
          description={t(($) => $.taxNumberHint)}
          {...form.getInputProps("taxNumber")}
        />
      </SimpleGrid>
      <Section title={company(($) => $.moneyAndTime)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <SearchSelect
            label={company(($) => $.currency)}
            description={company(($) => $.currencyHint)}
            data={currencyChoices(form.values.currency)}
            {...form.getInputProps("currency")}
          />
          <SearchSelect
            label={company(($) => $.timeZone)}
            description={company(($) => $.timeZoneHint)}
            data={timeZoneChoices(form.values.timeZone)}
            {...form.getInputProps("timeZone")}
          />
        </SimpleGrid>
      </Section>
    </StepForm>
  )
}
