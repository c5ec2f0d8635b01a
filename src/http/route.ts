import type { TSchema } from "@sinclair/typebox"
import { assertNoErrors } from "../lib/refusal"
import type { Tx } from "../db/writer"
import type { Body } from "../resource/body"
import type { Expected } from "../resource/crud"
import type { Input } from "../resource/read"
import type { Right } from "../shared/rights"
import type { Call } from "./call"
import type { Caller } from "./caller"
import type { Reply } from "./write"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** The status and the headers of an answer, to be filled in. */
export type ResponseHead = { status?: number | string; headers: Record<string, string | number> }

/** What a read is given. */
export type RouteCall = { call: Call; params: Record<string, string>; request: Request; set: ResponseHead }

/** What a write is given: who asks, what the body says, and which versions may be changed. */
export type WriteCall<B> = {
  caller: Caller
  params: Record<string, string>
  body: B
  expected: Expected
  call: Call
}

export type Parameter = {
  name: string
  in: "query" | "path" | "header"
  required?: boolean
  description?: string
  schema: TSchema
}

/** How an operation answers when it succeeds. */
export type Success = {
  status: number
  description: string
  /** What `data` is, or the whole answer where `type` says that it is no JSON. */
  schema?: TSchema
  /** True when `data` is a page of a list, and `meta` tells of the others. */
  isList?: boolean
  headers?: string[]
  type?: string
}

/** What a body is to its operation. `read` makes of a JSON object what the run is told; it may take its time. */
export type RouteBody<B> = Omit<Body, "read"> & {
  read(input: Input, caller: Caller | null): B | Promise<B>
}

/** Reads a body before the write begins, and refuses it there. */
export const checked = <T>(body: Body<T>): RouteBody<T> => ({
  ...body,
  read(input) {
    const { values, errors } = body.read(input)
    assertNoErrors(errors)
    return values
  },
})

type Described<B = unknown> = {
  /** What the caller needs; null for an operation that needs no credential. */
  may: Right | null
  /** The operationId. */
  id: string
  tag: string
  summary: string
  description?: string
  /** Beside those that follow from the path, If-Match and Idempotency-Key. */
  parameters?: Parameter[]
  /** What the parameters of the path name: { id: "invoice" }. */
  names?: Record<string, string>
  body?: RouteBody<B>
  answer: Success
  /** The statuses it can refuse with, beyond those that every request can meet. */
  refuses?: number[]
  /** True when If-Match is held against the record's version. */
  takesIfMatch?: boolean
}

/**
 * How an operation is carried out. A read answers at once. A write runs inside the group commit. A post does too, and its
 * answer is kept under the Idempotency-Key. What writes in its own way, or answers no JSON, handles all of it.
 */
export type Run =
  | { read: (asked: RouteCall) => unknown }
  | { write: (tx: Tx, given: WriteCall<never>) => unknown }
  | { post: (tx: Tx, given: WriteCall<never>) => Reply }
  | { handle: (asked: RouteCall & { body: never }) => unknown }

/** One operation as data. Routing, authorization, the API document and docs/routes.md all read the same list. */
export type Route = Described<unknown> & {
  method: Method
  path: string
  /** True for what is no part of the API: pages, probes, and what the OAuth RFCs define. */
  isHidden?: boolean
  /** Checked before the body is read. */
  guard?: (asked: RouteCall) => void
  run: Run
}

const api = (path: string) => `/api/v1${path}`

/** An operation that reads. */
export const get = (path: string, described: Described, read: (asked: RouteCall) => unknown): Route => ({
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
/** A POST that may be repeated without harm, so that it needs no Idempotency-Key. */
export const action = writing("POST")
export const patch = writing("PATCH")
export const remove = writing("DELETE")

/** An operation that makes something. The same request under the same Idempotency-Key makes it once. */
export const post = <B = undefined>(
  path: string,
  described: Described<B>,
  work: (tx: Tx, given: WriteCall<B>) => Reply,
): Route => ({ method: "POST", path: api(path), ...described, run: { post: work } }) as Route

/** An operation that writes in its own way, as signing in does. */
export const handled = <B = undefined>(
  method: Method,
  path: string,
  described: Described<B>,
  handle: (asked: RouteCall & { body: B }) => unknown,
): Route => ({ method, path: api(path), ...described, run: { handle } }) as Route

/** What is no part of the API, and needs no credential. `guard` is checked before the body is read. */
export const page = <B = undefined>(
  method: Method,
  path: string,
  handle: (asked: RouteCall & { body: B }) => unknown,
  more: { body?: RouteBody<B>; guard?: (asked: RouteCall) => void } = {},
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
