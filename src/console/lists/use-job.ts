import { useEffect, useRef, useState } from "react"
import type { Job } from "./job-progress"

/** Shows how far the work is. */
export type ShowProgress<P = Omit<Job, "onStop">> = (progress: P) => void

/** Long work, one at a time, with its progress. It stops when the user leaves the page. */
export function useJob<P extends object = Omit<Job, "onStop">>() {
  const [job, setJob] = useState<(P & { onStop: () => void }) | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async <R>(work: (signal: AbortSignal, show: ShowProgress<P>) => Promise<R>): Promise<R> => {
    const controller = new AbortController()
    running.current = controller
    try {
      return await work(controller.signal, (progress) =>
        setJob({ ...progress, onStop: () => controller.abort() }),
      )
    } finally {
      setJob(null)
    }
  }
  return { job, start }
}
