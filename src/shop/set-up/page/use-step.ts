import { useForm } from "@mantine/form"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { call } from "../../../console/api/client"
import type { Settings } from "../../../console/api/types"
import { type Body, changedBody, emptyAsNull, isSame } from "../../../console/forms/body"
import { placeError, useFormError } from "../../../console/forms/field-errors"
import { useAttempt } from "../../../console/forms/use-record-form"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { tellDone, tellWarnings } from "../../../console/parts/tell"
import { nextStep, type SetUpStep, setUpSteps, stepAfter } from "../../../shared/set-up"
import { valuesOf } from "../../../trade/company/page/values"
import { t } from "./texts"

type Values = ReturnType<typeof valuesOf>

export const pathOf = (step: SetUpStep): string => `/settings/set-up/${step}`

export type StepProps = { settings: Settings }

type Options = {
  step: SetUpStep
  settings: Settings
  /** The fields of the step. No other field is sent. */
  fields: readonly (keyof Values & keyof Settings)[]
  /** What the form begins with, instead of what is stored. It is sent with the step, and not before. */
  proposals?: Partial<Values>
  /** Stores what is not a setting before the settings are stored. Returns more settings. */
  before?: (values: Values) => Promise<Body>
}

/** The form of a step. Saving it stores its fields and the step that comes next, together. */
export function useStep({ step, settings, fields, proposals = {}, before }: Options) {
  // Somebody may change other settings meanwhile.
  const [base] = useState(settings)
  const form = useForm<Values>({ initialValues: { ...valuesOf(base), ...proposals } })
  const [error, setError] = useFormError(form.values)
  const attempt = useAttempt()
  const release = useUnsavedGuard(form.isDirty())
  const goOn = useGoOn(step, settings)
  const sent = (values: Values): Body =>
    emptyAsNull(Object.fromEntries(fields.map((field) => [field, values[field]])))
  const save = () =>
    attempt.run(async () => {
      setError(null)
      form.clearErrors()
      try {
        const more = (await before?.(form.values)) ?? {}
        await goOn({ ...changedBody(sent(valuesOf(base)), sent(form.values)), ...more }, release)
      } catch (failed) {
        setError(placeError(form, failed))
      }
    })
  /** Goes on without storing what was typed. */
  const skip = () =>
    attempt.run(() => goOn({}, release).catch((failed: unknown) => setError(placeError(form, failed))))
  const isProposed = !isSame(sent(valuesOf(base)), sent({ ...valuesOf(base), ...proposals }))
  return { form, error, isSaving: attempt.isSaving, save, skip, isProposed, ...noConflict }
}

const noConflict = { conflict: null, keepMine: () => null, takeTheirs: () => {}, loadNewer: null }

/** Stores settings together with the next step, and opens that step; after the last one, the dashboard. */
export function useGoOn(step: SetUpStep, { setUpStep: stored }: Settings) {
  const client = useQueryClient()
  const [, go] = useLocation()
  return async (body: Body, release: () => void = () => {}): Promise<void> => {
    const next = stepAfter(step)
    const { warnings } = await call<Settings>("PUT", "/settings", {
      body: { ...body, setUpStep: nextStep(step, stored) },
    })
    await client.invalidateQueries()
    tellWarnings(warnings)
    release()
    if (next === null) tellDone(t(($) => $.finished))
    go(next === null ? "/" : pathOf(next))
  }
}

/** The step of a URL, or else the one at which the set-up was left. */
export const stepOf = (named: string | undefined, settings: Settings): SetUpStep =>
  setUpSteps.find((step) => step === named) ?? settings.setUpStep ?? "company"
