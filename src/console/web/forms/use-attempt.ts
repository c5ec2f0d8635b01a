import { useRef, useState } from "react"

/** Runs one save at a time. A second click during a save does nothing. */
export function useAttempt() {
  const isUnderWay = useRef(false)
  const [isSaving, setSaving] = useState(false)
  const run = async (attempt: () => Promise<void>): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setSaving(true)
    try {
      await attempt()
    } finally {
      isUnderWay.current = false
      setSaving(false)
    }
  }
  return { isSaving, run, isUnderWay: () => isUnderWay.current }
}
