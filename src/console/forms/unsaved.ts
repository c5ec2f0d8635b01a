import { useEffect, useRef, useSyncExternalStore } from "react"
import { useBrowserLocation, useLocationProperty } from "wouter/use-browser-location"
import { confirm } from "../parts/confirm"
import { t } from "../texts"

/**
 * Guards the back and forward buttons of the browser. The browser navigates before the user can confirm, so each
 * history entry has a number, and a step away from a page with unsaved changes is reverted.
 */
type Guard = { isGuarded: () => boolean; mayLeave: () => Promise<boolean> }

/** The number of the history entry of the current page. */
let currentNumber = 0
/** The path of the current page, after the last allowed step. */
let currentPath = ""
/** The path of the page to keep on screen while the URL is temporarily different. */
let pathToKeep: string | null = null

/** Returns the path of the page on screen. */
const shownPath = (): string => pathToKeep ?? location.pathname

function guardSteps(guard: Guard): void {
  currentNumber = numberOf(history.state) ?? 0
  arrive()
  // wouter, the router of the console, dispatches these events.
  window.addEventListener("pushState", () => {
    currentNumber += 1
    arrive()
  })
  window.addEventListener("replaceState", arrive)
  const ask = askOnce(guard)
  window.addEventListener("popstate", (event) => onStep(event, guard, ask), { capture: true })
}

/** Accepts the browser's current history entry as the page on screen. Numbers the entry if it has no number. */
function arrive(): void {
  const known = numberOf(history.state)
  currentNumber = known ?? currentNumber
  if (known === null) history.replaceState({ ...history.state, [key]: currentNumber }, "")
  currentPath = location.pathname
}

/** Returns a function that asks the user whether to leave the page, then navigates. It asks only once at a time. */
function askOnce({ mayLeave }: Guard): (steps: number) => Promise<void> {
  let isAsking = false
  return async (steps) => {
    if (isAsking) return
    isAsking = true
    const isAllowed = await mayLeave()
    isAsking = false
    if (isAllowed) history.go(steps)
  }
}

function onStep(event: PopStateEvent, { isGuarded }: Guard, ask: (steps: number) => Promise<void>): void {
  const to = numberOf(history.state)
  if (pathToKeep !== null) {
    event.stopImmediatePropagation()
    if (to === null || to === currentNumber) pathToKeep = null
    else history.go(currentNumber - to)
    return
  }
  // A link to an anchor on the same page also creates an entry.
  if (to === null) currentNumber += 1
  if (location.pathname === currentPath || to === null || to === currentNumber || !isGuarded())
    return arrive()
  event.stopImmediatePropagation()
  pathToKeep = currentPath
  history.go(currentNumber - to)
  void ask(to - currentNumber)
}

const key = "kontor-step"

function numberOf(state: unknown): number | null {
  const number = (state as Record<string, unknown> | null)?.[key]
  return typeof number === "number" ? number : null
}

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
export async function mayLeave(): Promise<boolean> {
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
