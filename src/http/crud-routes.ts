import type { Tx } from "../db/writer"
import { steadyMillis } from "../lib/clock"
import { assertNoFaults, type Detail } from "../lib/refusal"
import { gate } from "../lib/gate"
import { isLongWork, whenDone, type Later, type LongWork } from "../lib/turns"
import type { Expected } from "../resource/crud"
import type { Resource, Shared } from "../resource/define"
import type { Basis } from "../resource/field"
import { readFields, readListQuery, slim, type ListQuery } from "../resource/list"
import { readParams } from "../resource/query"
import type { Input } from "../resource/read"
import type { Page } from "../resource/table-list"
import type { App } from "./app"
import { readBody } from "./body"
import { callerOf, type Call } from "./call"
import { crudOperations } from "./crud-operations"
import { metaOf, nextLink, ok } from "./envelope"
import { writtenInSteps } from "./large-answer"
import type { Caller, Right } from "./caller"
import { created, etagOf, readIfMatch, type Commits } from "./write"

/** What every route needs from outside. */
export type Door = Commits & { basis: () => Basis }

/** What a kind must be able to do for each group of routes. Plain functions; no base class. */
export type Readable<T> = {
  list(query: ListQuery, caller: Caller): Later<Page<T>>
  get(id: string, caller: Caller): T
}
/** `prepare` does what takes time before the transaction begins. */
type Preparing = { prepare?: (input: Input, caller: Caller) => Promise<Input> }
export type Creatable<T> = Preparing & { create(tx: Tx, input: Input, caller: Caller): T }
export type Updatable<T> = Preparing & {
  update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller): T
}
export type Removable = { remove(tx: Tx, id: string, expected: Expected, caller: Caller): void }

/** The routes every kind of record shares. A kind adds its own after them. */
export const crudRoutes =
  <T extends Shared>(
    resource: Resource,
    crud: Readable<T> & Creatable<T> & Updatable<T> & Removable,
    { area, ...door }: Door & { area: Right["area"] },
  ) =>
  (app: App) =>
    app
      .use(readRoutes(resource, crud, { ...door, right: { area, scope: "read" } }))
      .use(createRoute(resource, crud, { ...door, right: { area, scope: "write" } }))
      .use(updateRoutes(resource, crud, { ...door, right: { area, scope: "write" } }))
      .use(removeRoute(resource, crud, { ...door, right: { area, scope: "delete" } }))

/** GET the list, and GET one. */
export function readRoutes<T extends { id: string }>(
  resource: Resource,
  crud: Readable<T>,
  { basis, right }: Pick<Door, "basis"> & { right: Right },
) {
  const operations = crudOperations(resource)
  const path = pathOf(resource)
  return (app: App) =>
    app
      // Both end in a plain value: Elysia would take a call there for a promise, and wait a turn for it.
      .get(
        path,
        ({ call, set }) => {
          const page = answerList(resource, call, set, basis(), crud.list)
          return page
        },
        { may: right, detail: operations.list },
      )
      .get(
        `${path}/:id`,
        ({ call, params, set }) => {
          const fields = readFieldsOnly(resource, call)
          const record = crud.get(params.id, callerOf(call))
          if ("version" in record) set.headers["etag"] = etagOf(record as T & Shared)
          const answer = ok(slim(record, fields))
          return answer
        },
        { may: right, detail: operations.get },
      )
}

/** POST. */
export function createRoute<T extends { id: string }>(
  resource: Resource,
  crud: Creatable<T>,
  { post, right }: Commits & { right: Right },
) {
  const path = pathOf(resource)
  return (app: App) =>
    app.post(
      path,
      async ({ call, request, set }) => {
        const body = await readBody(request)
        const input = crud.prepare ? await crud.prepare(body, callerOf(call)) : body
        return post({ call, request, set }, body, (tx) =>
          created(path, crud.create(tx, input, callerOf(call))),
        )
      },
      { may: right, parse: "none", detail: crudOperations(resource).create },
    )
}

/** PUT, and PATCH which is the same. */
export function updateRoutes<T extends Shared>(
  resource: Resource,
  crud: Updatable<T>,
  { commit, right }: Commits & { right: Right },
) {
  const operations = crudOperations(resource)
  const update = async ({ call, id, request, set }: Change) => {
    const expected = readIfMatch(request)
    const body = await readBody(request)
    const input = crud.prepare ? await crud.prepare(body, callerOf(call)) : body
    const { value, warnings } = await commit(call, (tx) =>
      crud.update(tx, id, input, expected, callerOf(call)),
    )
    set.headers["etag"] = etagOf(value)
    return ok(value, warnings)
  }
  const path = pathOf(resource)
  return (app: App) =>
    app
      .put(`${path}/:id`, ({ call, params, request, set }) => update({ call, id: params.id, request, set }), {
        may: right,
        parse: "none",
        detail: operations.update,
      })
      .patch(
        `${path}/:id`,
        ({ call, params, request, set }) => update({ call, id: params.id, request, set }),
        {
          may: right,
          parse: "none",
          detail: operations.patch,
        },
      )
}

/** DELETE. */
export function removeRoute(
  resource: Resource,
  crud: Removable,
  { commit, right }: Commits & { right: Right },
) {
  return (app: App) =>
    app.delete(
      `${pathOf(resource)}/:id`,
      async ({ call, params, request, set }) => {
        const expected = readIfMatch(request)
        await commit(call, (tx) => crud.remove(tx, params.id, expected, callerOf(call)))
        set.status = 204
      },
      { may: right, parse: "none", detail: crudOperations(resource).remove },
    )
}

/** Since when comparing long texts is discouraged (RFC 9745): it will go when lists are searched by their words. */
const proseDeprecated = "@1794700800"
/** Milliseconds within which a page was small enough to be written out at once. */
const quickly = 3

/** Each may hold some megabytes, and many at once would only wait for one another. */
const fewAtOnce = gate({
  atOnce: () => 2,
  longest: 1_000,
  message: "Too many large lists are asked for at once. Try again in a moment.",
})

const pathOf = ({ name }: Resource) => `/api/v1/${name}` as const

type Answer = { headers: Record<string, string | number> }
type Change = { call: Call; id: string; request: Request; set: Answer }

/** One page of a list, with its meta and its link to the next. */
export function answerList<T extends object>(
  resource: Resource,
  call: Call,
  set: Answer,
  basis: Basis,
  list: (query: ListQuery, caller: Caller) => Later<Page<T>>,
) {
  const query = readListQuery(resource, call.query, basis)
  if (query.isDeprecated) set.headers["deprecation"] = proseDeprecated
  const began = steadyMillis()
  const answer = whenDone(list(query, callerOf(call)), (page): Later<object> => {
    if (page.nextCursor) set.headers["link"] = nextLink(call.path, query, page.nextCursor)
    const rows = page.rows.map((row) => slim(row, query.fields))
    const meta = metaOf(query, page)
    // What took long to read takes long to write out.
    return steadyMillis() - began < quickly
      ? { ...ok(rows), meta }
      : async (signal) => writtenInSteps(rows, meta, signal)
  })
  return isLongWork(answer) ? takeTime(call, answer) : answer
}

/** A longer work for somebody who waits, a few of them at once; it ends when nobody does any more. */
function takeTime(call: Call, work: LongWork<object>): Promise<object> {
  call.keepOpen()
  const signal = call.signal()
  return fewAtOnce(callerOf(call).subject, () => work(signal))
}

function readFieldsOnly(resource: Resource, call: Call): string[] | undefined {
  if (call.query === "") return undefined
  const faults: Detail[] = []
  const fields = readFields(resource, readParams(call.query, ["fields"]), faults)
  assertNoFaults(faults, "The query has invalid values.")
  return fields
}
