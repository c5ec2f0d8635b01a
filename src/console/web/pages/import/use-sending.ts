import { useEffect, useRef, useState } from "react"
import { ApiError } from "../../api/send"
import { newKey } from "../../forms/intentions"
import { sendingErrorInWords } from "./error-in-words"

type Sent = { idempotencyKey: string; signal: AbortSignal }

/**
 * Sends one file at a time. If the response is lost, the next attempt with the same `text` has the same key, so that the
 * file is imported only once. After a response, the same file can be sent again on purpose.
 */
export function useSending() {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const last = useRef({ text: "", key: "" })
  useEffect(() => () => running.current?.abort(), [])

  const run = async (text: string, work: (sent: Sent) => Promise<void>): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    if (last.current.text !== text) last.current = { text, key: newKey() }
    setSending(true)
    setError(null)
    try {
      await work({ idempotencyKey: last.current.key, signal: controller.signal })
      last.current = { text: "", key: "" }
    } catch (failed) {
      if (failed instanceof ApiError && failed.status !== 0) last.current = { text: "", key: "" }
      if (!controller.signal.aborted) setError(sendingErrorInWords(failed))
    } finally {
      running.current = null
      setSending(false)
    }
  }
  return { run, isSending, error, setError, stop: () => running.current?.abort() }
}

export type Sending = ReturnType<typeof useSending>
