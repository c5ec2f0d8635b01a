import { Button, Group, Select, SimpleGrid, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { messageOf } from "../../../console/api/client"
import { useRead } from "../../../console/api/hooks"
import type { Settings } from "../../../console/api/types"
import { SuggestInput } from "../../../console/forms/search-select"
import { useAttempt } from "../../../console/forms/use-record-form"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Section } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import type { NumberSeries } from "../../../office/settings/numbers"
import { paymentTerms } from "../../../trade/page/suggestions"
import { correctionChoices, IbanInput, languageChoices } from "../../../trade/company/page/form"
import { LogoSection } from "../../../trade/company/page/logo-section"
import { defaultFormats, numberKinds } from "../../../trade/company/page/numbering"
import { KindFields, Tokens } from "../../../trade/company/page/number-section"
import { t as company } from "../../../trade/company/page/texts"
import { type Defaults, defaultsOf } from "./defaults"
import { StepForm } from "./step-form"
import { t } from "./texts"
import { type StepProps, useGoOn, useStep } from "./use-step"

const defaultsIn = ({ address }: Settings): Defaults =>
  defaultsOf(address?.country ?? null, navigator.languages)

/** How numbers are written. A format that somebody has chosen is kept. */
export function NumberStep({ settings }: StepProps) {
  const { data: series = [] } = useRead<NumberSeries[]>("/settings/number-series")
  const { numberFormats } = defaultsIn(settings)
  const formats = Object.fromEntries(
    numberKinds.map((kind) => {
      const stored = settings.numberFormats[kind]
      return [kind, stored === defaultFormats[kind] ? (numberFormats[kind] ?? stored) : stored]
    }),
  ) as Settings["numberFormats"]
  const state = useStep({
    step: "numbers",
    settings,
    fields: ["numberFormats", "numberStarts"],
    proposals: { numberFormats: formats },
  })
  return (
    <StepForm state={state} proposed={t(($) => $.proposedGerman)}>
      <Text size="sm">{t(($) => $.numbersHint)}</Text>
      {numberKinds.map((kind) => (
        <KindFields key={kind} kind={kind} form={state.form} settings={settings} series={series} />
      ))}
      <Section title={t(($) => $.parts)}>
        <Tokens />
      </Section>
    </StepForm>
  )
}

const documentFields = [
  "defaultLanguage",
  "defaultUnit",
  "defaultPaymentTerms",
  "correctBy",
  "iban",
  "bic",
  "bankName",
] as const

/** What documents say. What somebody has chosen is kept. */
export function DocumentStep({ settings }: StepProps) {
  const { language, unit, terms, correctBy } = defaultsIn(settings)
  const state = useStep({
    step: "documents",
    settings,
    fields: documentFields,
    proposals: {
      ...(settings.defaultLanguage === "en" && { defaultLanguage: language }),
      ...(settings.defaultUnit === null && { defaultUnit: unit }),
      ...(settings.defaultPaymentTerms === null && { defaultPaymentTerms: terms }),
      ...(settings.correctBy === "cancel" && { correctBy }),
    },
  })
  const { form } = state
  return (
    <StepForm
      state={state}
      proposed={unit === "" ? t(($) => $.proposedLanguage) : t(($) => $.proposedGerman)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t(($) => $.language)}
          description={t(($) => $.languageHint)}
          data={languageChoices}
          allowDeselect={false}
          {...form.getInputProps("defaultLanguage")}
        />
        <SuggestInput
          label={common(($) => $.fields.defaultPaymentTerms)}
          description={t(($) => $.termsHint)}
          data={paymentTerms}
          {...form.getInputProps("defaultPaymentTerms")}
        />
        <TextInput
          label={common(($) => $.fields.defaultUnit)}
          description={t(($) => $.unitHint)}
          maxLength={20}
          {...form.getInputProps("defaultUnit")}
        />
        <Select
          label={common(($) => $.fields.correctBy)}
          description={common(($) => $.values.correctByMeaning[form.values.correctBy])}
          data={correctionChoices}
          allowDeselect={false}
          {...form.getInputProps("correctBy")}
        />
      </SimpleGrid>
      <Section title={company(($) => $.bank)}>
        <Text size="sm" c="dimmed">
          {company(($) => $.bankHint)}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <IbanInput {...form.getInputProps("iban")} />
          <TextInput label={common(($) => $.fields.bic)} autoComplete="off" {...form.getInputProps("bic")} />
          <TextInput label={common(($) => $.fields.bankName)} {...form.getInputProps("bankName")} />
        </SimpleGrid>
      </Section>
    </StepForm>
  )
}

/** The logo, which is stored at once, and the end of the set-up. */
export function LogoStep({ settings }: StepProps) {
  const [error, setError] = useState<string | null>(null)
  const { isSaving, run } = useAttempt()
  const goOn = useGoOn("logo", settings)
  const finish = () => run(() => goOn({}).catch((failed: unknown) => setError(messageOf(failed))))
  return (
    <>
      <LogoSection hash={settings.logo} />
      <Text size="sm">{t(($) => $.laterHint)}</Text>
      <ErrorAlert message={error} />
      <Group>
        <Button loading={isSaving} onClick={() => void finish()}>
          {t(($) => $.finish)}
        </Button>
      </Group>
    </>
  )
}
