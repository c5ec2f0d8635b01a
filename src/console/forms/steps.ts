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
export const shownPath = (): string => pathToKeep ?? location.pathname

export function guardSteps(guard: Guard): void {
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
