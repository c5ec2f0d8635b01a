import type { Read } from "../../engine/engine"
import { Type } from "@sinclair/typebox"
import type { Tx } from "../../write/writer"
import { assertNoErrors, type FieldError } from "../../lib/refusal"
import type { Later } from "../../lib/turns"
import { draftFieldsOf, isBusiness, type Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import { readExpand, readFields, slim, type ListQuery } from "../../store/list"
import { readParams } from "../../kind/query"
import { readDraft, type Draft, type Input } from "../../kind/read"
import { namedIn } from "../../store/named"
import type { Page } from "../../store/table-list"
import { etagOf, type Expected } from "../../kind/tag"
import { callerOf, type Call } from "../request/call"
import type { Caller } from "../../caller"
import { changeExampleOf, exampleOf, ref } from "../openapi/kind-schemas"
import { ok } from "../answer/envelope"
import { expand, type RelatedRecords } from "../answer/expand"
import { recordParts, writtenInSteps } from "../answer/large-answer"
import { answerList, runLongWork } from "../answer/list-answer"
import { filterNote, listParameters, oneParameters } from "../openapi/parameters"
import { answerRecord } from "../answer/record-answer"
import { get, patch, post, put, remove, type RouteBody, type RouteCall, type Route } from "./route"
import { created, hasVersion } from "../request/write"

/** The functions that a service must have for each group of routes. */
export type Readable<T> = {
  list(query: ListQuery, caller: Caller): Later<Page<T>>
  get(id: string, caller: Caller): T
  /** The records that these refer to, for `expand`. */
  related?: RelatedRecords
}
/**
 * The body of a create is validated before the write begins. The body of an update is validated inside it, because it
 * is compared with the record. `prepareDraft` and `prepareChange` do asynchronous work such as hashing; `D` and `C` are
 * their results.
 */
export type Creatable<T, D = Draft> = {
  /**
   * Set if a create changes nothing outside of its transaction, so that it can run again: what it is going to read of other
   * records, by its body.
   */
  readsOfDraft?: (input: Input) => readonly Read[]
  prepareDraft?: (input: Input, caller: Caller) => Promise<D>
  create(tx: Tx, draft: D, caller: Caller): T
}
export type Updatable<T, C = Input> = {
  prepareChange?: (input: Input, caller: Caller) => Promise<C>
  update(tx: Tx, id: string, change: C, expected: Expected, caller: Caller): T
}
export type Removable = { remove(tx: Tx, id: string, expected: Expected, caller: Caller): void }

/** True for a service with this function. A service leaves out what its kind does not have. */
export const has = <S extends object, K extends keyof S>(
  service: S,
  name: K,
): service is S & Required<Pick<S, K>> => service[name] !== undefined

export type Money = () => MoneyContext

/** The routes that list records and get one. */
export const readRoutes = <T extends { id: string }>(
  kind: Resource,
  service: Readable<T>,
  money: Money,
): Route[] => [listRoute(kind, service, money), getRoute(kind, service)]

const listRoute = <T extends { id: string }>(kind: Resource, service: Readable<T>, money: Money): Route =>
  get(
    `/${kind.name}`,
    {
      may: kind.rights.read,
      ...listDescription(kind),
      id: `list${pluralOf(kind.title)}`,
      tag: kind.name,
      summary: `List ${pluralOf(kind.noun)}`,
    },
    (context) => answerList(kind, context, money(), service.list, service.related),
  )

const getRoute = <T extends { id: string }>(kind: Resource, service: Readable<T>): Route =>
  get(
    `/${kind.name}/:id`,
    {
      may: kind.rights.read,
      id: `get${kind.title}`,
      tag: kind.name,
      summary: `Get one ${kind.noun}`,
      names: { id: kind.noun },
      parameters: () => oneParameters(kind),
      takesIfNoneMatch: isBusiness(kind) && "version" in kind.fields,
      answer: {
        status: 200,
        description: `The ${kind.noun}.`,
        schema: ref(kind.title),
        headers: etagIn(kind),
      },
      refuses: [404, 422],
    },
    (context) => answerOne(kind, service, context.params.id ?? "", context),
  )

/** Responds with one record. */
export function answerOne<T extends { id: string }>(
  kind: Resource,
  service: Readable<T>,
  id: string,
  context: RouteCall,
) {
  const { call } = context
  return call.query === ""
    ? answerRecord(kind, service.get(id, callerOf(call)), context)
    : answerSelection(kind, service, id, context)
}

/** Responds with some fields of a record, or with related records. The response must not be stored under its ETag. */
function answerSelection<T extends { id: string }>(
  kind: Resource,
  service: Readable<T>,
  id: string,
  { call, set }: RouteCall,
) {
  const { fields, names } = readSelection(kind, call)
  const record = service.get(id, callerOf(call))
  if (hasVersion(record)) set.headers["etag"] = etagOf(record)
  if (names.length === 0) return ok(slim(record, fields))
  return runLongWork(call, async (signal) => {
    const expanded = await expand(names, [record], service.related ?? {}, callerOf(call), signal)
    return writtenInSteps(recordParts(slim(record, fields), expanded), call)
  })
}

/** Describes a list in the OpenAPI document, also at other paths such as the history of a record. */
export const listDescription = (kind: Resource) => ({
  description: filterNote(kind),
  parameters: () => listParameters(kind),
  answer: {
    status: 200,
    description: "One page of the list.",
    schema: Type.Array(ref(kind.title)),
    isList: true,
    headers: [
      "Link",
      ...(Object.values(kind.fields).some((field) => field.kind === "prose") ? ["Deprecation"] : []),
    ],
  },
  refuses: [422],
})

/** The POST route. The body is validated before the write begins. */
export const createRoute = <T extends { id: string }, D = Draft>(
  kind: Resource,
  service: Creatable<T, D>,
): Route =>
  post<D>(
    `/${kind.name}`,
    {
      may: kind.rights.write,
      id: `create${kind.title}`,
      tag: kind.name,
      summary: `Create ${oneOf(kind)}`,
      body: {
        ...draftBody(kind),
        read: (input, caller) =>
          (service.prepareDraft && caller
            ? service.prepareDraft(input, caller)
            : readDraft(kind, input)) as D,
      },
      ...(service.readsOfDraft && { readsOf: service.readsOfDraft }),
      answer: {
        status: 201,
        description: `The new ${kind.noun}.`,
        schema: ref(kind.title),
        headers: [...etagIn(kind), "Location"],
      },
    },
    (tx, { body, caller }) => created(`/api/v1/${kind.name}`, service.create(tx, body, caller)),
  )

export const draftBody = (kind: Resource) => ({
  schema: ref(`${kind.title}Draft`),
  example: exampleOf(kind),
  isOptional: false,
  fields: draftFieldsOf(kind),
})

/** The PUT and PATCH routes, which behave the same. */
export function updateRoutes<T extends { id: string }, C = Input>(
  kind: Resource,
  service: Updatable<T, C> & Pick<Readable<T>, "get">,
): Route[] {
  const body: RouteBody<C> = {
    schema: ref(`${kind.title}Change`),
    example: changeExampleOf(kind),
    isOptional: false,
    read: (input, caller) =>
      (service.prepareChange && caller ? service.prepareChange(input, caller) : input) as C,
  }
  const described = {
    may: kind.rights.write,
    tag: kind.name,
    description:
      "Merges the body into the record: absent fields keep their values, null clears a field (or sets it to its default), objects are merged by the same rules, arrays are replaced. Read-only fields are ignored, so you can read a record, edit it and send it back.",
    names: { id: kind.noun },
    body,
    answer: {
      status: 200,
      description: `The updated ${kind.noun}.`,
      schema: ref(kind.title),
      headers: ["ETag"],
    },
    refuses: [404, 412],
  }
  const update = (
    tx: Tx,
    {
      params: { id = "" },
      body: given,
      expected,
      caller,
    }: { params: Record<string, string>; body: C; expected: Expected; caller: Caller },
  ) => {
    const change = service.prepareChange
      ? given
      : (namedIn(tx, kind.fields, given as Input, () => service.get(id, caller)) as C)
    return service.update(tx, id, change, expected, caller)
  }
  const path = `/${kind.name}/:id`
  return [
    put<C>(path, { ...described, id: `update${kind.title}`, summary: `Update ${oneOf(kind)}` }, update),
    patch<C>(
      path,
      { ...described, id: `patch${kind.title}`, summary: "The same as PUT", description: undefined },
      update,
    ),
  ]
}

export const removeRoute = (kind: Resource, service: Removable): Route =>
  remove(
    `/${kind.name}/:id`,
    {
      may: kind.rights.remove,
      id: `delete${kind.title}`,
      tag: kind.name,
      summary: `Delete ${oneOf(kind)}`,
      names: { id: kind.noun },
      answer: { status: 204, description: "Deleted." },
      refuses: [404, 412, 422],
    },
    (tx, { params, expected, caller }) => service.remove(tx, params.id ?? "", expected, caller),
  )

export const pluralOf = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`)

const oneOf = ({ noun }: Resource) => `a${/^(?!us)[aeiou]/i.test(noun) ? "n" : ""} ${noun}`

// Ledger records never change, so they have no version.
export const etagIn = ({ fields }: Resource) => ("version" in fields ? ["ETag"] : [])

/** Parses the query of one record: the fields to return, and the related records. */
function readSelection(kind: Resource, call: Call): { fields: string[] | undefined; names: string[] } {
  const errors: FieldError[] = []
  const params = readParams(call.query, ["fields", ...(kind.expands ? ["expand"] : [])])
  const fields = readFields(kind, params, errors)
  assertNoErrors(errors, "The query has invalid values.")
  return { fields, names: readExpand(kind, params) }
}
