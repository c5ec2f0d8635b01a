import { Type, type TSchema } from "@sinclair/typebox"
import type { Resource } from "../resource/define"
import { operators } from "../resource/filter"
import { defaultPerPage, mostPerPage, sortableFields } from "../resource/list"
import type { Parameter } from "./route"

export const query = (name: string, description: string, schema: TSchema): Parameter => ({
  name,
  in: "query",
  description,
  schema,
})

/** A parameter of the path that names a record. */
export const idParameter = (name: string, noun: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description: `The ${noun}'s id.`,
  schema: Type.String(),
})

/** The header that makes a POST safe to repeat. */
export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "1 to 255 printable characters. The same request under the same key answers the same for a day.",
  schema: Type.String({ examples: ["7f4c1d0e-order-1"] }),
}

/** The header that makes a change wait for nobody else's. */
export const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description: "The ETag that was read; a record that has changed since answers 412.",
  schema: Type.String({ examples: ['"1"'] }),
}

export const fieldsParameter = query(
  "fields",
  "Only these fields, separated by commas.",
  Type.String({ examples: ["id,version"] }),
)

/** What the query of a list may hold. */
export const listParameters = (resource: Resource): Parameter[] => [
  query("page", "The page, from 1. Not together with cursor.", Type.Integer({ minimum: 1, default: 1 })),
  query(
    "perPage",
    `Records a page; more than ${mostPerPage} is served as ${mostPerPage}.`,
    Type.Integer({ minimum: 1, default: defaultPerPage }),
  ),
  query(
    "cursor",
    "Where to go on: meta.nextCursor of the page before, with the same filters and sort.",
    Type.String(),
  ),
  query(
    "order",
    "The direction of the sort.",
    Type.Unsafe({ type: "string", enum: ["asc", "desc"], default: "desc" }),
  ),
  query("search", "Words of name and code, in any order.", Type.String({ maxLength: 200 })),
  query(
    "sort",
    "The field to sort by; ties go by id.",
    Type.Unsafe({ type: "string", enum: sortableFields(resource), default: "createdAt" }),
  ),
  fieldsParameter,
  ...sortableFields(resource).map((name) =>
    query(name, `Filter. Also \`${name}[operator]\`.`, Type.String()),
  ),
]

/** What a list says of its filters. */
export const filterNote = (resource: Resource): string =>
  `Filters are \`field=value\` or \`field[operator]=value\` with ${operators.join(", ")}, on every scalar field.${proseNote(resource)}`

function proseNote({ fields }: Resource): string {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === "prose")
  return names.length === 0
    ? ""
    : ` Of ${names.join(" and ")} the first 200 characters are matched, compared and sorted by, and the answer carries \`Deprecation\`.`
}
