import { useEffect, useRef, useState } from "react"
import { useIsSilent } from "../api/reach"

/**
 * The error above a form. It disappears when the user edits the form, and when the server responds again, because it is
 * no longer true then.
 */
export function useFormError(values: unknown) {
  const [error, setError] = useState<string | null>(null)
  const written = JSON.stringify(values)
  const isSilent = useIsSilent()
  const wasSilent = useRef(isSilent)
  useEffect(() => setError(null), [written])
  useEffect(() => {
    if (wasSilent.current && !isSilent) setError(null)
    wasSilent.current = isSilent
  }, [isSilent])
  return [error, setError] as const
}
