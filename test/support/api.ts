import { expect } from "bun:test"
import { adminEmail, adminPassword, type Kontor } from "./kontor"

/** A response with its parsed JSON, if any. Tests access any field, so the body is not typed. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  body: any
}

type Request = {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown
}

/** Sends one request. */
export async function send(url: string, { method, headers = {}, body }: Request = {}): Promise<Answer> {
  const raw = typeof body === "string" || body instanceof Uint8Array || body === undefined
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: raw ? headers : { "content-type": "application/json", ...headers },
    body: raw ? (body as string) : JSON.stringify(body),
    redirect: "manual",
    tls: { rejectUnauthorized: false },
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : null,
  }
}

/** A client of /api/v1 that sends its credential with every request. */
export type Api = ReturnType<typeof apiWith>

export const apiWith = (kontor: Pick<Kontor, "url">, credential: Record<string, string>) =>
  apiBy(credential, (method, path, body, headers = {}) =>
    send(`${kontor.url}/api/v1${path}`, { method, body, headers: { ...credential, ...headers } }),
  )

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** The client whose requests a function sends. */
export function apiBy(credential: Record<string, string>, call: Call) {
  return {
    credential,
    call,
    get: (path: string, headers?: Record<string, string>) => call("GET", path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call("POST", path, body, headers),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => call("PUT", path, body, headers),
    patch: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call("PATCH", path, body, headers),
    delete: (path: string, headers?: Record<string, string>) => call("DELETE", path, undefined, headers),
    /** Creates a record and returns it. The test fails if the request is refused. */
    async create(path: string, body: unknown) {
      const answer = await call("POST", path, body)
      expect(answer).toMatchObject({ status: 201 })
      return answer.body.data
    },
  }
}

/** Signs in; by default as the first admin. */
export async function signIn(
  kontor: Pick<Kontor, "url">,
  email = adminEmail,
  password = adminPassword,
): Promise<Api> {
  const answer = await send(`${kontor.url}/api/v1/auth/login`, { body: { email, password } })
  expect(answer).toMatchObject({ status: 200 })
  return apiWith(kontor, { authorization: `Bearer ${answer.body.data.token}` })
}

/** Tries to sign in from an address. The server must trust the proxy 127.0.0.1. */
export const logInFrom = (
  { url }: Pick<Kontor, "url">,
  email: string,
  password: string,
  address: string,
): Promise<Answer> =>
  send(`${url}/api/v1/auth/login`, { body: { email, password }, headers: { "x-forwarded-for": address } })

/** The code and the invalid fields of a refusal. */
export const refusalOf = ({ status, body }: Answer) => ({
  status,
  code: body?.error?.code,
  fields: body?.error?.details?.map((detail: { field: string }) => detail.field),
})
