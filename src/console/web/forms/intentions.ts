import { useRef } from "react"

/** Idempotency keys: the same body is the same intention, however often it is sent. */
export function useIntentions() {
  const last = useRef({ body: "", key: "" })
  return {
    of(body: object): string {
      const text = JSON.stringify(body)
      if (last.current.body !== text) last.current = { body: text, key: newKey() }
      return last.current.key
    },
  }
}

/** Random, also where the page came over plain http and has no crypto.randomUUID. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  )
