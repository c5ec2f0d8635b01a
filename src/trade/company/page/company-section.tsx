import { SimpleGrid, TextInput } from "@mantine/core"
import type { Settings } from "../../../console/api/types"
import { AddressFields } from "../../../console/forms/address-fields"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { OlderData } from "./older-data"
import type { SectionProps } from "./values"

type Props = SectionProps & { settings: Settings }

/** The company as documents show it. */
export const CompanySection = ({ form, settings }: Props) => (
  <Section title={t(($) => $.company.details)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t(($) => $.company.name)}
        description={t(($) => $.company.nameHint)}
        {...form.getInputProps("companyName")}
      />
      <TextInput
        label={t(($) => $.fields.legalName)}
        description={t(($) => $.company.legalNameHint)}
        {...form.getInputProps("legalName")}
      />
    </SimpleGrid>
    <OlderData form={form} settings={settings} />
    <AddressFields form={form} name="address" legend={t(($) => $.fields.address)} />
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput label={t(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={t(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      <TextInput label={t(($) => $.fields.website)} inputMode="url" {...form.getInputProps("website")} />
      <TextInput label={t(($) => $.fields.vatId)} {...form.getInputProps("vatId")} />
      <TextInput label={t(($) => $.fields.taxNumber)} {...form.getInputProps("taxNumber")} />
      <TextInput label={t(($) => $.fields.registrationId)} {...form.getInputProps("registrationId")} />
    </SimpleGrid>
  </Section>
)
