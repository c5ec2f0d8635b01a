/**
 * Guards the back and forward buttons of the browser. The browser navigates before the user can confirm, so each
 * history entry has a number, and a step away from a page with unsaved changes is reverted.
 */
type Guard = { isGuarded: () => boolean; mayLeave: () => Promise<boolean> }

/** The number of the history entry of the current page. */
let here = 0
/** The path of the current page, after the last allowed step. */
let shown = ""
/** The path of the page to keep on screen while the URL is temporarily different. */
let held: string | null = null

/** Returns the path of the page on screen. */
export const shownPath = (): string => held ?? location.pathname

export function guardSteps(guard: Guard): void {
  here = numberOf(history.state) ?? 0
  arrive()
  // wouter, the router of the console, dispatches these events.
  window.addEventListener("pushState", () => {
    here += 1
    arrive()
  })
  window.addEventListener("replaceState", arrive)
  const ask = askOnce(guard)
  window.addEventListener("popstate", (event) => onStep(event, guard, ask), { capture: true })
}

/** Accepts the browser's current history entry as the page on screen. Numbers the entry if it has no number. */
function arrive(): void {
  const known = numberOf(history.state)
  here = known ?? here
  if (known === null) history.replaceState({ ...history.state, [key]: here }, "")
  shown = location.pathname
}

/** Asks the user whether to leave the page, then navigates. Only one question is open at a time. */
function askOnce({ mayLeave }: Guard): (steps: number) => Promise<void> {
  let isAsking = false
  return async (steps) => {
    if (isAsking) return
    isAsking = true
    const isMeant = await mayLeave()
    isAsking = false
    if (isMeant) history.go(steps)
  }
}

function onStep(event: PopStateEvent, { isGuarded }: Guard, ask: (steps: number) => Promise<void>): void {
  const to = numberOf(history.state)
  if (held !== null) {
    event.stopImmediatePropagation()
    if (to === null || to === here) held = null
    else history.go(here - to)
    return
  }
  // A link to an anchor on the same page also creates an entry.
  if (to === null) here += 1
  if (location.pathname === shown || to === null || to === here || !isGuarded()) return arrive()
  event.stopImmediatePropagation()
  held = shown
  history.go(here - to)
  void ask(to - here)
}

const key = "kontor-step"

function numberOf(state: unknown): number | null {
  const number = (state as Record<string, unknown> | null)?.[key]
  return typeof number === "number" ? number : null
}
