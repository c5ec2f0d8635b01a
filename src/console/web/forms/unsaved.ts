import { useEffect, useRef } from "react"
import { useBrowserLocation } from "wouter/use-browser-location"
import { confirm } from "../parts/confirm"

/** The forms on the page that hold something which is not saved. */
const unsaved = new Set<object>()

/** Asks before the page is left with something unsaved. What is returned lets it be left after a save. */
export function useUnsavedGuard(isDirty: boolean): () => void {
  const form = useRef({})
  useEffect(() => {
    if (!isDirty) return
    const mine = form.current
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    unsaved.add(mine)
    window.addEventListener("beforeunload", ask)
    return () => {
      unsaved.delete(mine)
      window.removeEventListener("beforeunload", ask)
    }
  }, [isDirty])
  return () => void unsaved.delete(form.current)
}

/** The address, which is left for another page of the console only when nothing is lost by it. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [path, go] = useBrowserLocation(options)
  const guarded: typeof go = async (to, how) => {
    const isElsewhere = new URL(String(to), location.href).pathname !== location.pathname
    if (isElsewhere && unsaved.size > 0) {
      const text = "What you have typed on this page is not saved yet."
      if (!(await confirm({ title: "Leave this page?", text, action: "Leave it", dismiss: "Stay" }))) return
      unsaved.clear()
    }
    go(to, how)
  }
  return [path, guarded]
}
