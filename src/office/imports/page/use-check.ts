import { useEffect, useRef, useState } from "react"
import type { Import } from "./kinds"
import { cancelImport, hasEnded, useImport } from "./use-import"

/** The check of the file on the server. A check that is no longer wanted is stopped. */
export function useCheck(id: string | null) {
  const { data = null, error } = useImport(id)
  const [recognized, setRecognized] = useState<Import | null>(null)
  const [stopped, setStopped] = useState<string | null>(null)
  const running = useRef<string | null>(null)
  if (data && isRecognized(data) && data !== recognized) setRecognized(data)
  useEffect(() => {
    if (data && hasEnded(data) && data.id === running.current) running.current = null
  }, [data])
  const stop = () => {
    if (!running.current) return
    // It may have ended meanwhile.
    cancelImport(running.current).catch(() => {})
    setStopped(running.current)
    running.current = null
  }
  useEffect(() => stop, [])
  return {
    data,
    error,
    /** The newest check that has told what the file contains. */
    recognized,
    /** True while the server reads the beginning of the file. */
    isReading: id !== null && !error && !(data && (isRecognized(data) || hasEnded(data))),
    /** Stops the check, so that the next one does not wait for it. */
    stop,
    /** True when the check was stopped before its end. */
    isStopped: id !== null && stopped === id,
    /** Shows another check. What is known about another file is forgotten. */
    replace: (next: string, isOtherFile: boolean) => {
      stop()
      running.current = next
      if (isOtherFile) setRecognized(null)
    },
  }
}

export type Check = ReturnType<typeof useCheck>

/** True after the columns are matched, which is shortly after they are found. */
const isRecognized = (check: Import): boolean =>
  check.columns.length > 0 &&
  (hasEnded(check) || check.counts.rows > 0 || check.columns.some(({ field }) => field !== null))
