import { useEffect, useRef } from "react"
import { useBrowserLocation, useLocationProperty } from "wouter/use-browser-location"
import { confirm } from "../parts/confirm"
import { guardSteps, shownPath } from "./steps"

/** The forms on the page that hold something which is not saved. */
const unsaved = new Set<object>()

/** Asks before the page is left with something unsaved. Returns a function that allows leaving after a save. */
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

/** Whether the page may be left: what is unsaved is given up only after the person has said so. */
async function mayLeave(): Promise<boolean> {
  if (unsaved.size === 0) return true
  const text = "What you have typed on this page is not saved yet."
  if (!(await confirm({ title: "Leave this page?", text, action: "Leave it", dismiss: "Stay" }))) return false
  unsaved.clear()
  return true
}

guardSteps({ isGuarded: () => unsaved.size > 0, mayLeave })

/** The location for the router. It changes to another page only if nothing unsaved is lost, or the person agrees. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [, go] = useBrowserLocation(options)
  const path = useLocationProperty(shownPath)
  const guarded: typeof go = async (to, how) => {
    const isElsewhere = new URL(String(to), location.href).pathname !== location.pathname
    if (!isElsewhere || (await mayLeave())) go(to, how)
  }
  return [path, guarded]
}
