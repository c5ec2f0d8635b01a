import { useEffect, useRef, useState } from "react"
import { useLocation } from "wouter"
import { useUnsavedGuard } from "../../../console/forms/unsaved"
import { t } from "./texts"
import {
  fieldsOf,
  type Import,
  type ImportKind,
  type ImportMode,
  nameOfField,
  neededFields,
  type DuplicateChoice,
  type PriceSense,
  standInsOf,
} from "./kinds"
import {
  extensionOf,
  type GivenFormat,
  problemOf,
  queryOf,
  sendFile,
  type SendOptions,
  type Settings,
} from "./upload"
import { cancelImport, hasEnded, useImport } from "./import"
import { ApiError } from "../../../console/api/send"
import { newKey } from "../../../console/forms/use-record-form"
import { sendingErrorInWords } from "./found/faults"
import { language } from "../../../console/texts"

/** The steps of the wizard. The import itself has a page of its own, so that one can come back to it. */
export type Step = "file" | "columns" | "check"

/** The file, how it is to be imported, and the id of its check on the server. */
type Checked = {
  file: File
  settings: Settings
  id: string
  /** The titles of the file before it, if it is read in the same way. */
  keptFor: string | null
}

/** Checks a file as often as the person changes how it is to be read, and imports it then. */
export function useWizard(kind: ImportKind) {
  const { step, setStep, change, ...checks } = useChecks(kind)
  const { checked, check, sending } = checks
  const matching = useMatching(check.recognized)
  const shownStep = check.recognized === null ? "file" : step
  return {
    ...checks,
    step: shownStep,
    matching,
    /** Goes back to a step. The check is stopped, so that the next one does not wait for it, and so is a file on its way. */
    goBack: (to: Step) => {
      sending.stopCheck()
      check.stop()
      setStep(to)
    },
    /** Another format means other columns, so they are matched again. */
    setFormat: (format: GivenFormat) =>
      change({ format: { ...checked?.settings.format, ...format }, mapping: null }, "columns"),
    /** Reads the prices of a field as with or without tax. The columns stay as they are chosen. */
    setPrices: (field: string, sense: PriceSense) =>
      change(
        { prices: { ...checked?.settings.prices, [field]: sense }, mapping: matching.mapping() },
        "columns",
      ),
    setSkipTotals: (skipTotals: boolean) => change({ skipTotals }, "check"),
    setMode: (mode: ImportMode) => change({ mode }, "check"),
    setDuplicates: (duplicates: DuplicateChoice) => change({ duplicates }, "check"),
    checkColumns: () =>
      matching.isChanged || check.isStopped
        ? change({ mapping: matching.mapping() }, "check")
        : setStep("check"),
    // The browser does not keep the file, and the matching of its columns is lost too.
    start: useStart(checked, sending, useUnsavedGuard(shownStep !== "file", leavingText)),
  }
}

function useChecks(kind: ImportKind) {
  const [step, setStep] = useState<Step>("file")
  const [checked, setChecked] = useState<Checked | null>(null)
  const sending = useSending()
  const check = useCheck(checked?.id ?? null)

  /** Sends the file to be checked, and shows a step when the server has it. */
  const send = (file: File, settings: Settings, next: Step, keptFor: string | null = null) =>
    sending.run({
      text: textOf(file, settings, dry),
      purpose: "check",
      work: async (sent) => {
        const { id } = await sendFile(file, settings, dry, sent)
        // Nobody waits for it any more.
        if (sent.signal.aborted) return void cancelImport(id).catch(() => {})
        check.replace(id, file !== checked?.file)
        setChecked({ file, settings, id, keptFor })
        setStep(next)
      },
    })
  const choose = (file: File) => {
    const problem = problemOf(file)
    if (problem) return sending.setError(problem)
    const kept = checked && check.recognized && isLike(file, kind, checked) ? checked.settings : null
    const settings = { ...newSettings, kind, ...kept, mapping: null }
    void send(file, settings, "columns", kept && check.recognized && titlesOf(check.recognized))
  }
  const change = (settings: Partial<Settings>, next: Step) =>
    checked && void send(checked.file, { ...checked.settings, ...settings }, next)
  useOtherTitles(checked, check, sending, () => change({ ...newSettings }, "columns"))
  return { step, setStep, checked, check, sending, choose, change }
}

const newSettings = {
  mode: "create",
  format: {},
  mapping: null,
  prices: {},
  skipTotals: true,
  // The same file once more creates nothing twice.
  duplicates: "skip",
} as const

/** True if a file may be the corrected version of the one before it. */
const isLike = (file: File, kind: ImportKind, { settings, file: before }: Checked): boolean =>
  settings.kind === kind && extensionOf(file.name) === extensionOf(before.name)

/** Reads a file again without the settings of the file before it, if it has other titles or cannot be read with them. */
function useOtherTitles(
  checked: Checked | null,
  { data, recognized }: Check,
  { isSending }: Sending,
  readAgain: () => void,
): void {
  const hasOtherTitles =
    checked?.keptFor != null &&
    data?.id === checked.id &&
    (recognized ? titlesOf(recognized) !== checked.keptFor : hasEnded(data))
  // A file that is being sent replaces this one.
  const isDue = hasOtherTitles && !isSending
  useEffect(() => {
    if (isDue) readAgain()
  }, [isDue])
}

/** Imports the file that was checked, and shows how far that is. */
function useStart(checked: Checked | null, sending: Sending, allowLeaving: () => void) {
  const [, go] = useLocation()
  return (skipInvalid: boolean): void => {
    if (!checked) return
    const { file, settings } = checked
    const options = { dryRun: false, skipInvalid }
    void sending.run({
      text: textOf(file, settings, options),
      purpose: "import",
      work: async (sent) => {
        const { id } = await sendFile(file, settings, options, sent)
        allowLeaving()
        go(`/import/${id}`)
      },
    })
  }
}

const leavingText = () => ({ text: t(($) => $.leaveText) })

export type Wizard = ReturnType<typeof useWizard>

const dry: SendOptions = { dryRun: true, skipInvalid: false }

/** Identifies an attempt to send a file. */
const textOf = (file: File, settings: Settings, options: SendOptions): string =>
  JSON.stringify([queryOf(file, settings, options).toString(), file.size, file.lastModified])

type Sent = { idempotencyKey: string; signal: AbortSignal }

/** A file that is sent: to be checked, or to be imported. */
type Attempt = { text: string; purpose: "check" | "import"; work: (sent: Sent) => Promise<void> }
type Running = Attempt & { controller: AbortController }

/**
 * Sends one file at a time. Another one replaces a file that is only to be checked. If the response is lost, the next
 * attempt with the same `text` has the same key, so that the file is imported only once. After a response, the same
 * file can be sent again on purpose.
 */
function useSending() {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<Running | null>(null)
  const last = useRef({ text: "", key: "" })
  const stop = () => running.current?.controller.abort()
  const stopCheck = () => void (running.current?.purpose === "check" && stop())
  useEffect(() => stop, [])

  const run = async ({ text, purpose, work }: Attempt): Promise<void> => {
    // A second click on the same button.
    if (running.current?.text === text && !running.current.controller.signal.aborted) return
    if (running.current?.purpose === "import") return
    stopCheck()
    const controller = new AbortController()
    const own: Running = { text, purpose, work, controller }
    running.current = own
    if (last.current.text !== text) last.current = { text, key: newKey() }
    setSending(true)
    setError(null)
    try {
      await work({ idempotencyKey: last.current.key, signal: controller.signal })
      last.current = { text: "", key: "" }
    } catch (failed) {
      if (failed instanceof ApiError && failed.status !== 0) last.current = { text: "", key: "" }
      if (!controller.signal.aborted) setError(sendingErrorInWords(failed))
    } finally {
      if (running.current === own) {
        running.current = null
        setSending(false)
      }
    }
  }
  return { run, isSending, error, setError, stop, stopCheck }
}

type Sending = ReturnType<typeof useSending>

/** A field that the column `by` has, and that the column `from` would have otherwise. */
type Taken = { field: string; from: number; by: number }

/**
 * What a person has chosen for a file with these titles: the field that each column is to be, and when it was chosen. Of
 * several columns with the same field, the one that was chosen last has it.
 */
type Chosen = { titles: string; wanted: (string | null)[]; order: number[] }

/** The kind of an import and the titles of its file. Files with the same titles have the same columns. */
const titlesOf = ({ kind, columns }: Import): string =>
  JSON.stringify([kind, ...columns.map(({ column }) => column)])

/** The column that has the field which another one is to be; null if that one has it itself. */
function takerOf({ wanted, order }: Pick<Chosen, "wanted" | "order">, index: number): number | null {
  const field = wanted[index] ?? null
  if (field === null) return null
  const rivals = wanted.flatMap((each, i) => (each === field ? [i] : []))
  const last = rivals.reduce((a, b) => ((order[b] ?? 0) > (order[a] ?? 0) ? b : a))
  return last === index ? null : last
}

/**
 * Which column is which field, as the server has matched them and as the person has changed it. Their choice stays for a
 * file that is chosen again after a correction. A column whose field another one takes has it again when that one gets
 * another field: with the arrow keys, a person passes over the fields of other columns.
 */
function useMatching(recognized: Import | null) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const columns = recognized?.columns ?? []
  const matched = columns.map(({ field }) => field)
  const isChosen = chosen !== null && recognized !== null && chosen.titles === titlesOf(recognized)
  const state = isChosen ? chosen : { wanted: matched, order: matched.map(() => 0) }
  const fields = state.wanted.map((field, i) => (takerOf(state, i) === null ? field : null))
  return {
    fields,
    /** True if the server has not checked the rows with these fields yet. */
    isChanged: fields.some((field, i) => field !== matched[i]),
    /** Sets the field of a column. Another column that has the field has none then. */
    choose: (index: number, field: string | null) =>
      setChosen({
        titles: recognized ? titlesOf(recognized) : "",
        wanted: state.wanted.map((each, i) => (i === index ? field : each)),
        order: state.order.map((each, i) => (i === index ? Math.max(...state.order) + 1 : each)),
      }),
    /** The field that a column would have, and the column that has it instead; null without one. */
    takenFrom: (index: number): Taken | null => {
      const [by, field] = [takerOf(state, index), state.wanted[index] ?? null]
      return by === null || field === null ? null : { field, from: index, by }
    },
    /** The columns that would have the field of a column, if it had not been chosen for this one. */
    takes: (index: number): number[] =>
      state.wanted.flatMap((_, i) => (takerOf(state, i) === index ? [i] : [])),
    /** The column of each field of the kind. */
    mapping: (): Map<string, string | null> =>
      new Map(
        recognized
          ? fieldsOf(recognized.kind).map((field) => [field, columns[fields.indexOf(field)]?.column ?? null])
          : [],
      ),
  }
}

export type Matching = ReturnType<typeof useMatching>

/** The check of the file on the server. A check that is no longer wanted is stopped. */
function useCheck(id: string | null) {
  const { data = null, error } = useImport(id)
  const [recognized, setRecognized] = useState<Import | null>(null)
  const [stopped, setStopped] = useState<string | null>(null)
  const running = useRef<string | null>(null)
  if (data && isRecognized(data) && data !== recognized) setRecognized(data)
  useEffect(() => {
    if (data && hasEnded(data) && data.id === running.current) running.current = null
  }, [data])
  const stop = () => {
    if (!running.current) return
    // It may have ended meanwhile.
    cancelImport(running.current).catch(() => {})
    setStopped(running.current)
    running.current = null
  }
  useEffect(() => stop, [])
  return {
    data,
    error,
    /** The newest check that has told what the file contains. */
    recognized,
    /** True while the server reads the beginning of the file. */
    isReading: id !== null && !error && !(data && (isRecognized(data) || hasEnded(data))),
    /** Stops the check, so that the next one does not wait for it. */
    stop,
    /** True when the check was stopped before its end. */
    isStopped: id !== null && stopped === id,
    /** Shows another check. What is known about another file is forgotten. */
    replace: (next: string, isOtherFile: boolean) => {
      stop()
      running.current = next
      if (isOtherFile) setRecognized(null)
    },
  }
}

export type Check = ReturnType<typeof useCheck>

/** True after the columns are matched, which is shortly after they are found. */
const isRecognized = (check: Import): boolean =>
  check.columns.length > 0 &&
  (hasEnded(check) || check.counts.rows > 0 || check.columns.some(({ field }) => field !== null))

/** Says which fields still need a column. `fields` are the fields of the columns. */
export function missingIn(
  kind: ImportKind,
  fields: readonly (string | null)[],
  mode: ImportMode,
): string | null {
  const { all, oneOf } = neededFields(kind, mode)
  const has = (field: string) => fields.includes(field)
  const names = all.filter((field) => !has(field) && !standInsOf(kind, field).some(has)).map(nameOfField)
  if (oneOf.length > 0 && !oneOf.some(has))
    names.push(new Intl.ListFormat(language, { type: "disjunction" }).format(oneOf.map(nameOfField)))
  return names.length === 0 ? null : t(($) => $.missing, { fields: names.join(", ") })
}
