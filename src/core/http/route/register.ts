import type { Tx } from "../../write/writer"
import type { Input } from "../../kind/read"
import { readParams } from "../../kind/query"
import { namesByKey } from "../../kind/references"
import { etagOf } from "../../kind/tag"
import { namedIn } from "../../store/named"
import type { App } from "./app"
import { readBody, readUpload } from "../request/body"
import { callerOf, type Call } from "../request/call"
import { assertMay, mayCaller } from "../../caller"
import { dryRunHeader } from "../request/dry-run"
import { ok } from "../answer/envelope"
import type { RouteCall, WriteCall, Route } from "./route"
import { packed } from "../answer/transfer"
import { isWriteOnly, writtenOf } from "../request/write-only"
import { hasVersion, readIfMatch, readIsNew, readMustExist, type Reply, type Writes } from "../request/write"

/** A handler uses only these parts of Elysia's context, because Elysia prepares every part that a handler names. */
type Handler = (context: RouteCall) => unknown

/** Adds routes to an app. Only this file converts a request to the arguments of a route's `run`. */
export function register(app: App, routes: readonly Route[], writes: Writes): void {
  const target = app as unknown as {
    route(method: string, path: string, handler: Handler, hooks: object): void
  }
  for (const route of routes)
    target.route(
      route.method,
      route.path,
      handlerOf(route, writes),
      route.method === "GET" ? {} : { parse: "none" },
    )
}

function handlerOf(route: Route, writes: Writes): Handler {
  const { run } = route
  if ("read" in run) return readHandler(route, run.read)
  if ("write" in run) return writeHandler(route, updating(route, run.write), writes)
  if ("merge" in run) return writeHandler(route, run.merge, writes)
  if ("post" in run) return postHandler(route, run.post, writes)
  return ownHandler(route, run.handle)
}

/** Runs before the body is read, so that a caller without the right gets no errors that describe the body. */
function authorize(call: Call, route: Route): void {
  const { may, orMay, alsoMay } = route
  call.route = route
  if (!may) return
  const { caller } = call
  // Most routes have one right, which is checked once.
  call.right = (caller && orMay && [may, ...orMay].find((right) => mayCaller(caller, right))) ?? may
  assertMay(call.caller, call.right)
  if (alsoMay) assertMay(call.caller, alsoMay)
}

/** Returns a variable and not a call: Elysia treats a returned call as a promise, and would wait for the next turn. */
const readHandler =
  (route: Route, read: (context: RouteCall) => unknown): Handler =>
  ({ call, params, request, set }) => {
    authorize(call, route)
    const answer = packed(read({ call, params, request, set }), { call, request, set })
    return answer
  }

type Write = (tx: Tx, given: WriteCall<never>) => Reply

/** A write that returns the updated record, or something else to show. */
const updating =
  ({ answer: { status } }: Route, write: (tx: Tx, given: WriteCall<never>) => unknown): Write =>
  (tx, given) => {
    const data = write(tx, given) as object
    const headers: Reply["headers"] = hasVersion(data) ? { etag: etagOf(data) } : {}
    return { status, headers, data }
  }

const writeHandler =
  (route: Route, write: Write, { runWrite }: Writes): Handler =>
  async ({ call, params, request, set }) => {
    authorize(call, route)
    const expected = route.takesIfMatch ? readIfMatch(request) : null
    const conditions =
      "merge" in route.run ? { isNew: readIsNew(request), mustExist: readMustExist(request) } : {}
    const { bodyIn, body } = await readGiven(route, request, call)
    const prepared = await route.prepare?.({ call, params, body })
    const { value, warnings, isDry } = await runWrite(call, (tx) =>
      write(tx, {
        caller: callerOf(call),
        params,
        body: bodyIn(tx),
        expected,
        ...conditions,
        prepared,
        call,
      }),
    )
    set.status = value.status
    Object.assign(set.headers, isDry ? dryRunHeader : value.headers)
    if (value.status === 204) return undefined
    return packed(ok(shownTo(call, value.data), warnings), { call, request, set })
  }

/** The data of a response to a write. A caller who may not read gets only what it needs to go on. */
const shownTo = <T>(call: Call, data: T): T | object =>
  typeof data === "object" && data !== null && isWriteOnly(call.caller, call.right) ? writtenOf(data) : data

const postHandler =
  (route: Route, work: Write, { runPost, isDryRun }: Writes): Handler =>
  async ({ call, params, request, set }) => {
    authorize(call, route)
    // Unknown parameters are refused before the body is read.
    isDryRun(call)
    const expected = route.takesIfMatch ? readIfMatch(request) : null
    const { bodyIn, input, body } = await readGiven(route, request, call)
    const prepared = await route.prepare?.({ call, params, body })
    const planned = route.readsOf && { reads: route.readsOf(input) }
    const answer = runPost({ call, request, set, planned }, input, (tx) => {
      const reply = work(tx, { caller: callerOf(call), params, body: bodyIn(tx), expected, prepared, call })
      return { ...reply, data: shownTo(call, reply.data) }
    })
    return packed(answer, { call, request, set })
  }

const ownHandler =
  (route: Route, handle: (context: RouteCall & { body: never }) => unknown): Handler =>
  async ({ call, params, request, set }) => {
    authorize(call, route)
    route.guard?.({ call, params, request, set })
    if (!route.isHidden && !route.readsQuery) readParams(call.query)
    const { body } = await readGiven(route, request, call)
    return packed(handle({ call, params, request, set, body }), { call, request, set })
  }

type Given = { input: Input; body: never; bodyIn: (tx: Tx) => never }

/**
 * Returns the parsed body, and the original input: an Idempotency-Key is bound to what the client sent. A body that names
 * records by keys is parsed inside the write.
 */
async function readGiven({ body, upload }: Route, request: Request, call: Call): Promise<Given> {
  if (upload) return read({}, await readUpload(request, upload))
  if (!body) return read({}, undefined)
  const input = await readBody(request, body)
  const { fields } = body
  if (fields && namesByKey(fields, input)) {
    const bodyIn = (tx: Tx) => body.read(namedIn(tx, fields, input), call.caller) as never
    return { input, body: undefined as never, bodyIn }
  }
  const parsed = body.read(input, call.caller)
  if (parsed instanceof Promise) return read(input, await parsed)
  // A write that runs again gets a body without the errors that it found before.
  let runs = 0
  const bodyIn = () => (runs++ === 0 ? parsed : body.read(input, call.caller)) as never
  return { input, body: parsed as never, bodyIn }
}

const read = (input: Input, parsed: unknown): Given => ({
  input,
  body: parsed as never,
  bodyIn: () => parsed as never,
})
