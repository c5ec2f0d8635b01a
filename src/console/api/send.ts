import type { ErrorParams, FieldError } from "../../core/lib/refusal"
import { t } from "../texts"
import { errorMessage } from "../texts/errors"
import { checkServer, noteResponse } from "./reach"

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
}

/** Sends one request. If there is no response, throws an error with a message for the user. */
export async function send(
  method: Method,
  url: string,
  { body, file, version, idempotencyKey, accept, signal }: SendOptions,
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
