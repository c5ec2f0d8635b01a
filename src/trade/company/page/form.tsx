import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { numberKindNames } from "../../../shared/number-format"
import type { Settings, TaxCode } from "../../../console/api/types"
import { date } from "../../../console/format"
import { emptyAsNull } from "../../../console/forms/body"
import { RecordForm } from "../../../console/forms/record-form"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { t } from "../../../console/texts"
import { BankSection } from "./bank-section"
import { CompanySection } from "./company-section"
import { DocumentSection } from "./document-section"
import { EInvoiceSection } from "./e-invoice-section"
import { LockSection, mayUnlock } from "./lock-section"
import { LogoSection } from "./logo-section"
import { NumberSection } from "./number-section"
import { AccessSection, MoneySection, SalesSection } from "./other-sections"
import { proposal } from "./proposal"
import { UnitSection } from "./unit-section"
import { unitCodesOf } from "./units"
import { valuesOf, type SectionProps } from "./values"

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
    onSaved: () => tellDone(t(($) => $.company.saved)),
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
    if (field === "lockedUntil") return date(String(value))
    if (field === "defaultLanguage") return t(($) => $.values.language[value as Settings["defaultLanguage"]])
    if (field === "defaultTaxCode") return client.getQueryData<TaxCode>(["tax-codes", value])?.code
    if (field !== "numberFormats" && field !== "numberStarts") return undefined
    const given = value as Settings["numberFormats" | "numberStarts"]
    return numberKindNames
      .map((kind) => `${t(($) => $.company.format[kind])}: ${given[kind] ?? "–"}`)
      .join(", ")
  }
