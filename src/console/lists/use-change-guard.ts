import { useRef, useState } from "react"
import { useUnsavedGuard } from "../forms/unsaved"
import { number } from "../format"
import { t } from "../texts"
import type { BulkAction } from "./bulk"

/** How many records of a bulk action are changed. */
type Changed = { done: BulkAction<never>["done"]; changed: number; total: number }

/** How far a bulk action has come: "400 of 1,523 changed." */
export const changedInWords = ({ done, changed, total }: Changed): string =>
  t(($) => $.lists.done[done], {
    shown: t(($) => $.lists.shownOf, { shown: number(changed), total: number(total) }),
  })

/** Asks before the user leaves the list while a bulk action runs, because the action ends with the page. */
export function useChangeGuard() {
  const [isRunning, setRunning] = useState(false)
  const latest = useRef<Changed>({ done: "changed", changed: 0, total: 0 })
  useUnsavedGuard(isRunning, () => ({
    title: t(($) => $.lists.notFinished),
    text: `${changedInWords(latest.current)} ${t(($) => $.lists.leaveText)}`,
    action: t(($) => $.lists.leave),
    dismiss: t(($) => $.lists.stay),
  }))
  return {
    show: (changed: Changed): void => {
      latest.current = changed
    },
    /** Runs the action and asks until it has ended. */
    during: async <R>(work: () => Promise<R>): Promise<R> => {
      setRunning(true)
      try {
        return await work()
      } finally {
        setRunning(false)
      }
    },
  }
}
