import { Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { notifications } from "@mantine/notifications"
import { planNames } from "../../../../shared/plans"
import type { Settings } from "../../api/types"
import { words } from "../../format"
import { NumberField } from "../../forms/number-field"
import { RecordForm } from "../../forms/record-form"
import { SearchSelect } from "../../forms/search-select"
import { useRecordForm } from "../../forms/use-record-form"
import { Section } from "../../parts/section"
import { currencyChoices, durationInWords, timeZoneChoices } from "./choices"

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
    onSaved: () => notifications.show({ message: "The settings were saved.", color: "teal" }),
  })
  return (
    <RecordForm state={state}>
      <OnDocuments form={state.form} />
      <MoneyAndTime form={state.form} />
      <Selling form={state.form} />
      <Access form={state.form} />
    </RecordForm>
  )
}

const OnDocuments = ({ form }: Props) => (
  <Section title="Company details">
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Company name" {...form.getInputProps("companyName")} />
      <TextInput label="Tax ID" {...form.getInputProps("companyTaxId")} />
    </SimpleGrid>
    <Textarea label="Address" autosize minRows={3} maxRows={8} {...form.getInputProps("companyAddress")} />
  </Section>
)

const MoneyAndTime = ({ form }: Props) => (
  <Section title="Currency and time zone">
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <SearchSelect
        label="Currency"
        description="Cannot be changed after the first order or invoice"
        data={currencyChoices(form.values.currency)}
        {...form.getInputProps("currency")}
      />
      <SearchSelect
        label="Time zone"
        description="Sets the date on new documents"
        data={timeZoneChoices(form.values.timeZone)}
        {...form.getInputProps("timeZone")}
      />
    </SimpleGrid>
  </Section>
)

const policies = [
  {
    value: "block",
    label: "Block",
    sentence: "Orders over the limit cannot be submitted. Managers and admins can override this.",
  },
  { value: "warn", label: "Warn", sentence: "Orders over the limit are submitted with a warning." },
  { value: "off", label: "Off", sentence: "Credit limits are not checked." },
]

const Selling = ({ form }: Props) => (
  <Section title="Sales">
    <Select
      label="Credit limits"
      description={policies.find(({ value }) => value === form.values.creditPolicy)?.sentence}
      data={policies.map(({ value, label }) => ({ value, label }))}
      allowDeselect={false}
      {...form.getInputProps("creditPolicy")}
    />
    <Switch
      label="Allow negative stock"
      description="Allows invoices for more than is in stock. If off, such invoices are rejected."
      {...form.getInputProps("allowNegativeStock", { type: "checkbox" })}
    />
  </Section>
)

const Access = ({ form }: Props) => (
  <Section title="Access">
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Default plan"
        description="Request limits for users and API keys without their own plan"
        data={planNames.map((value) => ({ value, label: words(value) }))}
        allowDeselect={false}
        {...form.getInputProps("defaultPlan")}
      />
      <NumberField
        label="Session timeout (minutes)"
        description={durationInWords(Number(form.values.sessionIdleMinutes))}
        {...form.getInputProps("sessionIdleMinutes")}
      />
    </SimpleGrid>
  </Section>
)
