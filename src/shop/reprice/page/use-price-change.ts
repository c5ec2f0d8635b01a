import { useState } from "react"
import type { Filter } from "./reprice"
import { useWatchedJobs } from "./price-job"

/** What the price dialog is opened with: the selected items, and a function that clears the selection. */
export type PriceTarget = { filter: Filter; clearSelection: () => void }

/** The open price dialog, and the job that it has started. */
type Opened = PriceTarget & { jobId: string | null }

/** The state of the price dialog. It belongs to the page, because the bar of the selection disappears with the selection. */
export function usePriceChange() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const { watch, forget } = useWatchedJobs()
  return {
    opened,
    open: (target: PriceTarget) => setOpened({ ...target, jobId: null }),
    /** The user may have closed the dialog before the server has responded. */
    start: (target: PriceTarget, jobId: string) => {
      watch(jobId)
      target.clearSelection()
      setOpened((now) => (now?.filter === target.filter ? { ...now, jobId } : now))
    },
    /** A job that has not ended goes on, and the page shows it. */
    close: (isDone: boolean) => {
      if (isDone && opened?.jobId) forget(opened.jobId)
      setOpened(null)
    },
  }
}

export type PriceChanging = ReturnType<typeof usePriceChange>
