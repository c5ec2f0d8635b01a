// The cost of unauthenticated requests: the OAuth endpoints, the console's sign-in, headers, and unexpected bodies.
import { json, otherAddress, pathOf, titleOf, type Case, type Context, type Sent } from "./cost-case"
import { textSeries, textKinds, textOf, textOfBytes, type TextKind } from "./cost-text"
import type { Body } from "./fuzz-body"
import type { Operation } from "./fuzz-document"
import { queryText } from "./fuzz-query"

const form = { "content-type": "application/x-www-form-urlencoded" }
/** The request line and headers may have 16 kB in total. */
const mostInHeaders = 12_000

/** Unauthenticated requests to paths that are not in the API document. */
export function* unauthenticatedCases(url: string, context: Context): Generator<Case> {
  yield* consoleCases(url, context)
  yield* authorizeCases(url, context)
  yield* endpointCases(context)
  yield* headerCases(context)
}

const manyFields = `{${Array.from({ length: 100_000 }, (_, i) => `"${i}":1`).join(",")}}`

/** A body that an operation with authentication must not even read. */
export function unauthenticatedBody(operation: Operation, context: Context): Case {
  return {
    operation: titleOf(operation),
    id: null,
    parameter: "the body",
    value: "100,000 fields, unauthenticated",
    make: () => ({
      method: operation.method,
      path: pathOf(operation, context),
      headers: json,
      body: manyFields,
    }),
  }
}

const kindsOf = ({ isShort }: Context): readonly TextKind[] => (isShort ? ["marks"] : textKinds)

function* consoleCases(url: string, context: Context): Generator<Case> {
  const right: Body = { email: "nobody@example.com", password: "a wrong password" }
  for (const parameter of ["email", "password"])
    for (const kind of kindsOf(context))
      for (const { name, text } of textSeries(kind, undefined))
        yield {
          operation: "POST /console/session",
          id: null,
          parameter,
          value: name,
          series: kind,
          make: () => ({
            method: "POST",
            path: "/console/session",
            headers: { ...json, ...otherAddress(context.random), origin: url },
            body: JSON.stringify({ ...right, [parameter]: text }),
          }),
        }
}

/** The sign-in form of the authorization endpoint, for a registered client. */
function* authorizeCases(url: string, context: Context): Generator<Case> {
  const query: Record<string, string> = {
    response_type: "code",
    client_id: context.clientId,
    redirect_uri: context.redirectUri,
    scope: "read",
    state: "s",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  }
  const pathWith = (more: Record<string, string>) =>
    `/oauth/authorize${queryText(Object.entries({ ...query, ...more }))}`
  for (const parameter of Object.keys(query))
    for (const kind of kindsOf(context))
      yield {
        operation: "GET /oauth/authorize",
        id: null,
        parameter,
        value: `9 kB of ${kind}`,
        make: () => ({ method: "GET", path: pathWith({ [parameter]: textOfBytes(kind, 3_000) }) }),
      }
  for (const parameter of ["email", "password", "form_token", "action", "more"])
    for (const kind of kindsOf(context))
      // Escaping triples each byte, and a form has at most 64 kB.
      for (const bytes of [7_000, 20_000])
        yield {
          operation: "POST /oauth/authorize",
          id: null,
          parameter,
          value: `${bytes / 1000} kB of ${kind}`,
          series: kind,
          make: async () => {
            const shown = await fetch(url + pathWith({}))
            const token = /name="form_token"[^>]*value="([^"]*)"/.exec(await shown.text())?.[1] ?? ""
            const fields = {
              form_token: token,
              action: "sign-in",
              email: "nobody@example.com",
              password: "wrong",
              [parameter]: textOfBytes(kind, bytes),
            }
            return {
              method: "POST",
              path: pathWith({}),
              headers: {
                ...form,
                ...otherAddress(context.random),
                cookie: shown.headers
                  .getSetCookie()
                  .map((line) => line.split(";")[0])
                  .join("; "),
              },
              body: new URLSearchParams(fields).toString(),
            }
          },
        }
}

function* endpointCases(context: Context): Generator<Case> {
  const right = {
    grant_type: "authorization_code",
    client_id: context.clientId,
    redirect_uri: context.redirectUri,
    code: "a".repeat(43),
    code_verifier: "a".repeat(43),
    client_secret: "wrong",
  }
  const post = (path: string, parameter: string, value: string, body: () => string): Case => ({
    operation: `POST ${path}`,
    id: null,
    parameter,
    value,
    make: (): Sent => ({
      method: "POST",
      path,
      headers: { ...form, ...otherAddress(context.random) },
      body: body(),
    }),
  })
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]) {
    for (const parameter of [...Object.keys(right), "refresh_token", "token", "scope"])
      for (const kind of kindsOf(context))
        yield post(path, parameter, `20 kB of ${kind}`, () =>
          new URLSearchParams({ ...right, [parameter]: textOfBytes(kind, 20_000) }).toString(),
        )
    yield post(path, "the form", "15,000 fields", () =>
      Array.from({ length: 15_000 }, (_, i) => `${i}=`).join("&"),
    )
    yield post(path, "the form", "1 MB", () => `a=${"a".repeat(1_000_000)}`)
  }
}

function* headerCases(context: Context): Generator<Case> {
  const me = "/api/v1/auth/me"
  const headers: Record<string, Record<string, string>> = {
    "a token of 12 kB": { authorization: `Bearer ${"a".repeat(mostInHeaders)}` },
    "a token of 4,000 parts": { authorization: `Bearer ${"a.".repeat(mostInHeaders / 2)}` },
    "Basic of 12 kB": { authorization: `Basic ${btoa("a:".repeat(mostInHeaders / 4))}` },
    "a key of 12 kB": { "x-api-key": `kon_${"a".repeat(mostInHeaders)}` },
    "2,000 hops": { "x-forwarded-for": Array(1_500).fill("127.0.0.1").join(",") },
    "a request id of 12 kB": { "x-request-id": "a".repeat(mostInHeaders) },
    "12 kB of cookies": { cookie: "kontor_session_1=a; ".repeat(500) },
  }
  for (const [value, given] of Object.entries(headers))
    yield {
      operation: `GET ${me.replace("/api/v1", "")}`,
      id: null,
      parameter: Object.keys(given)[0] ?? "",
      value,
      make: () => ({ method: "GET", path: me, headers: given }),
    }
  for (const path of [
    "/health",
    "/ready",
    "/",
    "/docs",
    "/openapi.json",
    `/${textOf("letters", mostInHeaders)}`,
  ])
    yield {
      operation: `GET ${path.slice(0, 30)}`,
      id: null,
      parameter: "nothing",
      value: "no body",
      make: () => ({ method: "GET", path, headers: otherAddress(context.random) }),
    }
}
