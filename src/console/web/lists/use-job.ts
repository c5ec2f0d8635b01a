import { useEffect, useRef, useState } from "react"
import type { Job } from "./job-progress"

/** Shows how far the work is. */
export type ShowProgress = (progress: Omit<Job, "onStop">) => void

/** Long work on many records, one at a time. It stops when the user leaves the page. */
export function useJob() {
  const [job, setJob] = useState<Job | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async <R>(work: (signal: AbortSignal, show: ShowProgress) => Promise<R>): Promise<R> => {
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
