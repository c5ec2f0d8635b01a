/**
 * Steps back and forth in the browser's history. The browser takes them before anybody can be asked: so each entry is
 * numbered, and a step away from a page that must not be left yet is taken back.
 */
type Guard = { isGuarded: () => boolean; mayLeave: () => Promise<boolean> }

/** The number of the entry whose page is shown. */
let here = 0
/** The path of the page that is shown, as of the last step that was allowed. */
let shown = ""
/** The page that stays on the screen while the address is elsewhere for a moment. */
let held: string | null = null

/** The path of the page that is shown. */
export const shownPath = (): string => held ?? location.pathname

export function guardSteps(guard: Guard): void {
  here = numberOf(history.state) ?? 0
  arrive()
  // wouter, the router of the console, reports these.
  window.addEventListener("pushState", () => {
    here += 1
    arrive()
  })
  window.addEventListener("replaceState", arrive)
  const ask = askOnce(guard)
  window.addEventListener("popstate", (event) => onStep(event, guard, ask), { capture: true })
}

/** The entry that the browser is at is the one that is shown; an entry without a number gets one. */
function arrive(): void {
  const known = numberOf(history.state)
  here = known ?? here
  if (known === null) history.replaceState({ ...history.state, [key]: here }, "")
  shown = location.pathname
}

/** Asks whether the page may be left, and then takes the steps. While one question is open, no other is asked. */
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
  // A link to a place on the same page makes an entry too.
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
