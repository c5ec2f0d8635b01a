import { useEffect } from "react"

/** Time in ms for a dialog that closes to put the focus back itself. */
const grace = 100

/** Moves the focus to the top of the open dialog, or else of the page. */
export function focusTop(): void {
  const place =
    [...document.querySelectorAll<HTMLElement>("[aria-modal=true]")].at(-1) ??
    document.querySelector<HTMLElement>("#content h1[tabindex]") ??
    document.getElementById("content")
  place?.focus({ preventScroll: true })
}

/**
 * Repairs the focus after dialogs. A dialog gives the focus back to what has opened it, but that element may be removed
 * by what was done in the dialog. The browser would then leave the focus nowhere.
 */
export function useFocusAfterDialogs(): void {
  useEffect(() => {
    // What has the focus, as long as it is in a dialog or got it back from one.
    let watched: Element | null = null
    let isInDialog = false
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const wasInDialog = isInDialog
      isInDialog = target.closest("[aria-modal=true]") !== null
      watched = isInDialog || wasInDialog ? target : null
    }
    const isLost = () => watched?.isConnected === false && document.activeElement === document.body
    const look = () => isLost() && setTimeout(() => isLost() && focusTop(), grace)
    const observer = new MutationObserver(look)
    document.addEventListener("focusin", note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener("focusin", note)
      observer.disconnect()
    }
  }, [])
}
