import type { Tls } from "../tls"

/** What the thread needs: where to listen, and what it shares with the main thread. */
export type StandInJob = {
  host: string
  port: number
  tls: Tls | null
  /** Only requests with it come from the thread. */
  secret: string
  state: Int32Array
}

/** What the thread says once: that it listens, or why it does not. */
export type StandInAnswer = { isListening: true } | { error: string }

/** The places in the shared state. */
export const place = { isStill: 0, forwarded: 1 }

/** The header of a forwarded request: the secret and the address of the client. */
export const forwardedHeader = "kontor-stands-in"
