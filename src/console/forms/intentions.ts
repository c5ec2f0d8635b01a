import { useRef } from "react"

/** Creates idempotency keys. A request with the same body gets the same key each time it is sent. */
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

/** Returns a random key. Over plain http there is no crypto.randomUUID. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  )
