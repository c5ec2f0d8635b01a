import { Elysia } from "elysia"
import { assertNoFaults, type Detail } from "../lib/refusal"
import type { Crud } from "../resource/crud"
import type { Resource, Shared } from "../resource/define"
import { readFields, readListQuery, slim } from "../resource/list"
import { readParams } from "../resource/query"
import { access } from "./access"
import { readBody } from "./body"
import { callContext, type Call } from "./call"
import { crudOperations } from "./crud-operations"
import { metaOf, nextLink, ok } from "./envelope"
import type { Area } from "./rights"
import { etagOf, readIfMatch, type Commit } from "./write"

/** What every route needs from outside. */
export type Door = { commit: Commit; currencyDigits: () => number }
type Answer = { headers: Record<string, string | number> }

/** The routes every kind of record shares. A kind adds its own by chaining onto what this returns. */
export function crudRoutes<T extends Shared>(
  resource: Resource,
  crud: Crud<T>,
  { commit, currencyDigits, area }: Door & { area: Area },
) {
  const operations = crudOperations(resource)
  const path = `/api/v1/${resource.name}`

  const update = async (call: Call, id: string, request: Request, set: Answer) => {
    const input = await readBody(request)
    const expected = readIfMatch(request)
    const { value, warnings } = await commit(call, (tx) => crud.update(tx, id, input, expected))
    set.headers["etag"] = etagOf(value)
    return ok(value, warnings)
  }

  return new Elysia({ prefix: `/${resource.name}` })
    .use(callContext)
    .use(access)
    .get(
      "",
      ({ call, set }) => {
        const query = readListQuery(resource, call.query, currencyDigits())
        const page = crud.list(query)
        if (page.nextCursor) set.headers["link"] = nextLink(path, query, page.nextCursor)
        return { ...ok(page.rows.map((row) => slim(row, query.fields))), meta: metaOf(query, page) }
      },
      { may: { area, scope: "read" }, detail: operations.list },
    )
    .get(
      "/:id",
      ({ call, params, set }) => {
        const fields = readOnlyFields(resource, call)
        const record = crud.get(params.id)
        set.headers["etag"] = etagOf(record)
        return ok(slim(record, fields))
      },
      { may: { area, scope: "read" }, detail: operations.get },
    )
    .post(
      "",
      async ({ call, request, set }) => {
        const input = await readBody(request)
        const { value, warnings } = await commit(call, (tx) => crud.create(tx, input))
        set.status = 201
        set.headers["etag"] = etagOf(value)
        set.headers["location"] = `${path}/${value.id}`
        return ok(value, warnings)
      },
      { may: { area, scope: "write" }, parse: "none", detail: operations.create },
    )
    .put("/:id", ({ call, params, request, set }) => update(call, params.id, request, set), {
      may: { area, scope: "write" },
      parse: "none",
      detail: operations.update,
    })
    .patch("/:id", ({ call, params, request, set }) => update(call, params.id, request, set), {
      may: { area, scope: "write" },
      parse: "none",
      detail: operations.patch,
    })
    .delete(
      "/:id",
      async ({ call, params, request, set }) => {
        const expected = readIfMatch(request)
        await commit(call, (tx) => crud.remove(tx, params.id, expected))
        set.status = 204
      },
      { may: { area, scope: "delete" }, parse: "none", detail: operations.remove },
    )
}

function readOnlyFields(resource: Resource, call: Call): string[] | undefined {
  if (call.query === "") return undefined
  const faults: Detail[] = []
  const fields = readFields(resource, readParams(call.query, ["fields"]), faults)
  assertNoFaults(faults, "The query has invalid values.")
  return fields
}
