import {
  ApiError,
  assertOk,
  checkServer,
  type FieldError,
  type Method,
  noAnswer,
  send,
  type SendOptions,
} from "./send"
import { errorTexts, t } from "../texts"
import { detailMessage, errorMessage } from "../texts/errors"
import { fieldName } from "../texts/fields"
import { currentToken, renewedToken } from "./session"
import type { ApiAnswer, Meta, Warning } from "./types"

/** Calls the API as the signed-in user. If the access token has expired, renews it and repeats the call. */
export async function call<T>(
  method: Method,
  path: string,
  options: SendOptions = {},
): Promise<ApiAnswer<T>> {
  const response = await authorizedSend(method, path, options).catch((error) =>
    method === "GET" ? Promise.reject(error) : rejectWrite(error),
  )
  if (response.status === 204) return { data: undefined as T, warnings: [] }
  const body = (await response.json()) as { data: T; meta?: Meta; warnings?: Warning[] }
  return { data: body.data, meta: body.meta, warnings: body.warnings ?? [] }
}

/** Says whether a write without a response was saved. If the server still runs, only the response may be lost. */
async function rejectWrite(error: unknown): Promise<never> {
  if (!(error instanceof ApiError) || error.code !== noAnswer) throw error
  const message = (await checkServer()) ? t(($) => $.problems.maybeSaved) : t(($) => $.problems.notSaved)
  throw new ApiError(0, noAnswer, message)
}

/** Returns an API response as text. */
export const callForText = async (path: string): Promise<string> =>
  (await authorizedSend("GET", path, {})).text()

/** Returns an API response whose body is read by the caller, for example a stream. */
export const callForResponse = (path: string, options: SendOptions): Promise<Response> =>
  authorizedSend("GET", path, options)

/** The number of bytes received, and the size of the file if it is known. */
export type Progress = { loaded: number; total: number | null }

/** A file from the API, with the name and the code of the warning that the server gave it. */
export type DownloadedFile = { blob: Blob; name: string | null; warning: string | null }

type DownloadOptions = { onProgress?: (progress: Progress) => void; signal?: AbortSignal }

/** Downloads a file from the API. */
export async function callForBlob(
  method: Method,
  path: string,
  { onProgress = () => {}, signal }: DownloadOptions = {},
): Promise<DownloadedFile> {
  const { body, headers } = await authorizedSend(method, path, { signal })
  const total = Number(headers.get("content-length")) || null
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let loaded = 0
  const reader = body?.getReader()
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      chunks.push(part.value)
      loaded += part.value.byteLength
      onProgress({ loaded, total })
    }
  } catch {
    throw new ApiError(
      0,
      "CUT_OFF",
      t(($) => $.problems.cutOff),
    )
  }
  return {
    blob: new Blob(chunks, { type: headers.get("content-type") ?? undefined }),
    name: /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? null,
    warning: headers.get("kontor-warning"),
  }
}

async function authorizedSend(method: Method, path: string, options: SendOptions): Promise<Response> {
  const token = await currentToken()
  const response = await send(method, `/api/v1${path}`, options, token)
  if (response.status !== 401) return assertOk(response)
  return assertOk(await send(method, `/api/v1${path}`, options, await renewedToken(token)))
}

/** Returns the message that the user sees for an error. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError && error.details.length > 0 && error.code === "VALIDATION_ERROR"
    ? `${error.message} ${error.details.map(inWords).join("; ")}.`
    : error instanceof Error
      ? error.message
      : String(error)

/** Says a problem that the server has stored as if it had answered with it. */
export const problemText = ({ code, message, params, details }: Problem): string =>
  messageOf(new ApiError(422, code, errorMessage({ code, message, params }), details))

type Problem = Pick<ApiError, "code" | "message" | "params" | "details">

/** Names the field as the user knows it, with the number of its line. The server's own words continue the sentence. */
export function inWords(detail: FieldError): string {
  const part =
    detail.field
      .split(".")
      .at(-1)
      ?.replace(/\[\d+\]$/, "") ?? ""
  const line = /\[(\d+)\]/.exec(detail.field)?.[1]
  const name =
    fieldName(part, { otherwise: detail.field }) + (line === undefined ? "" : ` (${Number(line) + 1})`)
  return `${name}${errorTexts ? ":" : ""} ${detailMessage(detail, detail.message)}`
}

/** Returns whether a PDF shows a sign instead of some letters. */
export const hasMissingGlyphs = ({ warning }: DownloadedFile): boolean => warning === "GLYPHS_MISSING"
