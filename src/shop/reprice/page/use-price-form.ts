import { useEffect, useRef, useState } from "react"
import { tellError } from "../../../console/parts/tell"
import { startReprice } from "./job"
import { refusedErrors, typedError, type PriceErrors } from "./price-errors"
import { bodyOf, emptyForm, usePreview, type Filter } from "./reprice"

/** The form of a price change with its preview, and a function that starts the change. */
export function usePriceForm(filter: Filter, onStarted: (id: string) => void) {
  const [form, setForm] = useState(emptyForm)
  const [isStarting, setStarting] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const isOpen = useIsOpen()
  const body = bodyOf(filter, form)
  const { data, error: refused, isCurrent } = usePreview(body)
  const error = failed ?? (body ? refused : null)
  const wrong = typedError(form)
  const errors: PriceErrors = wrong !== null ? { value: wrong } : error ? refusedErrors(error, form) : {}
  const start = () => {
    if (!body) return
    setStarting(true)
    startReprice(body)
      .then(onStarted)
      .catch((cause: unknown) => {
        // The user may have closed the dialog meanwhile, and must still learn that nothing was started.
        if (!isOpen.current) return tellError(cause)
        setFailed(cause)
        setStarting(false)
      })
  }
  return {
    form,
    change: (next: typeof form) => {
      setForm(next)
      setFailed(null)
    },
    start,
    isStarting,
    errors,
    /** The preview, unless there is none for what was typed. */
    data: body && !refused ? data : undefined,
    isReady: isCurrent && refused === null,
  }
}

function useIsOpen() {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}
