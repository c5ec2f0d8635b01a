import { useEffect, useRef, useState } from "react"
import { ApiError } from "../../../console/api/send"
import { newKey } from "../../../console/forms/intentions"
import { sendingErrorInWords } from "./error-in-words"

type Sent = { idempotencyKey: string; signal: AbortSignal }

/** A file that is sent: to be checked, or to be imported. */
type Attempt = { text: string; purpose: "check" | "import"; work: (sent: Sent) => Promise<void> }
type Running = Attempt & { controller: AbortController }

/**
 * Sends one file at a time. Another one replaces a file that is only to be checked. If the response is lost, the next
 * attempt with the same `text` has the same key, so that the file is imported only once. After a response, the same
 * file can be sent again on purpose.
 */
export function useSending() {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<Running | null>(null)
  const last = useRef({ text: "", key: "" })
  const stop = () => running.current?.controller.abort()
  const stopCheck = () => void (running.current?.purpose === "check" && stop())
  useEffect(() => stop, [])

  const run = async ({ text, purpose, work }: Attempt): Promise<void> => {
    // A second click on the same button.
    if (running.current?.text === text && !running.current.controller.signal.aborted) return
    if (running.current?.purpose === "import") return
    stopCheck()
    const controller = new AbortController()
    const own: Running = { text, purpose, work, controller }
    running.current = own
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
      if (running.current === own) {
        running.current = null
        setSending(false)
      }
    }
  }
  return { run, isSending, error, setError, stop, stopCheck }
}

export type Sending = ReturnType<typeof useSending>
