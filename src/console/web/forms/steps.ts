/**
 * Steps back and forth in the browser's history. The browser takes them before anybody can be asked: so each entry is
 * numbered, and a step away from a page that must not be left yet is taken back.
 */
type Guard = { isGuarded: () => boolean; mayLeave: () => Promise<boolean> }

let here = 0
/** The page that stays on the screen while the address is elsewhere for a moment. */
let held: string | null = null

/** The path of the page that is shown. */
export const shownPath = (): string => held ?? location.pathname

export function guardSteps({ isGuarded, mayLeave }: Guard): void {
  let shown = location.pathname
  let isAsking = false

  const arrive = () => {
    const known = numberOf(history.state)
    here = known ?? here
    if (known === null) history.replaceState({ ...history.state, [key]: here }, "")
    shown = location.pathname
  }
  here = numberOf(history.state) ?? 0
  arrive()
  // wouter, which the pages are led by, tells of these.
  window.addEventListener("pushState", () => {
    here += 1
    arrive()
  })
  window.addEventListener("replaceState", arrive)

  const ask = async (steps: number) => {
    if (isAsking) return
    isAsking = true
    const isMeant = await mayLeave()
    isAsking = false
    if (isMeant) history.go(steps)
  }

  window.addEventListener(
    "popstate",
    (event) => {
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
    },
    { capture: true },
  )
}

const key = "kontor-step"

function numberOf(state: unknown): number | null {
  const number = (state as Record<string, unknown> | null)?.[key]
  return typeof number === "number" ? number : null
}
