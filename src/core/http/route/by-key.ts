import type { Tx } from "../../write/writer"
import { invalid, Refusal } from "../../lib/refusal"
import { hasTooManyMarks, marksError, tidy } from "../../lib/text"
import { refuseMissing } from "../../store/crud"
import { isBusiness, type Resource } from "../../kind/define"
import type { Field } from "../../kind/field"
import type { Input } from "../../kind/read"
import { keyOf, keysOf } from "../../kind/keys"
import { draftIn, namedIn } from "../../store/named"
import { etagOf, type Expected } from "../../kind/tag"
import type { Caller } from "../../caller"
import {
  answerOne,
  etagIn,
  has,
  type Creatable,
  type Readable,
  type Removable,
  type Updatable,
} from "./kind-routes"
import { changeExampleOf, ref, upsertSchema } from "../openapi/kind-schemas"
import { ifNoneMatch, oneParameters } from "../openapi/parameters"
import { get, merge, type Parameter, type Route } from "./route"
import { created, hasVersion, type Reply } from "../request/write"

/** The functions that a service must have to find its records by another key than the id. */
type Found<T> = Readable<T> & { findId(name: string, value: string): string | null }

/** The functions that it must have to create and update them by that key too. Those of documents change their status. */
export type Keyed<T> = Found<T> &
  Creatable<T> &
  Updatable<T> & {
    changeStatus?(
      tx: Tx,
      id: string,
      request: {
        status: string
        reason: string | null
        override: boolean
        send?: boolean
        caller: Caller
      },
    ): T
  }

/** The functions of a service of business records that leaves out what its kind does not have. */
export type Offered<T> = Found<T> & Partial<Keyed<T> & Removable & { send: SendOperation }>

/** Sending a record, as an operation of a batch: the schemas of its body and of its result, and what it does. */
export type SendOperation = {
  body: string
  answer: string
  run(tx: Tx, id: string, input: Input, caller: Caller): object
}

/** True for a kind whose POST can give a status. */
export const takesStatus = ({ onCreate }: Resource): boolean => onCreate?.status !== undefined

/** A unique field and its value. */
export type Key = { name: string; field: Field; value: string }

/** True for a service by which records are created and updated by another key than the id. */
export const isKeyed = <T>(service: Offered<T>): service is Keyed<T> =>
  has(service, "create") && has(service, "update")

/** GET /{kind}/by/{field}/{value}, for each unique field. */
export const byKeyReadRoutes = <T extends { id: string }>(kind: Resource, service: Found<T>): Route[] =>
  keysOf(kind).map(([name, field]) => getRoute(kind, service, name, field))

/** The same, and PUT if its records are created and updated this way. */
export const byKeyRoutes = <T extends { id: string }>(kind: Resource, service: Offered<T>): Route[] =>
  isKeyed(service)
    ? keysOf(kind).flatMap(([name, field]) => [
        getRoute(kind, service, name, field),
        putRoute(kind, service, name, field),
      ])
    : byKeyReadRoutes(kind, service)

const getRoute = <T extends { id: string }>(
  kind: Resource,
  service: Found<T>,
  name: string,
  field: Field,
): Route =>
  get(
    `/${kind.name}/by/${name}/:value`,
    {
      may: kind.rights.read,
      id: `get${kind.title}By${capital(name)}`,
      tag: kind.name,
      summary: `Get one ${kind.noun} by its ${name}`,
      parameters: () => [valueParameter(name, field), ...oneParameters(kind)],
      answer: {
        status: 200,
        description: `The ${kind.noun}.`,
        schema: ref(kind.title),
        headers: etagIn(kind),
      },
      refuses: [404, 422],
      takesIfNoneMatch: isBusiness(kind) && "version" in kind.fields,
    },
    (context) => {
      const value = readValue(field, context.params.value ?? "")
      const id = service.findId(name, value) ?? refuseValue(kind, name, value)
      return answerOne(kind, service, id, context)
    },
  )

const putRoute = <T extends { id: string }>(
  kind: Resource,
  service: Keyed<T>,
  name: string,
  field: Field,
): Route =>
  merge<Input>(
    `/${kind.name}/by/${name}/:value`,
    {
      may: kind.rights.write,
      id: `put${kind.title}By${capital(name)}`,
      tag: kind.name,
      summary: `Update ${isGiven(field) ? "or create " : ""}a record by its ${name}`,
      description: [
        isGiven(field)
          ? `Merges the body into the ${kind.noun} with this ${name}, or creates it. With \`If-None-Match: *\` it only creates.`
          : `Merges the body into the ${kind.noun} with this ${name}. The service assigns this number, so no record is created.`,
        ...(takesStatus(kind)
          ? ["`status` changes the status of a draft, and may else only be the present one."]
          : []),
      ].join(" "),
      parameters: () => [valueParameter(name, field), ...(isGiven(field) ? [ifNoneMatch] : [])],
      body: {
        schema: upsertSchema(kind),
        example: changeExampleOf(kind),
        isOptional: false,
        read: (input) => input,
      },
      answer: {
        status: 200,
        description: `The updated ${kind.noun}.`,
        schema: ref(kind.title),
        headers: ["ETag"],
      },
      refuses: [404, 412],
      isCreatedIfMissing: isGiven(field),
    },
    (tx, { params, body, ...given }) =>
      mergeRecord(
        tx,
        kind,
        service,
        { name, field, value: readValue(field, params.value ?? "") },
        body,
        given,
      ),
  )

type Given = { expected: Expected; isNew?: boolean; mustExist?: boolean; caller: Caller }

/** Updates the record with this key, or creates it. */
export function mergeRecord<T extends { id: string }>(
  tx: Tx,
  kind: Resource,
  service: Keyed<T>,
  key: Key,
  body: Input,
  { expected, isNew, mustExist, caller }: Given,
): Reply {
  assertSameKey(key, body)
  const id = service.findId(key.name, key.value)
  if (id !== null) {
    if (isNew)
      throw new Refusal("PRECONDITION_FAILED", `The ${kind.noun} exists; its id is ${id}.`, {
        params: { existing: id },
      })
    const change = namedIn(tx, kind.fields, body, () => service.get(id, caller))
    if (!takesStatus(kind)) assertSameStatus(kind, service.get(id, caller), change)
    const data = takesStatus(kind)
      ? updateWithStatus(tx, kind, service, id, change, { expected, caller })
      : service.update(tx, id, change, expected, caller)
    return { status: 200, headers: hasVersion(data) ? { etag: etagOf(data) } : {}, data }
  }
  if (!isGiven(key.field)) return refuseValue(kind, key.name, key.value)
  if (expected !== null || mustExist)
    throw new Refusal("PRECONDITION_FAILED", `There is no ${kind.noun} with this ${key.name}.`)
  const draft = draftIn(tx, kind, { ...body, [key.name]: key.value })
  return created(`/api/v1/${kind.name}`, service.create(tx, draft, caller))
}

/**
 * Updates a document. A draft then gets the status of the body; another document must have it already. An update can
 * complete an order, whose status before it may be sent back.
 */
function updateWithStatus<T extends { id: string }>(
  tx: Tx,
  { onUpdate }: Resource,
  service: Keyed<T>,
  id: string,
  { status, override, send, ...body }: Input,
  { expected, caller }: Given,
): T {
  const hasStatus = (status ?? null) !== null
  const { status: before } = (hasStatus ? service.get(id, caller) : {}) as { status?: unknown }
  const change = onUpdate?.override && override !== undefined ? { ...body, override } : body
  const updated = service.update(tx, id, change, expected, caller)
  const current = (updated as { status?: unknown }).status
  if (!hasStatus || status === current || (status === before && before !== "draft")) return updated
  if (typeof status !== "string") throw invalid("status", "TYPE", "must be a string", { type: "string" })
  if (current !== "draft" || !service.changeStatus) throw otherStatus(current)
  const asked = { override: override === true, send: send === true }
  return service.changeStatus(tx, id, { status, reason: null, ...asked, caller })
}

/** Refuses another status of a kind whose status nobody sets when it is created. That of items follows from `isActive`. */
function assertSameStatus({ fields }: Resource, record: object, { status }: Input): void {
  if (status === undefined || !fields.status || fields.status.derived) return
  const { status: current } = record as { status?: unknown }
  if (status !== current) throw otherStatus(current)
}

const otherStatus = (current: unknown): Refusal =>
  invalid("status", "RULE", `must be ${current}: only the status of a draft can be changed here`, {
    rule: "TRANSITION",
    status: `${current}`,
    allowed: [`${current}`],
  })

/** True for keys that clients choose. The service assigns the others, such as the number of an invoice. */
const isGiven = ({ access }: Field): boolean => access !== "readOnly"

function assertSameKey({ name, field, value }: Key, body: Input): void {
  const given = Object.hasOwn(body, name) ? body[name] : undefined
  const form = keyOf(field)
  if (given === undefined || (typeof given === "string" && form(given) === form(value))) return
  throw invalid(name, "RULE", `must be ${JSON.stringify(value)}, as in the URL`, { rule: "MISMATCH", value })
}

/** Normalizes the value of a key, as the values of fields are. A value that is much too long is cut: no record has it. */
export function readValue(field: Field, value: string): string {
  const max = Number(field.schema.maxLength ?? 100)
  if (value.length > 2 * max) return value.slice(0, 2 * max + 1)
  if (hasTooManyMarks(value)) throw invalid("value", "FORMAT", marksError.error, marksError.params)
  return tidy(value)
}

/** Refuses a key that no record of the kind has. */
export const refuseValue = (kind: Resource, name: string, value: string): never =>
  refuseMissing({ name: kind.name, noun: `${kind.noun} with the ${name}` }, value)

export const valueParameter = (name: string, field: Field): Parameter => ({
  name: "value",
  in: "path",
  required: true,
  description: `The ${name}, with percent escapes.`,
  schema: field.schema,
})

export const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
