import { useState } from "react"
import { useLocation } from "wouter"
import { useUnsavedGuard } from "../../forms/unsaved"
import type { ImportKind, ImportMode } from "./kinds"
import { problemOf, queryOf, sendFile, type GivenFormat, type SendOptions, type Settings } from "./upload"
import { useCheck } from "./use-check"
import { useMatching } from "./use-matching"
import { useSending, type Sending } from "./use-sending"

/** The steps of the wizard. The import itself has a page of its own, so that one can come back to it. */
export type Step = "file" | "columns" | "check"

/** The file, how it is to be imported, and the id of its check on the server. */
type Checked = { file: File; settings: Settings; id: string }

/** Checks a file as often as the person changes how it is to be read, and imports it then. */
export function useWizard(kind: ImportKind) {
  const { step, setStep, change, ...checks } = useChecks(kind)
  const { checked, check, sending } = checks
  const matching = useMatching(check.recognised)
  const shownStep = check.recognised === null ? "file" : step
  return {
    ...checks,
    step: shownStep,
    matching,
    /** Goes back to a step. The check is stopped, so that the next one does not wait for it. */
    goBack: (to: Step) => {
      check.stop()
      setStep(to)
    },
    /** Another format means other columns, so they are matched again. */
    setFormat: (format: GivenFormat) =>
      change({ format: { ...checked?.settings.format, ...format }, mapping: null }, "columns"),
    setMode: (mode: ImportMode) => change({ mode }, "check"),
    checkColumns: () =>
      matching.isChanged || check.isStopped
        ? change({ mapping: matching.mapping() }, "check")
        : setStep("check"),
    // The browser does not keep the file, and the matching of its columns is lost too.
    start: useStart(checked, sending, useUnsavedGuard(shownStep !== "file")),
  }
}

/** The file and its newest check. */
function useChecks(kind: ImportKind) {
  const [step, setStep] = useState<Step>("file")
  const [checked, setChecked] = useState<Checked | null>(null)
  const sending = useSending()
  const check = useCheck(checked?.id ?? null)

  /** Sends the file to be checked, and shows a step when the server has it. */
  const send = (file: File, settings: Settings, next: Step) =>
    sending.run(textOf(file, settings, dry), async (sent) => {
      const { id } = await sendFile(file, settings, dry, sent)
      check.replace(id, file !== checked?.file)
      setChecked({ file, settings, id })
      setStep(next)
    })
  const choose = (file: File) => {
    const problem = problemOf(file)
    if (problem) return sending.setError(problem)
    void send(file, { kind, mode: "create", format: {}, mapping: null }, "columns")
  }
  const change = (settings: Partial<Settings>, next: Step) =>
    checked && void send(checked.file, { ...checked.settings, ...settings }, next)
  return { step, setStep, checked, check, sending, choose, change }
}

/** Imports the file that was checked, and shows how far that is. */
function useStart(checked: Checked | null, sending: Sending, allowLeaving: () => void) {
  const [, go] = useLocation()
  return (skipInvalid: boolean): void => {
    if (!checked) return
    const { file, settings } = checked
    const options = { dryRun: false, skipInvalid }
    void sending.run(textOf(file, settings, options), async (sent) => {
      const { id } = await sendFile(file, settings, options, sent)
      allowLeaving()
      go(`/import/${id}`)
    })
  }
}

export type Wizard = ReturnType<typeof useWizard>

const dry: SendOptions = { dryRun: true, skipInvalid: false }

/** Identifies an attempt to send a file. */
const textOf = (file: File, settings: Settings, options: SendOptions): string =>
  JSON.stringify([queryOf(file, settings, options).toString(), file.size, file.lastModified])
