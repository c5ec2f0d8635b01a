import { Alert, Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { notifications } from "@mantine/notifications"
import { useEffect } from "react"
import { planNames } from "../../../../shared/plans"
import type { Settings } from "../../api/types"
import { NumberField } from "../../forms/number-field"
import { RecordForm } from "../../forms/record-form"
import { SearchSelect } from "../../forms/search-select"
import { useRecordForm } from "../../forms/use-record-form"
import { Section } from "../../parts/section"
import { t } from "../../texts"
import { currencyChoices, durationInWords, timeZoneChoices } from "./choices"
import { proposal } from "./proposal"

const valuesOf = (settings: Settings | null) => ({
  companyName: settings?.companyName ?? "",
  companyAddress: settings?.companyAddress ?? "",
  companyTaxId: settings?.companyTaxId ?? "",
  currency: settings?.currency ?? "USD",
  timeZone: settings?.timeZone ?? "UTC",
  defaultPlan: settings?.defaultPlan ?? "enterprise",
  creditPolicy: settings?.creditPolicy ?? "block",
  allowNegativeStock: settings?.allowNegativeStock ?? true,
  sessionIdleMinutes: settings?.sessionIdleMinutes ?? 43_200,
})

type Props = { form: UseFormReturnType<ReturnType<typeof valuesOf>> }

export function CompanyForm({ settings }: { settings: Settings }) {
  const state = useRecordForm({
    kind: "settings",
    path: "/settings",
    record: settings,
    valuesOf,
    onSaved: () => notifications.show({ message: t(($) => $.company.saved), color: "teal" }),
  })
  // Settings that were never saved have this version.
  const isNew = settings.version === 1
  useProposal(state.form, isNew)
  return (
    <RecordForm state={state}>
      <OnDocuments form={state.form} />
      <MoneyAndTime form={state.form} isProposed={isNew} />
      <Selling form={state.form} />
      <Access form={state.form} />
    </RecordForm>
  )
}

/** Fills in the currency and the time zone of the browser. They are not saved before the user saves the form. */
function useProposal(form: Props["form"], isNew: boolean): void {
  useEffect(() => {
    if (!isNew) return
    const proposed = { ...form.values, ...proposal() }
    form.setValues(proposed)
    // Nobody has typed anything yet, so leaving the page needs no question.
    form.resetDirty(proposed)
  }, [isNew])
}

const OnDocuments = ({ form }: Props) => (
  <Section title={t(($) => $.company.details)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t(($) => $.company.name)} {...form.getInputProps("companyName")} />
      <TextInput label={t(($) => $.common.taxId)} {...form.getInputProps("companyTaxId")} />
    </SimpleGrid>
    <Textarea
      label={t(($) => $.company.address)}
      autosize
      minRows={3}
      maxRows={8}
      {...form.getInputProps("companyAddress")}
    />
  </Section>
)

const MoneyAndTime = ({ form, isProposed }: Props & { isProposed: boolean }) => (
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

const Selling = ({ form }: Props) => (
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

const Access = ({ form }: Props) => (
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
