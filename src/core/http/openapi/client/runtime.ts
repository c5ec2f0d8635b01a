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
  Warnings,
} from "./shapes"
export { iterating, listing, merging, path, pause, reading, senderOf }
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

/** Arrays are written with commas, and their values in quotation marks if they contain a comma or begin with one. */
function queryOf({ query = {}, options }: Call): string {
  const entries = Object.entries({ ...query, dryRun: options?.dryRun || undefined })
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
function isRepeatable(method: string, { options, hasKey }: Call): boolean {
  const isConditional = options?.ifMatch !== undefined || options?.onlyNew === true
  return method === "GET" || hasKey === true || (method !== "POST" && !isConditional)
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

/** Sends a request once. Returns its response, or the error that prevented it. */
async function attempt(
  client: ClientOptions,
  url: string,
  init: RequestInit,
): Promise<Response | KontorError> {
  const { token, apiKey, timeout = 60, fetch: send = fetch } = client
  const credential = typeof token === "function" ? await token() : token
  const headers = new Headers(init.headers)
  if (credential !== undefined) headers.set("authorization", `Bearer ${credential}`)
  else if (apiKey !== undefined) headers.set("x-api-key", apiKey)
  const limit = AbortSignal.timeout(timeout * 1000)
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  try {
    const response = await send(url, { ...init, headers, signal })
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

/** Sends a request, again if necessary: after 429 and 503 when Retry-After says, otherwise after 0.5, 1, 2 … seconds. */
async function responseOf(
  client: ClientOptions,
  method: string,
  target: string,
  call: Call,
): Promise<Response> {
  const { maxAttempts = 5, maxWait = 120 } = client
  const signal = call.options?.signal
  const repeatable = isRepeatable(method, call)
  const init: RequestInit = { method, headers: headersOf(call), signal: signal ?? null }
  // Bun repeats a request by itself if a connection that it kept is closed.
  if (!repeatable || method === "DELETE") init.keepalive = false
  if (call.body !== undefined) init.body = call.body instanceof Blob ? call.body : JSON.stringify(call.body)
  const url = client.url.replace(/\/+$/, "") + target + queryOf(call)
  let wasLost = false
  for (let count = 1, waited = 0; ; count++) {
    const result = await attempt(client, url, init)
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

type Envelope = { data?: unknown; meta?: ListMeta; warnings?: Warnings; error?: ErrorBody }

/** Reads the envelope of a response. Throws the error that it contains. */
async function envelopeOf(response: Response): Promise<Envelope> {
  const { status, headers } = response
  const envelope: Envelope | null = await response.json().catch(() => null)
  if (envelope?.error) throw new KontorError(status, envelope.error, headers)
  if (response.ok && envelope !== null) return envelope
  const message = `The response with status ${status} is not one of Kontor.`
  throw new KontorError(status, { code: "UNEXPECTED_RESPONSE", message }, headers)
}

function senderOf(client: ClientOptions): Send {
  return async <Result>(method: string, target: string, call: Call = {}) => {
    const response = await responseOf(client, method, target, call)
    // The API document says which type each operation returns.
    if (response.status === 204) return undefined as Result
    if (response.ok && call.as === "blob") return (await response.blob()) as Result
    const { data, meta, warnings = [] } = await envelopeOf(response)
    if (warnings.length > 0) client.onWarnings?.(warnings)
    return (call.as === "page" ? { data, meta } : data) as Result
  }
}

/** Separates the values of a path from what follows them. */
function splitArguments(args: unknown[], target: (...values: PathValue[]) => string) {
  const [first, second] = args.slice(target.length)
  return { path: target(...(args.slice(0, target.length) as PathValue[])), first, second }
}

function listing<Row, Query, Path extends PathValue[] = []>(send: Send, target: (...values: Path) => string) {
  const list = (...args: unknown[]) => {
    const { path, first, second } = splitArguments(args, target as (...values: PathValue[]) => string)
    return send("GET", path, { query: first as object, options: second as Options, as: "page" })
  }
  return list as List<Row, Query, Path>
}

function iterating<Row, Query, Path extends PathValue[] = []>(
  send: Send,
  target: (...values: Path) => string,
) {
  async function* iterate(...args: unknown[]) {
    const { path, first, second } = splitArguments(args, target as (...values: PathValue[]) => string)
    let cursor: string | null | undefined
    do {
      const query = { perPage: 100, ...(first as object), cursor }
      const page: Page<Row> = await send("GET", path, { query, options: second as Options, as: "page" })
      yield* page.data
      cursor = page.meta.nextCursor
    } while (cursor !== null)
  }
  return iterate as unknown as Iterate<Row, Query, Path>
}

function reading<Row, Path extends PathValue[]>(send: Send, target: (...values: Path) => string) {
  const read = (...args: unknown[]) => {
    const { path, first } = splitArguments(args, target as (...values: PathValue[]) => string)
    const options = first as (Options & { fields?: readonly string[] }) | undefined
    return send("GET", path, { query: { fields: options?.fields }, options })
  }
  return read as unknown as Read<Row, Path>
}

function merging<Row, Change, Creating extends string, Existing extends string>(
  send: Send,
  target: (field: string, value: string) => string,
): Merge<Row, Change, Creating, Existing> {
  return (field: string, value: string, body: Change, options?: Options<"onlyNew" | "ifMatch" | "dryRun">) =>
    send<Row>("PUT", target(field, value), { body, options })
}
