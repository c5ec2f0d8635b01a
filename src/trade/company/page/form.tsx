import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { Settings, TaxCode } from "../../../console/api/types"
import { date } from "../../../console/format"
import { emptyAsNull } from "../../../console/forms/body"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { language, locales, t as common } from "../../../console/texts"
import { t } from "./texts"
import { EInvoiceSection } from "./e-invoice-section"
import { LogoSection } from "./logo-section"
import { formatName, NumberSection } from "./number-section"
import { numberKinds } from "./numbering"
import { proposal } from "./proposal"
import { UnitSection } from "./unit-section"
import { unitCodesOf, type SectionProps, valuesOf } from "./values"
import { Alert, Anchor, Select, SimpleGrid, Switch, Text, Textarea, TextInput } from "@mantine/core"
import { Section } from "../../../console/parts/page"
import { AddressFields } from "../../../console/forms/address-fields"
import { OlderData } from "./older-data"
import { useMe } from "../../../console/api/hooks"
import { isDay } from "../../../console/forms/day"
import { DayInput } from "../../../console/forms/day-input"
import { confirm } from "../../../console/parts/confirm"
import { errorOfIban, tidyBankCode } from "../../../shared/iban"
import { fieldMessage } from "../../../console/forms/field-errors"
import { selectAllOnClick } from "../../../console/forms/select-all"
import { NumberField } from "../../../console/forms/number-field"
import { Link } from "wouter"
import { languages } from "../../../shared/languages"
import { VatIdNote } from "../../page/pickers/tax-proposal"
import { TermsNote } from "../../page/pickers/terms-note"
import { paymentTerms } from "../../page/suggestions"
import { SearchSelect, SuggestInput } from "../../../console/forms/search-select"
import { TaxCodeField } from "../../page/pickers/tax-fields"
import { planNames } from "../../../shared/plans"
import { currencyCodes } from "../../../shared/countries"

export function CompanyForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const state = useRecordForm({
    kind: "settings",
    path: "/settings",
    record: settings,
    valuesOf,
    bodyOf: (values) => ({
      ...emptyAsNull(values),
      unitCodes: unitCodesOf(values.unitCodes, settings.unitCodes),
    }),
    onSaved: () => tellDone(t(($) => $.saved)),
  })
  const { form } = state
  // Settings that were never saved have this version.
  const isNew = settings.version === 1
  useProposal(form, isNew)
  const save = async () => {
    if (await mayUnlock(settings.lockedUntil, form.values.lockedUntil)) await state.save()
  }
  return (
    <RecordForm state={{ ...state, save }} isLong describe={describer(client)}>
      <CompanySection form={form} settings={settings} />
      <BankSection form={form} />
      <LogoSection hash={settings.logo} />
      <EInvoiceSection form={form} />
      <UnitSection form={form} />
      <DocumentSection form={form} />
      <NumberSection form={form} settings={settings} />
      <LockSection form={form} />
      <MoneySection form={form} isProposed={isNew} />
      <SalesSection form={form} />
      <AccessSection form={form} />
    </RecordForm>
  )
}

/** Fills in the currency and the time zone of the browser. They are not saved before the user saves the form. */
function useProposal(form: SectionProps["form"], isNew: boolean): void {
  useEffect(() => {
    if (!isNew) return
    // A link may have added a unit already, which is kept.
    form.setValues(proposal())
    // Nobody has typed anything yet, so leaving the page needs no question.
    form.resetDirty({ ...form.values, ...proposal() })
  }, [isNew])
}

/** Describes values for the comparison of two versions. */
const describer =
  (client: QueryClient) =>
  (field: string, value: unknown): string | undefined => {
    if (value === null) return undefined
    if (field === "defaultLanguage")
      return common(($) => $.values.language[value as Settings["defaultLanguage"]])
    if (field === "defaultTaxCode") return client.getQueryData<TaxCode>(["tax-codes", value])?.code
    if (field !== "numberFormats" && field !== "numberStarts") return undefined
    const given = value as Settings["numberFormats" | "numberStarts"]
    return numberKinds.map((kind) => `${formatName(kind)}: ${given[kind] ?? "–"}`).join(", ")
  }

/** Where customers pay. */
const BankSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.bank)}>
    <Text size="sm" c="dimmed">
      {t(($) => $.bankHint)}
    </Text>
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <IbanInput {...form.getInputProps("iban")} />
      <TextInput label={common(($) => $.fields.bic)} autoComplete="off" {...form.getInputProps("bic")} />
      <TextInput label={common(($) => $.fields.bankName)} {...form.getInputProps("bankName")} />
    </SimpleGrid>
  </Section>
)

type Props = SectionProps & { settings: Settings }

/** The company as documents show it. */
const CompanySection = ({ form, settings }: Props) => (
  <Section title={t(($) => $.details)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t(($) => $.name)}
        description={t(($) => $.nameHint)}
        {...form.getInputProps("companyName")}
      />
      <TextInput
        label={common(($) => $.fields.legalName)}
        description={t(($) => $.legalNameHint)}
        {...form.getInputProps("legalName")}
      />
    </SimpleGrid>
    <OlderData form={form} settings={settings} />
    <AddressFields form={form} name="address" legend={common(($) => $.fields.address)} />
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <TextInput label={common(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={common(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      <TextInput label={common(($) => $.fields.website)} inputMode="url" {...form.getInputProps("website")} />
      <div>
        <TextInput label={common(($) => $.fields.vatId)} {...form.getInputProps("vatId")} />
        <VatIdNote
          taxId={form.values.vatId}
          country={form.values.address.country}
          onTaxId={(next) => form.setFieldValue("vatId", next)}
        />
      </div>
      <TextInput label={common(($) => $.fields.taxNumber)} {...form.getInputProps("taxNumber")} />
      <TextInput label={common(($) => $.fields.registrationId)} {...form.getInputProps("registrationId")} />
    </SimpleGrid>
  </Section>
)

/** The date up to which invoices and payments do not change any more. */
function LockSection({ form }: SectionProps) {
  const { today } = useMe().company
  return (
    <Section title={t(($) => $.locked)}>
      <Text size="sm">{t(($) => $.lockedHint)}</Text>
      <DayInput
        label={common(($) => $.fields.lockedUntil)}
        w={{ base: "100%", sm: 260 }}
        clearable
        maxDate={today}
        {...form.getInputProps("lockedUntil")}
      />
    </Section>
  )
}

/** Asks before a locked period is opened again. Returns false if the user declines. */
async function mayUnlock(until: string | null, next: string | null): Promise<boolean> {
  const isOpening = until !== null && (!next || (isDay(next) && next < until))
  if (!isOpening) return true
  const answer = await confirm({
    title: t(($) => $.unlock),
    text: next
      ? t(($) => $.unlockSome, { until: date(until), next: date(next) })
      : t(($) => $.unlockAll, { until: date(until) }),
    action: t(($) => $.unlockAction),
  })
  return answer !== null
}

type IbanInputProps = {
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
  "data-path"?: string
}

/** DE89370400440532013000 → DE89 3704 0044 0532 0130 00 */
const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, "$1 ")

/** An IBAN, in groups of four while it is not edited. Its checksum is checked when the user leaves it. */
export function IbanInput({ value = "", onChange, error, "data-path": path }: IbanInputProps) {
  const [isEditing, setEditing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // On focus the text loses its spaces, and the browser drops its selection. Typing must replace the text.
  useLayoutEffect(() => {
    if (isEditing) input.current?.select()
  }, [isEditing])
  return (
    <TextInput
      label={common(($) => $.fields.iban)}
      data-path={path}
      autoComplete="off"
      spellCheck={false}
      maxLength={42}
      {...selectAllOnClick}
      ref={input}
      value={isEditing ? value : grouped(value)}
      error={isEditing ? error : (problemOf(value) ?? error)}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onFocus={() => setEditing(true)}
      onBlur={() => {
        setEditing(false)
        if (tidyBankCode(value) !== value) onChange?.(tidyBankCode(value))
      }}
    />
  )
}

function problemOf(iban: string): string | null {
  const message = iban === "" ? null : errorOfIban(tidyBankCode(iban))
  return message && fieldMessage({ field: "iban", code: "FORMAT", message, params: { format: "iban" } })
}

export const languageChoices = languages.map((value) => ({
  value,
  label: common(($) => $.values.language[value]),
}))
export const correctionChoices = (["cancel", "credit-note"] as const).map((value) => ({
  value,
  label: common(($) => $.values.correctBy[value]),
}))

const invoiceFromChoices = (["ordered", "delivered"] as const).map((value) => ({
  value,
  label: common(($) => $.values.invoiceFrom[value]),
}))

/** What new documents contain unless they, the customer or the item say otherwise. */
const DocumentSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.documents)}>
    <Textarea
      label={common(($) => $.fields.documentFooter)}
      description={t(($) => $.footerHint)}
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps("documentFooter")}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <div>
        <SuggestInput
          label={common(($) => $.fields.defaultPaymentTerms)}
          description={t(($) => $.termsHint)}
          data={paymentTerms}
          {...form.getInputProps("defaultPaymentTerms")}
        />
        <TermsNote terms={form.values.defaultPaymentTerms} />
      </div>
      <Select
        label={common(($) => $.fields.defaultLanguage)}
        description={t(($) => $.languageHint)}
        data={languageChoices}
        allowDeselect={false}
        {...form.getInputProps("defaultLanguage")}
      />
      <TextInput
        label={common(($) => $.fields.defaultUnit)}
        description={t(($) => $.unitHint)}
        maxLength={20}
        {...form.getInputProps("defaultUnit")}
      />
      <DefaultTaxCode form={form} />
      <Select
        label={common(($) => $.fields.correctBy)}
        description={common(($) => $.values.correctByMeaning[form.values.correctBy])}
        data={correctionChoices}
        allowDeselect={false}
        {...form.getInputProps("correctBy")}
      />
      <Select
        label={common(($) => $.fields.invoiceFrom)}
        description={t(($) => $.invoiceFromHint)}
        data={invoiceFromChoices}
        allowDeselect={false}
        {...form.getInputProps("invoiceFrom")}
      />
    </SimpleGrid>
    <Switch
      label={common(($) => $.fields.pricesIncludeTax)}
      description={t(($) => $.pricesHint)}
      {...form.getInputProps("pricesIncludeTax", { type: "checkbox" })}
    />
  </Section>
)

const DefaultTaxCode = ({ form }: SectionProps) => (
  <div>
    <TaxCodeField
      label={common(($) => $.fields.defaultTaxCode)}
      description={t(($) => $.defaultTaxCodeHint)}
      data-path="defaultTaxCode"
      value={form.values.defaultTaxCode}
      error={form.errors["defaultTaxCode"]}
      onPick={(next) => form.setFieldValue("defaultTaxCode", next?.id ?? "")}
    />
    <Anchor component={Link} href="/settings/tax-codes" size="sm" mt={4} display="inline-block">
      {common(($) => $.kinds["tax-codes"].title)}
    </Anchor>
  </div>
)

const MoneySection = ({ form, isProposed }: SectionProps & { isProposed: boolean }) => (
  <Section title={t(($) => $.moneyAndTime)}>
    {isProposed && <Alert variant="light">{t(($) => $.proposed)}</Alert>}
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <SearchSelect
        label={t(($) => $.currency)}
        description={t(($) => $.currencyHint)}
        data={currencyChoices(form.values.currency)}
        {...form.getInputProps("currency")}
      />
      <SearchSelect
        label={t(($) => $.timeZone)}
        description={t(($) => $.timeZoneHint)}
        data={timeZoneChoices(form.values.timeZone)}
        {...form.getInputProps("timeZone")}
      />
    </SimpleGrid>
  </Section>
)

const policies = ["block", "warn", "off"] as const

const SalesSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.sales)}>
    <Select
      label={t(($) => $.creditLimits)}
      description={common(($) => $.values.creditPolicyMeaning[form.values.creditPolicy])}
      data={policies.map((value) => ({ value, label: common(($) => $.values.creditPolicy[value]) }))}
      allowDeselect={false}
      {...form.getInputProps("creditPolicy")}
    />
    <Switch
      label={t(($) => $.negativeStock)}
      description={t(($) => $.negativeStockHint)}
      {...form.getInputProps("allowNegativeStock", { type: "checkbox" })}
    />
    <Switch
      label={common(($) => $.fields.publicPages)}
      description={t(($) => $.publicPagesHint)}
      {...form.getInputProps("publicPages", { type: "checkbox" })}
    />
  </Section>
)

const requirements = ["nobody", "admins", "everybody"] as const

const AccessSection = ({ form }: SectionProps) => (
  <Section title={t(($) => $.access)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={t(($) => $.defaultPlan)}
        description={t(($) => $.defaultPlanHint)}
        data={planNames.map((value) => ({ value, label: common(($) => $.values.plan[value]) }))}
        allowDeselect={false}
        {...form.getInputProps("defaultPlan")}
      />
      <Select
        label={t(($) => $.requireSecondFactor)}
        description={t(($) => $.requireSecondFactorHint)}
        data={requirements.map((value) => ({
          value,
          label: common(($) => $.values.requireSecondFactor[value]),
        }))}
        allowDeselect={false}
        {...form.getInputProps("requireSecondFactor")}
      />
      <NumberField
        label={t(($) => $.sessionTimeout)}
        description={durationInWords(Number(form.values.sessionIdleMinutes))}
        {...form.getInputProps("sessionIdleMinutes")}
      />
    </SimpleGrid>
  </Section>
)

const currencyNames = new Intl.DisplayNames([...locales], { type: "currency" })
const codes = currencyCodes()
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")]

/** Adds the current value if the list does not contain it. */
const withCurrent = (values: string[], current: string) =>
  values.includes(current) || current === "" ? values : [current, ...values]

export const currencyChoices = (current: string) =>
  withCurrent(codes, current).map((code) => ({
    value: code,
    label: `${code} – ${currencyNames.of(code) ?? code}`,
  }))

export const timeZoneChoices = (current: string) =>
  withCurrent(zones, current).map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))

const inUnit = (unit: string, minutes: number) => ({
  minutes,
  format: new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }),
})
const units = [inUnit("day", 1_440), inUnit("hour", 60), inUnit("minute", 1)]
const listed = new Intl.ListFormat(language, { type: "unit" })

/** 1500 → 1 day, 1 hour. The text ends with the minimum. */
function durationInWords(minutes: number): string {
  let rest = Math.round(minutes)
  if (!(rest >= 60)) return t(($) => $.minimum)
  const parts = units.flatMap(({ minutes: size, format }) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [format.format(count)]
  })
  return t(($) => $.durationAndMinimum, { duration: listed.format(parts) })
}
