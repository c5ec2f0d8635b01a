import { useEffect, useRef, useSyncExternalStore } from "react"
import { useBrowserLocation, useLocationProperty } from "wouter/use-browser-location"
import { confirm } from "../parts/confirm"
import { t } from "../texts"
import { guardSteps, shownPath } from "./steps"

/** The question that is asked before the user leaves the page. */
type Question = { title: string; text: string; action: string; dismiss: string }

const unsavedQuestion = (): Question => ({
  title: t(($) => $.forms.unsaved),
  text: t(($) => $.forms.unsavedText),
  action: t(($) => $.forms.discard),
  dismiss: t(($) => $.forms.keepEditing),
})

/** What would be lost with the page, such as the changes in a form, and what to ask before that. */
const unsaved = new Map<object, () => Question>()
const listeners = new Set<() => void>()
const tellListeners = () => {
  for (const tell of listeners) tell()
}

/** Returns whether a form on the page has unsaved changes. */
export const hasUnsaved = (): boolean => unsaved.size > 0

/**
 * Returns the value, but its earlier one while a form on the page has unsaved changes. A page that shows another form
 * for another status keeps the form in which the user types.
 */
export function useHeld<T>(value: T): T {
  const held = useRef(value)
  const isHeld = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    hasUnsaved,
    hasUnsaved,
  )
  if (!isHeld) held.current = value
  return held.current
}

/**
 * Asks before the user leaves the page with unsaved changes. `question` returns what differs from the usual question.
 * Returns a function that allows leaving after a save.
 */
export function useUnsavedGuard(isDirty: boolean, question?: () => Partial<Question>): () => void {
  const form = useRef({})
  const latest = useRef(question)
  latest.current = question
  useEffect(() => {
    if (!isDirty) return
    const mine = form.current
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    unsaved.set(mine, () => ({ ...unsavedQuestion(), ...latest.current?.() }))
    tellListeners()
    window.addEventListener("beforeunload", ask)
    return () => {
      unsaved.delete(mine)
      tellListeners()
      window.removeEventListener("beforeunload", ask)
    }
  }, [isDirty])
  return () => void unsaved.delete(form.current)
}

/** Returns whether the user may leave the page. Unsaved changes are discarded only after confirmation. */
async function mayLeave(): Promise<boolean> {
  const question = [...unsaved.values()].at(-1)
  if (!question) return true
  if (!(await confirm(question()))) return false
  unsaved.clear()
  return true
}

/** Asks whether unsaved changes may be discarded. */
export const mayDiscard = async (text?: string): Promise<boolean> =>
  (await confirm({ ...unsavedQuestion(), text })) !== null

guardSteps({ isGuarded: hasUnsaved, mayLeave })

/** The location hook of the router. It asks before it leaves a page with unsaved changes. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [, go] = useBrowserLocation(options)
  const path = useLocationProperty(shownPath)
  const guarded: typeof go = async (to, how) => {
    const isElsewhere = new URL(String(to), location.href).pathname !== location.pathname
    if (!isElsewhere || (await mayLeave())) go(to, how)
  }
  return [path, guarded]
}
