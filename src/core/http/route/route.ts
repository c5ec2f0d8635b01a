import type { Read } from "../../engine/engine"
import type { TSchema } from "@sinclair/typebox"
import { assertNoErrors } from "../../lib/refusal"
import type { Tx } from "../../write/writer"
import type { Body } from "../../kind/body"
import type { Input } from "../../kind/read"
import type { Expected } from "../../kind/tag"
import type { Right } from "../../../shared/rights"
import type { Upload } from "../request/body"
import type { Call } from "../request/call"
import type { Caller } from "../../caller"
import type { Reply } from "../request/write"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The status and the headers of a response, set by the handler. */
export type ResponseHead = { status?: number | string; headers: Record<string, string | number> }

/** The argument of a read. */
export type RouteCall = { call: Call; params: Record<string, string>; request: Request; set: ResponseHead }

/** The argument of a write: the caller, the parsed body, and the versions that may be updated. */
export type WriteCall<B> = {
  caller: Caller
  params: Record<string, string>
  body: B
  expected: Expected
  /** True when the record must not exist yet (If-None-Match: *). */
  isNew?: boolean
  /** True when the record must exist (If-Match with any value). */
  mustExist?: boolean
  /** What `prepare` of the route has returned. */
  prepared?: unknown
  call: Call
}

/** The argument of what a route prepares before its write. */
export type Preparing = { call: Call; params: Record<string, string>; body: unknown }

export type Parameter = {
  name: string
  in: "query" | "path" | "header"
  required?: boolean
  description?: string
  schema: TSchema
  /** Of an object in a query, whose keys follow the name in brackets: `metadata[color]`. */
  style?: "deepObject"
  example?: unknown
}

/** The response of an operation when it succeeds. */
export type Success = {
  status: number
  description: string
  /** The schema of `data`, or of the whole response when `type` is not JSON. */
  schema?: TSchema
  /** True when `data` is a page of a list and `meta` describes the page. */
  isList?: boolean
  /** The schema of `meta`, if the response has one that is not that of a list. */
  meta?: TSchema
  headers?: string[]
  type?: string
  /** More content types, from which a parameter chooses. */
  otherTypes?: string[]
}

/** The body of an operation. `read` converts a JSON object to the argument of the run. It may be asynchronous. */
export type RouteBody<B> = Omit<Body, "read"> & {
  read(input: Input, caller: Caller | null): B | Promise<B>
}

/** Validates a body before the write begins. */
export const checked = <T>(body: Body<T>): RouteBody<T> => ({
  ...body,
  read(input) {
    const { values, errors } = body.read(input)
    assertNoErrors(errors)
    return values
  },
})

type Described<B = unknown> = {
  /** The right that the caller needs; null for an operation without a credential. */
  may: Right | null
  /** Other rights, each of which is sufficient to begin. The run checks the rights that it needs itself. */
  orMay?: readonly Right[]
  /** A second right that the caller needs. */
  alsoMay?: Right
  /** The operationId. */
  id: string
  tag: string
  summary: string
  description?: string
  /** The parameters other than those of the path, If-Match and Idempotency-Key, which are made for the API document only. */
  parameters?: () => readonly Parameter[]
  /** The nouns for the parameters of the path: { id: "invoice" }. */
  names?: Record<string, string>
  body?: RouteBody<B>
  /**
   * For a POST that changes nothing outside of its transaction, so that it can run again: what it is going to read of other
   * records, by its body. Its body is read without waiting.
   */
  readsOf?: (input: Input) => readonly Read[]
  /** The body is a file, not JSON. The run gets it as its body. */
  upload?: Upload
  answer: Success
  /** The response to a dry run, if it has another status. */
  dryRunAnswer?: Success
  /** The error statuses in addition to those that every request can get. */
  refuses?: number[]
  /** True when If-Match is compared with the record's version. */
  takesIfMatch?: boolean
  /** True when the response is 304 if If-None-Match contains the record's ETag. */
  takesIfNoneMatch?: boolean
  /** True when a PUT creates a record that does not exist, with status 201. */
  isCreatedIfMissing?: boolean
  /** True when an operation that uses `handle` takes an Idempotency-Key. */
  takesIdempotencyKey?: boolean
  /** True when the handler itself reads the query string of an operation that uses `handle`. */
  readsQuery?: boolean
  /** Prepares before a write what takes long, such as a PDF. The write gets the result, and checks that it still fits. */
  prepare?: (given: Preparing) => Promise<unknown>
  /** Runs before the body is read. */
  guard?: (context: RouteCall) => void
}

/**
 * How an operation runs. A read responds immediately. A write runs inside the group commit. A post does too, and its
 * response is stored under the Idempotency-Key. A merge updates a record or creates it. Operations that write differently, or do not return JSON, use `handle`.
 */
export type Run =
  | { read: (context: RouteCall) => unknown }
  | { write: (tx: Tx, given: WriteCall<never>) => unknown }
  | { post: (tx: Tx, given: WriteCall<never>) => Reply }
  | { merge: (tx: Tx, given: WriteCall<never>) => Reply }
  | { handle: (context: RouteCall & { body: never }) => unknown }

/** An OpenAPI operation that is written by hand. */
export type OtherOperation = {
  operationId: string
  tags: string[]
  summary: string
  parameters?: readonly Parameter[]
  responses: object
} & Record<string, unknown>

/** One operation as data. Routing, authorization, the API document and docs/routes.md all read the same list. */
export type Route = Described<unknown> & {
  method: Method
  path: string
  /** True for routes that are not part of the API: pages, probes, and the OAuth endpoints that RFCs define. */
  isHidden?: boolean
  /** The name of the schema of its body, if other routes have the same body. */
  bodyName?: string
  /** How the API document shows a route together with others that differ in the key of their paths. */
  shown?: Pick<Described, "id" | "summary" | "parameters"> & { path: string }
  /** The OpenAPI operation of a route outside the API that clients call: its request and response differ from ours. */
  operation?: OtherOperation
  run: Run
}

/** The routes of the API as its document shows them: those that are shown together only once. */
export const shownRoutes = (routes: readonly Route[]): Route[] => {
  const shown = routes.filter(({ isHidden }) => !isHidden).map((route) => ({ ...route, ...route.shown }))
  return [...new Map(shown.map((route) => [`${route.method} ${route.path}`, route])).values()]
}

const api = (path: string) => `/api/v1${path}`

/** A read operation. */
export const get = (path: string, described: Described, read: (context: RouteCall) => unknown): Route => ({
  method: "GET",
  path: api(path),
  ...described,
  run: { read },
})

const writing =
  (method: Method) =>
  <B = undefined>(
    path: string,
    described: Described<B>,
    write: (tx: Tx, given: WriteCall<B>) => unknown,
  ): Route =>
    ({ method, path: api(path), takesIfMatch: true, ...described, run: { write } }) as Route

export const put = writing("PUT")
/** A POST that is safe to repeat, so that it needs no Idempotency-Key. */
export const action = writing("POST")
export const patch = writing("PATCH")
export const remove = writing("DELETE")

/** A PUT that updates a record or creates it. */
export const merge = <B = undefined>(
  path: string,
  described: Described<B>,
  work: (tx: Tx, given: WriteCall<B>) => Reply,
): Route =>
  ({ method: "PUT", path: api(path), takesIfMatch: true, ...described, run: { merge: work } }) as Route

/** An operation that creates something. Repeating the request with the same Idempotency-Key creates it once. */
export const post = <B = undefined>(
  path: string,
  described: Described<B>,
  work: (tx: Tx, given: WriteCall<B>) => Reply,
): Route => ({ method: "POST", path: api(path), ...described, run: { post: work } }) as Route

/** An operation that does not run in the group commit as a whole, such as signing in. */
export const handled = <B = undefined>(
  method: Method,
  path: string,
  described: Described<B>,
  handle: (context: RouteCall & { body: B }) => unknown,
): Route => ({ method, path: api(path), ...described, run: { handle } }) as Route

/** A route that is not part of the API and needs no credential. `guard` runs before the body is read. */
export const page = <B = undefined>(
  method: Method,
  path: string,
  handle: (context: RouteCall & { body: B }) => unknown,
  more: { body?: RouteBody<B>; guard?: (context: RouteCall) => void; operation?: OtherOperation } = {},
): Route =>
  ({
    method,
    path,
    may: null,
    id: `${method} ${path}`,
    tag: "",
    summary: "",
    answer: { status: 200, description: "" },
    isHidden: true,
    ...more,
    run: { handle },
  }) as Route
