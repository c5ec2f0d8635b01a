import { useEffect, useRef } from "react"
import { showTop } from "../parts/page"

/** The time in ms that a closing dialog gets to restore the focus itself. */
const waitTime = 100

/** Moves the focus to the top of the open dialog, or of the page if no dialog is open. */
export function focusTop(): void {
  const place =
    [...document.querySelectorAll<HTMLElement>("[aria-modal=true]")].at(-1) ??
    document.querySelector<HTMLElement>("#content h1[tabindex]") ??
    document.getElementById("content")
  place?.focus({ preventScroll: true })
}

/** Shows each new page from its top. After the Back and Forward buttons the browser restores the position itself. */
export function useTopOfNewPages(path: string): void {
  const isStep = useRef(true)
  useEffect(() => {
    const note = ({ type }: Event) => void (isStep.current = type === "popstate")
    // wouter, the router of the console, dispatches the first two.
    const events = ["pushState", "replaceState", "popstate"]
    for (const event of events) window.addEventListener(event, note)
    return () => {
      for (const event of events) window.removeEventListener(event, note)
    }
  }, [])
  useEffect(() => {
    if (!isStep.current) showTop()
  }, [path])
}

/**
 * Restores the focus after dialogs. A dialog returns the focus to the element that opened it, but the action in the
 * dialog may remove that element. The browser would then focus nothing.
 */
export function useFocusAfterDialogs(): void {
  useEffect(() => {
    // The focused element, if it is in a dialog or got the focus from a closing dialog.
    let watched: Element | null = null
    let isInDialog = false
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const wasInDialog = isInDialog
      isInDialog = target.closest("[aria-modal=true]") !== null
      watched = isInDialog || wasInDialog ? target : null
    }
    const isLost = () => watched?.isConnected === false && document.activeElement === document.body
    const check = () => isLost() && setTimeout(() => isLost() && focusTop(), waitTime)
    const observer = new MutationObserver(check)
    document.addEventListener("focusin", note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener("focusin", note)
      observer.disconnect()
    }
  }, [])
}
