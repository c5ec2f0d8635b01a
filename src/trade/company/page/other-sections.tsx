import { Alert, Select, SimpleGrid, Switch } from "@mantine/core"
import { planNames } from "../../../shared/plans"
import { NumberField } from "../../../console/forms/number-field"
import { SearchSelect } from "../../../console/forms/search-select"
import { Section } from "../../../console/parts/section"
import { t } from "../../../console/texts"
import { currencyChoices, durationInWords, timeZoneChoices } from "./choices"
import type { SectionProps } from "./values"

export const MoneySection = ({ form, isProposed }: SectionProps & { isProposed: boolean }) => (
  <Section title={t(($) => $.company.moneyAndTime)}>
    {isProposed && <Alert variant="light">{t(($) => $.company.proposed)}</Alert>}
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <SearchSelect
        label={t(($) => $.company.currency)}
        description={t(($) => $.company.currencyHint)}
        data={currencyChoices(form.values.currency)}
        {...form.getInputProps("currency")}
      />
      <SearchSelect
        label={t(($) => $.company.timeZone)}
        description={t(($) => $.company.timeZoneHint)}
        data={timeZoneChoices(form.values.timeZone)}
        {...form.getInputProps("timeZone")}
      />
    </SimpleGrid>
  </Section>
)

const policies = ["block", "warn", "off"] as const

export const SalesSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.company.sales)}>
    <Select
      label={t(($) => $.company.creditLimits)}
      description={t(($) => $.values.creditPolicyMeaning[form.values.creditPolicy])}
      data={policies.map((value) => ({ value, label: t(($) => $.values.creditPolicy[value]) }))}
      allowDeselect={false}
      {...form.getInputProps("creditPolicy")}
    />
    <Switch
      label={t(($) => $.company.negativeStock)}
      description={t(($) => $.company.negativeStockHint)}
      {...form.getInputProps("allowNegativeStock", { type: "checkbox" })}
    />
  </Section>
)

export const AccessSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.company.access)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={t(($) => $.company.defaultPlan)}
        description={t(($) => $.company.defaultPlanHint)}
        data={planNames.map((value) => ({ value, label: t(($) => $.values.plan[value]) }))}
        allowDeselect={false}
        {...form.getInputProps("defaultPlan")}
      />
      <NumberField
        label={t(($) => $.company.sessionTimeout)}
        description={durationInWords(Number(form.values.sessionIdleMinutes))}
        {...form.getInputProps("sessionIdleMinutes")}
      />
    </SimpleGrid>
  </Section>
)
