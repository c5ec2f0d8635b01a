// How bodies name the records of other kinds: by their ids, and by their keys. A reference field knows its kind by the
// prefix of its ids, so that every body with such a field takes the keys of the kind too.
import { Type, type TSchema } from "@sinclair/typebox"
import { fieldError, missingReference, type FieldError } from "../lib/refusal"
import type { Resource } from "./define"
import { isId, isPossibleId, notAnId, UnresolvedReference, type Field } from "./field"
import { keyOf, keysOf } from "./keys"
import { isObject, nullableSchema } from "./object"

type Fields = Record<string, Field>
type Values = Record<string, unknown>

/** A key by which bodies can name a record: `customerNumber` of the customer in the field `customer`. */
type KeyName = {
  /** The field of a body: the reference, and the last word of the key. */
  name: string
  key: string
  field: Field
}

/** A field of a body that names a record of another kind. */
type Reference = { of: string; kind: Resource; keys: KeyName[] }

/** The fields of a body that name records, and those with lines whose fields do. */
type References = {
  own: Reference[]
  inLines: { name: string; fields: Fields; max: number }[]
}

let kindsByPrefix: ReadonlyMap<string, Resource> = new Map()
let known = new WeakMap<Fields, References>()

/** Tells the kinds that bodies can name by their keys. */
export function setReferredKinds(kinds: readonly Resource[]): void {
  kindsByPrefix = new Map(kinds.map((kind) => [kind.idPrefix, kind]))
  known = new WeakMap()
}

/** The end of the name of a field with a key: Number for `orderNumber`, Code for `itemCode`, ExternalId. */
const endOf = (key: string): string =>
  /(?:Number|Code)$/.exec(key)?.[0] ?? key.charAt(0).toUpperCase() + key.slice(1)

function referencesIn(fields: Fields): References {
  const found = known.get(fields)
  if (found) return found
  const references: References = { own: [], inLines: [] }
  for (const [of, { access, refersTo, lines }] of Object.entries(fields)) {
    if (access === "readOnly") continue
    if (lines) references.inLines.push({ name: of, ...lines })
    const kind = kindsByPrefix.get(refersTo ?? "")
    if (!kind) continue
    const keys = keysOf(kind)
      .map(([key, field]) => ({ name: of + endOf(key), key, field }))
      // Of a key that stands in the field itself, and of a field that has a meaning of its own, there is no other field.
      .filter(({ name, key }) => key !== kind.namedBy && (fields[name]?.access ?? "readOnly") === "readOnly")
    references.own.push({ of, kind, keys })
  }
  known.set(fields, references)
  return references
}

/** The schemas of the fields that a body has in addition, by which it names records. */
export const keySchemas = (fields: Fields): [string, TSchema][] =>
  referencesIn(fields).own.flatMap(({ of, kind, keys }) =>
    keys.map(({ name, key, field }): [string, TSchema] => {
      const { examples: _, ...schema } = field.schema
      const description = `The \`${key}\` of the ${kind.noun}, in place of \`${of}\``
      return [name, nullableSchema({ schema: Type.Unsafe({ ...schema, description }), nullable: true })]
    }),
  )

/** True for a field that a body must have, and that a key can replace. */
export const isReplaceable = (fields: Fields, name: string): boolean =>
  referencesIn(fields).own.some(({ of, keys }) => of === name && keys.length > 0)

/** The schema of a reference in a body. That of a kind with codes takes a code too. */
export function referenceSchema({ schema, refersTo }: Pick<Field, "schema" | "refersTo">): TSchema {
  const kind = kindsByPrefix.get(refersTo ?? "")
  if (!kind?.namedBy) return schema
  const { pattern: _, ...rest } = schema
  return Type.Unsafe({
    ...rest,
    minLength: 1,
    description: `The id of a ${kind.noun}, or its ${kind.namedBy}`,
  })
}

/** True when a body names a record by a key. */
export function namesByKey(fields: Fields, input: Values): boolean {
  const { own, inLines } = referencesIn(fields)
  return (
    own.some(
      ({ of, kind, keys }) =>
        keys.some(({ name }) => Object.hasOwn(input, name)) || keyIn(kind, input[of]) !== undefined,
    ) ||
    inLines.some(({ name, fields: ofLine }) =>
      linesIn(input, name).some((line) => isObject(line) && namesByKey(ofLine, line)),
    )
  )
}

const linesIn = (input: Values, name: string): unknown[] => {
  const given = Object.hasOwn(input, name) ? input[name] : null
  return Array.isArray(given) ? given : []
}

/** Returns the key in a reference field that has no id; undefined if it has one, or nothing that can be a key. */
function keyIn({ idPrefix, namedBy = "", fields }: Resource, value: unknown): string | undefined {
  if (typeof value !== "string" || isId(idPrefix, value)) return undefined
  return fields[namedBy]?.read(value, namedBy, [], "create") as string | undefined
}

/** A record that was found, and the one that it means: itself, unless it was merged into another one. */
export type Named = { id: string; means: string }

/** Finds records by their ids, or by the values of a key in the form of its index. */
export type FindNamed = (kind: Resource, by: string, values: readonly string[]) => Map<string, Named>

/** A key in a body, in the form of its field; undefined if it is invalid. */
type GivenKey = KeyName & { at: string; value: string | undefined; errors: FieldError[] }

/** A reference in a body, and the copy of the body, or of the line, that it is in. */
type Place = { copy: Values; at: string; reference: Reference; keys: GivenKey[]; stored: Values | null }

/**
 * Returns the body with the ids of the records that it names by keys. Of several fields that name a record, those count
 * that differ from `stored`, and they must agree. What cannot be found is reported when the field is read.
 */
export function resolved(fields: Fields, input: Values, stored: Values | null, find: FindNamed): Values {
  const places: Place[] = []
  const copy = copied(fields, input, stored, "", places)
  const lookup = lookupOf(places, find)
  for (const place of places) place.copy[place.reference.of] = decided(place, lookup)
  return copy
}

/** Copies a body without its keys, and adds the references that they name to `places`. */
function copied(
  fields: Fields,
  input: Values,
  stored: Values | null,
  prefix: string,
  places: Place[],
): Values {
  const { own, inLines } = referencesIn(fields)
  const copy = { ...input }
  for (const reference of own) {
    const { of, kind } = reference
    const keys = reference.keys.flatMap(({ name, ...key }): GivenKey[] => {
      const given = Object.hasOwn(copy, name) ? copy[name] : null
      delete copy[name]
      if (given === null) return []
      const errors: FieldError[] = []
      const value = key.field.read(given, prefix + name, errors, "create") as string | undefined
      return [{ ...key, name, at: prefix + name, value, errors }]
    })
    if (keys.length > 0 || keyIn(kind, copy[of]) !== undefined)
      places.push({ copy, at: prefix + of, reference, keys, stored })
  }
  for (const { name, fields: ofLine, max } of inLines) {
    const given = linesIn(copy, name)
    // More lines are refused when they are read.
    if (given.length === 0 || given.length > max) continue
    const before = new Map(linesIn(stored ?? {}, name).map((line) => [(line as Values).id, line as Values]))
    copy[name] = given.map((line, i) =>
      isObject(line)
        ? copied(ofLine, line, before.get(line.id) ?? null, `${prefix}${name}[${i}].`, places)
        : line,
    )
  }
  return copy
}

type Lookup = (kind: Resource, by: string, value: string) => Named | undefined

/** Finds all records that places name, with one statement for each key of a kind. */
function lookupOf(places: readonly Place[], find: FindNamed): Lookup {
  const wanted = new Map<Resource, Map<string, Set<string>>>()
  const want = (kind: Resource, by: string, value: string) => {
    const ofKind = wanted.get(kind) ?? new Map<string, Set<string>>()
    wanted.set(kind, ofKind)
    ofKind.set(by, (ofKind.get(by) ?? new Set()).add(formOf(kind, by, value)))
  }
  for (const { copy, reference, keys, stored } of places) {
    const { of, kind } = reference
    const own = copy[of]
    const ownKey = keyIn(kind, own)
    if (kind.namedBy && ownKey !== undefined) want(kind, kind.namedBy, ownKey)
    else if (typeof own === "string" && isPossibleId(own)) want(kind, "id", own)
    for (const key of keys)
      if (key.value !== undefined && !isShown(key, stored)) want(kind, key.key, key.value)
  }
  const found = new Map(
    [...wanted].map(([kind, keys]) => [
      kind,
      new Map([...keys].map(([by, values]) => [by, find(kind, by, [...values])])),
    ]),
  )
  return (kind, by, value) =>
    found
      .get(kind)
      ?.get(by)
      ?.get(formOf(kind, by, value))
}

const formOf = (kind: Resource, by: string, value: string): string => {
  const field = by === "id" ? undefined : kind.fields[by]
  return field ? keyOf(field)(value) : value
}

/** True when the stored record shows a key, and the body sends it back: the key itself may have changed since. */
function isShown({ name, field, value }: GivenKey, stored: Values | null): boolean {
  const shown = stored?.[name]
  const form = keyOf(field)
  return typeof shown === "string" && value !== undefined && form(shown) === form(value)
}

/** Returns what a reference field contains: an id, null, or why nothing was found. */
function decided(place: Place, lookup: Lookup): unknown {
  const { copy, reference, stored } = place
  const { of } = reference
  const before = (stored?.[of] ?? null) as string | null
  const { named, errors } = namedIn(place, before, lookup)
  const differing = named.filter(({ means }) => means !== before)
  const [first] = differing
  const other = differing.find(({ means }) => means !== first?.means)
  if (other) errors.push(mismatch(other.at, other.key, of))
  if (errors.length > 0) return new UnresolvedReference(errors)
  // Null differs from the stored record too.
  if (!first && copy[of] === null) return null
  // A record that was merged is named as such, so that a warning says which one is meant.
  const counting = first ? differing : named
  return (counting.find(({ id, means }) => id !== means) ?? counting[0])?.id
}

/** Finds the record that each field of a place names. */
function namedIn(
  { copy, at, reference: { of, kind }, keys, stored }: Place,
  before: string | null,
  lookup: Lookup,
) {
  const named: (Named & { at: string; key: string })[] = []
  const errors: FieldError[] = []
  const own = copy[of] ?? null
  if (typeof own === "string") {
    const ownKey = keyIn(kind, own)
    const found =
      kind.namedBy && ownKey !== undefined ? lookup(kind, kind.namedBy, ownKey) : lookup(kind, "id", own)
    named.push({ ...(found ?? { id: own, means: own }), at, key: "id" })
  } else if (own !== null) errors.push(notAnId(at))
  for (const given of keys) {
    const { at: place, key, value } = given
    errors.push(...given.errors)
    if (value === undefined) continue
    const isKept = before !== null && isShown(given, stored)
    const found = isKept ? { id: before, means: before } : lookup(kind, key, value)
    if (found) named.push({ ...found, at: place, key })
    else errors.push(missingReference(place, value))
  }
  return { named, errors }
}

const mismatch = (at: string, key: string, of: string): FieldError =>
  fieldError(at, "RULE", `is not the ${key} of ${of}`, { rule: "MISMATCH" })
