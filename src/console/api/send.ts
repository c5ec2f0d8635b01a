import type { ErrorParams, FieldError } from "../../core/lib/refusal"
import { t } from "../texts"
import { errorMessage } from "../texts/errors"
import { useSyncExternalStore } from "react"
import { clock } from "../clock"
import type { ServerWarning } from "./types"

export type { FieldError }

/** The server rejected a request, or did not respond (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: FieldError[] = [],
    readonly params?: ErrorParams,
    /** After how many seconds the server may accept the request, if it said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

export type Method = "GET" | "POST" | "PUT" | "DELETE"
export type SendOptions = {
  body?: object
  /** A file that is sent instead of a body. */
  file?: Blob
  /** The version of the record that the user edited. */
  version?: number
  /** A repeated request with the same key takes effect only once. */
  idempotencyKey?: string
  /** The media type that the response shall have, if it is not JSON. */
  accept?: string
  signal?: AbortSignal
  /** True if the browser shall send the request although the page is closed. */
  keepalive?: boolean
}

/** Sends one request. If there is no response, throws an error with a message for the user. */
export async function send(
  method: Method,
  url: string,
  { body, file, version, idempotencyKey, accept, signal, keepalive }: SendOptions,
  token?: string,
): Promise<Response> {
  const headers: Record<string, string> = {}
  if (body) headers["content-type"] = "application/json"
  if (file) headers["content-type"] = file.type
  if (token) headers["authorization"] = `Bearer ${token}`
  if (version !== undefined) headers["if-match"] = `"${version}"`
  if (accept) headers["accept"] = accept
  if (idempotencyKey) headers["idempotency-key"] = idempotencyKey
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: file ?? (body && JSON.stringify(body)),
      signal,
      keepalive,
    })
    if (gatewayStatuses.includes(response.status)) throw new Error("A proxy got no response from Kontor.")
    noteResponse()
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    void checkServer()
    throw new ApiError(
      0,
      noAnswer,
      t(($) => $.problems.noAnswer),
    )
  }
}

/** The code of the error if there was no response. */
export const noAnswer = "NO_ANSWER"

/** A proxy returns these if Kontor does not run. Kontor itself never does. */
const gatewayStatuses = [502, 504]

export async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const body = (await response.json().catch(() => null)) as {
    error?: { code: string; message: string; params?: ErrorParams; details: FieldError[] }
  } | null
  if (!body?.error)
    throw new ApiError(
      response.status,
      "UNKNOWN",
      t(($) => $.problems.unknown, { status: String(response.status) }),
    )
  const { code, details, params } = body.error
  const retryAfter = Number(response.headers.get("retry-after")) || null
  throw new ApiError(response.status, code, errorMessage(body.error), details, params, retryAfter)
}

/** While the server does not respond, the console checks this often whether it runs again, in ms. */
const checkEvery = 2_000
/** A page that sends no requests checks this often whether the server still runs, in ms. */
const longestQuiet = 15_000
/** The time in ms that the server gets to respond to a check. */
const patience = 5_000

let isSilent = false
let respondedAt = clock.real()
let checking: Promise<boolean> | null = null
const listeners = new Set<() => void>()

function set(next: boolean): void {
  if (isSilent === next) return
  isSilent = next
  for (const tell of listeners) tell()
}

/** True while the server does not respond. */
export const useIsSilent = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => isSilent,
    // Tests render pages without a browser.
    () => isSilent,
  )

/** Call this for each response of the server. */
export function noteResponse(): void {
  respondedAt = clock.real()
  set(false)
}

/** Asks the server whether it runs. Returns true if it responds. */
export const checkServer = (): Promise<boolean> =>
  (checking ??= isRunning()
    .then((isUp) => {
      if (isUp) noteResponse()
      else set(true)
      return isUp
    })
    .finally(() => (checking = null)))

const isRunning = (): Promise<boolean> =>
  fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(patience) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** What the server warns of while it works. */
export async function readWarnings(): Promise<ServerWarning[]> {
  const response = await fetch("/ready", { cache: "no-store", signal: AbortSignal.timeout(patience) })
  const { warnings = [] } = (await response.json()) as { warnings?: ServerWarning[] }
  return warnings
}

/** Checks quietly whether the server runs. Returns a function that stops this. */
export function watchServer(): () => void {
  const timer = setInterval(() => {
    const isQuiet = !document.hidden && clock.real() - respondedAt >= longestQuiet
    if (isSilent || isQuiet) void checkServer()
  }, checkEvery)
  return () => clearInterval(timer)
}
