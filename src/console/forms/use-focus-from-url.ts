import { useEffect } from "react"
import { useSearch } from "wouter"

/** The parameter of the URL that names the field to focus: /settings/company?focus=vatId. */
const parameter = "focus"
/** For how many frames a field may be missing, because its page still renders. */
const patience = 60

/** Returns the field that the URL names; null if it names none. */
export const useWantedField = (): string | null => new URLSearchParams(useSearch()).get(parameter)

/** Focuses the field that the URL names, once: the parameter is then removed from the URL. */
export function useFocusFromUrl(): void {
  const wanted = useWantedField()
  useEffect(() => {
    if (wanted === null) return
    let frame = 0
    const attempt = (left: number) => {
      const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(wanted)}"]`)
      if (!field && left > 0) return void (frame = requestAnimationFrame(() => attempt(left - 1)))
      field?.focus({ preventScroll: true })
      field?.scrollIntoView({ block: "center" })
      replaceParameters([parameter])
    }
    // The page is shown from its top first.
    frame = requestAnimationFrame(() => attempt(patience))
    return () => cancelAnimationFrame(frame)
  }, [wanted])
}

/** Removes parameters from the URL, and sets others, without a new entry in the history. */
export function replaceParameters(removed: readonly string[], set: Record<string, string> = {}): void {
  const url = new URL(location.href)
  for (const name of removed) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(set)) url.searchParams.set(name, value)
  history.replaceState(history.state, "", url)
}
