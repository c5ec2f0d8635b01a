// How every client sends its requests. `kontor client` prints what follows the line.
import type {
  Call,
  ClientOptions,
  ErrorBody,
  ErrorCode,
  ErrorDetail,
  Iterate,
  List,
  ListMeta,
  Merge,
  Options,
  Page,
  Read,
  PathValue,
  Send,
  Session,
  TryOptions,
  Warnings,
} from "./shapes"
export { iterating, listing, merging, path, pause, reading, responseOf, senderOf }
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

/** A call that failed. `status` is 0 if there was no response. */
export class KontorError extends Error {
  override readonly name = "KontorError"
  readonly status: number
  readonly code: ErrorCode | "NO_RESPONSE" | "UNEXPECTED_RESPONSE"
  /** The values that the message contains. */
  readonly params: Record<string, unknown>
  /** What is wrong with which field. */
  readonly details: ErrorDetail[]
  /** Identifies the request in the log of Kontor. */
  readonly requestId: string | null
  /** After how many seconds the request may be sent again. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    error: Pick<KontorError, "code" | "message"> & Partial<Pick<ErrorBody, "params" | "details">>,
    headers = new Headers(),
    cause?: unknown,
  ) {
    super(error.message, { cause })
    this.status = status
    this.code = error.code
    this.params = error.params ?? {}
    this.details = error.details ?? []
    this.requestId = headers.get("x-request-id")
    this.retryAfter = secondsOf(headers.get("retry-after"))
  }
}

/** Builds a path. Its values are escaped. */
const path = (texts: TemplateStringsArray, ...values: PathValue[]): string =>
  String.raw(
    { raw: texts },
    ...values.map((value) => (typeof value === "string" ? encodeURIComponent(value) : byKey(value))),
  )

const byKey = (key: Record<string, string>): string =>
  Object.entries(key)
    .map(([field, value]) => `by/${field}/${encodeURIComponent(value)}`)
    .join()

const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  )

function headersOf({ body, options = {}, hasKey }: Call): Record<string, string> {
  const { ifMatch, onlyNew, idempotencyKey } = options
  const headers: Record<string, string> = {}
  if (body !== undefined) headers["content-type"] = body instanceof Blob ? body.type : "application/json"
  if (hasKey) headers["idempotency-key"] = idempotencyKey ?? newKey()
  if (ifMatch !== undefined) headers["if-match"] = /^["*]/.test(`${ifMatch}`) ? `${ifMatch}` : `"${ifMatch}"`
  if (onlyNew) headers["if-none-match"] = "*"
  return headers
}

/** Writes the keys of an object, such as metadata, in brackets behind its name. */
const keysIn = ([name, value]: [string, unknown]): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, inner])
    : [[name, value]]

/** Arrays are written with commas, and their values in quotation marks if they contain a comma or begin with one. */
function queryOf({ query = {}, options }: Call): string {
  const entries = Object.entries({ ...query, dryRun: options?.dryRun || undefined }).flatMap(keysIn)
  const listed = (value: unknown) =>
    /^\s*"|,/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : value
  const given = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, `${Array.isArray(value) ? value.map(listed) : value}`])
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

/**
 * Whether a request can be sent again if it is unknown whether the first one was executed. An If-Match would fail the
 * second time because of the first.
 */
function isRepeatable(method: string, { options, hasKey, isHarmless }: Call): boolean {
  const isConditional = options?.ifMatch !== undefined || options?.onlyNew === true
  return method === "GET" || hasKey === true || isHarmless === true || (method !== "POST" && !isConditional)
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })
}

/** Waits for what other calls wait for too, until this call is aborted. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** Sends a request once. Returns its response, or the error that prevented it. */
async function attempt(
  { timeout = 60, fetch: send = fetch }: ClientOptions,
  url: string,
  init: RequestInit,
): Promise<Response | KontorError> {
  const limit = AbortSignal.timeout(timeout * 1000)
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  try {
    const response = await send(url, { ...init, signal })
    // The whole body, because the connection can also break in the middle of it.
    return new Response(response.status === 204 ? null : await response.blob(), response)
  } catch (error) {
    if (init.signal?.aborted) throw error
    return new KontorError(
      0,
      { code: "NO_RESPONSE", message: `${init.method} ${url} got no response.` },
      undefined,
      error,
    )
  }
}

/** Whether a response says that the request can be sent again. */
function isTemporary(result: Response | KontorError, repeatable: boolean): boolean {
  if (result.status === 429 || result.status === 503) return true
  return repeatable && [0, 502, 504].includes(result.status)
}

/** Adds the credential: the token of a session, or what the client was made with. */
async function authorize(
  headers: Headers,
  { token, apiKey }: ClientOptions,
  ofSession: string | undefined,
): Promise<void> {
  const text = ofSession ?? (typeof token === "function" ? await token() : token)
  if (text !== undefined) headers.set("authorization", `Bearer ${text}`)
  else if (apiKey !== undefined) headers.set("x-api-key", apiKey)
}

/** Whether the server has refused the access token, and not something else that a request contains. */
async function isTokenRefused(result: Response | KontorError): Promise<boolean> {
  if (!(result instanceof Response) || result.status !== 401) return false
  const { error }: Envelope = await result
    .clone()
    .json()
    .catch(() => ({}))
  return ["TOKEN_EXPIRED", "TOKEN_REVOKED", "INVALID_TOKEN"].includes(error?.code ?? "")
}

/**
 * Sends a request, again if necessary: after 429 and 503 when Retry-After says, otherwise after 0.5, 1, 2 … seconds, and
 * once with another token if a session has one.
 */
async function responseOf(
  client: ClientOptions,
  session: Session | null,
  method: string,
  target: string,
  call: Call,
): Promise<Response> {
  const { maxAttempts = 5, maxWait = 120 } = client
  const signal = call.options?.signal
  const repeatable = isRepeatable(method, call)
  const headers = new Headers(headersOf(call))
  const init: RequestInit = { method, headers, signal: signal ?? null }
  // Bun repeats a request by itself if a connection that it kept is closed.
  if (!repeatable || method === "DELETE") init.keepalive = false
  if (call.body !== undefined) init.body = call.body instanceof Blob ? call.body : JSON.stringify(call.body)
  const url = client.url.replace(/\/+$/, "") + target + queryOf(call)
  let wasLost = false
  let wasRefused = false
  for (let count = 1, waited = 0; ; count++) {
    const token = session ? await unlessAborted(session.token(), signal) : undefined
    await authorize(headers, client, token)
    const result = await attempt(client, url, init)
    if (token !== undefined && !wasRefused && (await isTokenRefused(result))) {
      wasRefused = true
      session?.drop(token)
      continue
    }
    const asked = result instanceof Response ? secondsOf(result.headers.get("retry-after")) : null
    const wait = asked ?? 2 ** (count - 2) * (0.75 + Math.random() / 2)
    waited += wait
    if (isTemporary(result, repeatable) && count < maxAttempts && waited <= maxWait) {
      wasLost ||= result.status !== 429 && result.status !== 503
      await pause(wait, signal)
    } else if (result instanceof KontorError) throw result
    // An attempt whose response was lost has deleted the record.
    else if (wasLost && method === "DELETE" && result.status === 404)
      return new Response(null, { status: 204 })
    else return result
  }
}

type Envelope = {
  data?: unknown
  meta?: ListMeta
  expanded?: object
  warnings?: Warnings
  error?: ErrorBody
}

/** Reads the envelope of a response. Throws the error that it contains. */
async function envelopeOf(response: Response): Promise<Envelope> {
  const { status, headers } = response
  const envelope: Envelope | null = await response.json().catch(() => null)
  if (envelope?.error) throw new KontorError(status, envelope.error, headers)
  if (response.ok && envelope !== null) return envelope
  const message = `The response with status ${status} is not one of Kontor.`
  throw new KontorError(status, { code: "UNEXPECTED_RESPONSE", message }, headers)
}

function senderOf(client: ClientOptions, session: Session | null): Send {
  return async <Result>(method: string, target: string, call: Call = {}) => {
    const response = await responseOf(client, session, method, target, call)
    // The API document says which type each operation returns.
    if (response.status === 204) return undefined as Result
    if (response.ok && call.as === "blob") return (await response.blob()) as Result
    const { data, meta, expanded, warnings = [] } = await envelopeOf(response)
    if (warnings.length > 0) client.onWarnings?.(warnings)
    const result = call.as === "page" ? { data, meta } : data
    return (expanded ? Object.assign(result as object, { expanded }) : result) as Result
  }
}

/** Separates the values of a path from what follows them. */
function splitArguments(args: unknown[], target: (...values: PathValue[]) => string) {
  const [first, second] = args.slice(target.length)
  return { path: target(...(args.slice(0, target.length) as PathValue[])), first, second }
}

function listing<Row, Query, Path extends PathValue[] = [], Related = object>(
  send: Send,
  target: (...values: Path) => string,
) {
  const list = (...args: unknown[]) => {
    const { path, first, second } = splitArguments(args, target as (...values: PathValue[]) => string)
    return send("GET", path, { query: first as object, options: second as Options, as: "page" })
  }
  return list as List<Row, Query, Path, Related>
}

function iterating<Row, Query, Path extends PathValue[] = [], Related = object>(
  send: Send,
  target: (...values: Path) => string,
) {
  async function* iterate(...args: unknown[]) {
    const { path, first, second } = splitArguments(args, target as (...values: PathValue[]) => string)
    let cursor: string | null | undefined
    do {
      const query = { perPage: 100, ...(first as object), cursor }
      const page: Page<Row> & { expanded?: object } = await send("GET", path, {
        query,
        options: second as Options,
        as: "page",
      })
      const { data, meta, expanded } = page
      yield* expanded ? data.map((row) => ({ ...row, expanded })) : data
      cursor = meta.nextCursor
    } while (cursor !== null)
  }
  return iterate as unknown as Iterate<Row, Query, Path, Related>
}

function reading<Row, Path extends PathValue[], Related = object>(
  send: Send,
  target: (...values: Path) => string,
) {
  const read = (...args: unknown[]) => {
    const { path, first } = splitArguments(args, target as (...values: PathValue[]) => string)
    const { fields, expand, ...options } = (first ?? {}) as Options & { fields?: unknown; expand?: unknown }
    return send("GET", path, { query: { fields, expand }, options })
  }
  return read as unknown as Read<Row, Path, Related>
}

function merging<Row, Trial, Change, Creating extends string, Existing extends string>(
  send: Send,
  target: (field: string, value: string) => string,
) {
  const merge = (
    field: string,
    value: string,
    body: Change,
    options?: TryOptions<boolean, "onlyNew" | "ifMatch">,
  ) => send("PUT", target(field, value), { body, options })
  return merge as Merge<Row, Trial, Change, Creating, Existing>
}
