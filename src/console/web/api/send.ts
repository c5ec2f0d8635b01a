export type FieldError = { field: string; message: string }

/** The server refused a request, or did not answer (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: FieldError[] = [],
  ) {
    super(message)
  }
}

export type Method = "GET" | "POST" | "PUT" | "DELETE"
export type SendOptions = {
  body?: object
  /** The version that a change was made from. */
  version?: number
  /** The same key for the same intention: a request that is sent again has its effect once. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Sends one request. If nothing answers, throws an error that says so in words. */
export async function send(
  method: Method,
  url: string,
  { body, version, idempotencyKey, signal }: SendOptions,
  token?: string,
): Promise<Response> {
  const headers: Record<string, string> = {}
  if (body) headers["content-type"] = "application/json"
  if (token) headers["authorization"] = `Bearer ${token}`
  if (version !== undefined) headers["if-match"] = `"${version}"`
  if (idempotencyKey) headers["idempotency-key"] = idempotencyKey
  try {
    return await fetch(url, { method, headers, body: body && JSON.stringify(body), signal })
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error
    throw new ApiError(0, "NO_ANSWER", "Kontor does not answer. Check that it is running, then try again.")
  }
}

export async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const said = (await response.json().catch(() => null)) as {
    error?: { code: string; message: string; details: FieldError[] }
  } | null
  if (!said?.error) throw new ApiError(response.status, "UNKNOWN", `The server answered ${response.status}.`)
  throw new ApiError(response.status, said.error.code, said.error.message, said.error.details)
}
