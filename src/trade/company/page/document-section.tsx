import { Anchor, Select, SimpleGrid, Switch, Textarea } from "@mantine/core"
import { Link } from "wouter"
import { languages } from "../../../shared/languages"
import { paymentTerms } from "../../page/terms"
import { SuggestInput } from "../../../console/forms/suggest-input"
import { TaxCodeField } from "../../page/tax-code-field"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import type { SectionProps } from "./values"

const languageChoices = languages.map((value) => ({ value, label: t(($) => $.values.language[value]) }))
const correctionChoices = (["cancel", "credit-note"] as const).map((value) => ({
  value,
  label: t(($) => $.values.correctBy[value]),
}))

/** What new documents contain unless they, the customer or the item say otherwise. */
export const DocumentSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.company.documents)}>
    <Textarea
      label={t(($) => $.fields.documentFooter)}
      description={t(($) => $.company.footerHint)}
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps("documentFooter")}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <SuggestInput
        label={t(($) => $.fields.defaultPaymentTerms)}
        description={t(($) => $.company.termsHint)}
        data={paymentTerms}
        {...form.getInputProps("defaultPaymentTerms")}
      />
      <Select
        label={t(($) => $.fields.defaultLanguage)}
        description={t(($) => $.company.languageHint)}
        data={languageChoices}
        allowDeselect={false}
        {...form.getInputProps("defaultLanguage")}
      />
      <DefaultTaxCode form={form} />
      <Select
        label={t(($) => $.fields.correctBy)}
        description={t(($) => $.values.correctByMeaning[form.values.correctBy])}
        data={correctionChoices}
        allowDeselect={false}
        {...form.getInputProps("correctBy")}
      />
    </SimpleGrid>
    <Switch
      label={t(($) => $.fields.pricesIncludeTax)}
      description={t(($) => $.company.pricesHint)}
      {...form.getInputProps("pricesIncludeTax", { type: "checkbox" })}
    />
  </Section>
)

const DefaultTaxCode = ({ form }: SectionProps) => (
  <div>
    <TaxCodeField
      label={t(($) => $.fields.defaultTaxCode)}
      description={t(($) => $.company.defaultTaxCodeHint)}
      data-path="defaultTaxCode"
      value={form.values.defaultTaxCode}
      error={form.errors["defaultTaxCode"]}
      onPick={(next) => form.setFieldValue("defaultTaxCode", next?.id ?? "")}
    />
    <Anchor component={Link} href="/settings/tax-codes" size="sm" mt={4} display="inline-block">
      {t(($) => $.kinds["tax-codes"].title)}
    </Anchor>
  </div>
)
