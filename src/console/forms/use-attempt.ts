import { useRef, useState } from "react"

/** Runs one save at a time. A second click during a save does nothing. */
export function useAttempt() {
  const isRunning = useRef(false)
  const [isSaving, setSaving] = useState(false)
  const run = async (attempt: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setSaving(true)
    try {
      await attempt()
    } finally {
      isRunning.current = false
      setSaving(false)
    }
  }
  return { isSaving, run, isRunning: () => isRunning.current }
}
