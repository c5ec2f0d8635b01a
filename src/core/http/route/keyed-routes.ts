import { Type } from "@sinclair/typebox"
import type { Resource } from "../../kind/define"
import type { Field } from "../../kind/field"
import { keysOf } from "../../kind/keys"
import { Refusal } from "../../lib/refusal"
import { capital, readValue, refuseValue, valueParameter } from "./by-key"
import type { Tx } from "../../write/writer"
import type { Parameter, Preparing, Route, RouteCall, Run, WriteCall } from "./route"

/** A kind, and how its records are found by their keys. */
export type KeyedKind = { kind: Resource; service: { findId(name: string, value: string): string | null } }

/**
 * Adds to the routes of records their paths with a key in place of the id: `/invoices/by/invoiceNumber/:value/pdf` beside
 * `/invoices/:id/pdf`. They run as the routes with the id do.
 */
export function withKeyedRoutes(routes: readonly Route[], kinds: readonly KeyedKind[]): Route[] {
  const taken = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const byStart = new Map(kinds.map((of) => [`/api/v1/${of.kind.name}/:id`, of]))
  return routes.flatMap((route) => {
    const start = route.path.split("/").slice(0, 5).join("/")
    const of = byStart.get(start)
    if (!of) return [route]
    const shared = route.body ? { ...route, bodyName: `${capital(route.id)}Body` } : route
    const made = keyedRoutes(shared, of, route.path.slice(start.length))
    return [shared, ...made.filter(({ method, path }) => !taken.has(`${method} ${path}`))]
  })
}

/** Returns a route for each key of the kind. The API document shows those of one operation together. */
const keyedRoutes = (route: Route, of: KeyedKind, rest: string): Route[] => {
  const keys = keysOf(of.kind)
  const names = keys.map(([name]) => name)
  const shown = rest === "" ? null : shownTogether(route, of.kind, { names, rest })
  return keys.map(([name, field]) => ({
    ...route,
    ...described(route, of.kind, { name, field, rest }),
    refuses: [...new Set([...(route.refuses ?? []), 404, 422])],
    ...(route.prepare
      ? { prepare: keyedPrepare(route.prepare, (value) => of.service.findId(name, readValue(field, value))) }
      : {}),
    run: keyedRun(
      route,
      (value) => of.service.findId(name, readValue(field, value)),
      (value) => refuseValue(of.kind, name, readValue(field, value)),
    ),
    ...(shown ? { shown } : {}),
  }))
}

type Keyed = { name: string; field: Field; rest: string }

const described = (route: Route, kind: Resource, { name, field, rest }: Keyed) => ({
  path: `/api/v1/${kind.name}/by/${name}/:value${rest}`,
  id: `${route.id}By${capital(name)}`,
  // PUT with a key can create a record, so PATCH is not the same.
  summary: `${route.method === "PATCH" ? `Update the ${kind.noun} that exists` : route.summary} by its ${name}`,
  description: sameAs(route),
  parameters: () => [valueParameter(name, field), ...(route.parameters?.() ?? [])],
})

/** What the API document shows once for all keys. */
const shownTogether = (
  route: Route,
  kind: Resource,
  { names, rest }: { names: string[]; rest: string },
): Route["shown"] => ({
  path: `/api/v1/${kind.name}/by/:field/:value${rest}`,
  id: `${route.id}ByKey`,
  summary: `${route.summary}, by a key of the ${kind.noun}`,
  parameters: () => [...keyParameters(names), ...(route.parameters?.() ?? [])],
})

const sameAs = ({ id, description }: Route): string | undefined =>
  description === undefined ? undefined : `The same as \`${id}\`.`

const keyParameters = (names: readonly string[]): Parameter[] => [
  {
    name: "field",
    in: "path",
    required: true,
    description: "The key.",
    schema: Type.Unsafe({ type: "string", enum: names }),
  },
  {
    name: "value",
    in: "path",
    required: true,
    description: "The value of the key, with percent escapes.",
    schema: Type.String(),
  },
]

type Params = Record<string, string>

/** Runs a route with the id of the record that a key finds: that of a write inside the write. */
function keyedRun(
  { run }: Route,
  find: (value: string) => string | null,
  refuse: (value: string) => never,
): Run {
  const withId = (params: Params, id: string): Params => ({ ...params, id })
  const within =
    <T>(work: (tx: Tx, given: WriteCall<never>) => T) =>
    (tx: Tx, given: WriteCall<never>): T => {
      const { params } = given
      const id = find(params.value ?? "")
      if (id !== null) return work(tx, { ...given, params: withId(params, id) })
      // Who may not write at all is told so, and not that there is no such record, as with an id.
      refusing404(() => work(tx, { ...given, params: withId(params, "") }))
      return refuse(params.value ?? "")
    }
  // It reads for a while before it writes, and means the record that was found at the beginning.
  const handledWith =
    (handle: (context: RouteCall & { body: never }) => unknown) =>
    async (context: RouteCall & { body: never }): Promise<unknown> => {
      const { params } = context
      const id = find(params.value ?? "")
      if (id !== null) return handle({ ...context, params: withId(params, id) })
      await Promise.try(() => handle({ ...context, params: withId(params, "") })).catch(throwUnless404)
      return refuse(params.value ?? "")
    }
  const found = (params: Params): Params =>
    withId(params, find(params.value ?? "") ?? refuse(params.value ?? ""))
  if ("read" in run) return { read: (context) => run.read({ ...context, params: found(context.params) }) }
  if ("handle" in run) return { handle: handledWith(run.handle) }
  if ("write" in run) return { write: within(run.write) }
  if ("post" in run) return { post: within(run.post) }
  return { merge: within(run.merge) }
}

/** Prepares the write of the record that a key finds. If there is none, the write refuses. */
const keyedPrepare =
  (prepare: NonNullable<Route["prepare"]>, find: (value: string) => string | null) =>
  async (given: Preparing): Promise<unknown> => {
    const id = find(given.params.value ?? "")
    return id === null ? undefined : prepare({ ...given, params: { ...given.params, id } })
  }

/** Runs a write of a record that does not exist. Only another refusal than that one is thrown. */
function refusing404(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    throwUnless404(error)
  }
}

function throwUnless404(error: unknown): void {
  if (!(error instanceof Refusal && error.code === "NOT_FOUND")) throw error
}
