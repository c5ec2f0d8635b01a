import type { KindRights } from "../shared/rights"
import { integer, readOnly, reference, timestamp, type Field } from "./field"

type Fields = Record<string, Field>

/** A rule that rows of several tables keep together. The query finds the rows that break it; `says` tells how. */
export type Check = { says: (row: CheckedRow) => string; sql: string }
export type CheckedRow = { name: string; is?: number; should?: number }

/** A kind of record as data. Plain functions read it; nothing inherits from it. */
export type Resource<F extends Fields = Fields, N extends string = string> = {
  /** As in the URL. */
  name: N
  table: string
  idPrefix: string
  /** One of them, in words, for sentences: "item". */
  noun: string
  /** The name of its schema in OpenAPI. */
  title: string
  /** What it is, for the API document. */
  about: string
  /** Who may read, write and delete its records. */
  rights: KindRights
  /** True when GET /{name}/{id}/history tells what happened to a record. */
  hasHistory?: boolean
  /** True when GET /{name}/{id}/print shows a record as a page for paper. */
  isPrinted?: boolean
  /** The fields whose words a list's `search` looks through; such a kind has a table `<table>_search`. */
  search: readonly (keyof F & string)[]
  /** Further fields that only the search over everything looks through. */
  searchMore?: readonly (keyof F & string)[]
  /** Fields of which a fragment is worth finding, as of a phone number; spaces and hyphens in them do not count. */
  fragments?: readonly (keyof F & string)[]
  /** How the search over everything finds and names a record. */
  found?: {
    /** Its code or number, which finds it outright. */
    code: keyof F & string
    /** The name that people know it by. */
    title: keyof F & string
    /** Begins its numbers, so that 42 finds INV-2026-00042. */
    series?: string
    /** True when a hit shows its number before the name. */
    showsCode?: boolean
  }
  /** The fields that `search` looks through where there are few records: row by row, without a search table. */
  scan?: readonly (keyof F & string)[]
  /** Which fields a list finds by an index; what else it is filtered or sorted by, it must look through. */
  indexed?: {
    /** By (field, id): to sort by, and to begin and end at. */
    sort?: readonly ((keyof F & string) | "createdAt")[]
    /** By (field, createdAt, id): all with one value, in the order of createdAt. */
    group?: readonly (keyof F & string)[]
    /** At most one record has a value. */
    unique?: readonly (keyof F & string)[]
  }
  /** Where records may be large: the fields that make them so, and from how many on they are weighed before they are read. */
  bulky?: { fields: readonly (keyof F & string)[]; from: number }
  fields: F
  /** What a body may hold beside the fields, and no answer ever shows. */
  writeOnly?: Fields
  /** What only a body that creates a record may hold beside the fields. */
  onCreate?: Fields
  /** What `kontor check` holds the rows of its tables against. */
  checks?: readonly Check[]
}

export type ValueOf<F extends Field> =
  F extends Field<infer T, infer _, infer N> ? (N extends true ? T | null : T) : never

/** A record: no field is ever missing. Amounts are whole minor units as it is kept, and plain numbers as it is answered. */
export type RecordOf<R extends Resource> = { [K in keyof R["fields"]]: ValueOf<R["fields"][K]> } & {}

/** What every record has. */
export type Shared = { id: string; version: number; createdAt: string; updatedAt: string }

export function defineResource<const F extends Fields, const N extends string>(resource: Resource<F, N>) {
  const { fields, ...rest } = resource
  return {
    ...rest,
    fields: {
      id: readOnly(reference(resource.idPrefix)),
      ...fields,
      version: readOnly(integer()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
    },
  } satisfies Resource
}

/** A kind whose records are only ever added: no version, no updates. */
export function defineLedger<const F extends Fields, const N extends string>(resource: Resource<F, N>) {
  const { fields, ...rest } = resource
  return {
    ...rest,
    fields: { id: readOnly(reference(resource.idPrefix)), ...fields, createdAt: readOnly(timestamp()) },
  } satisfies Resource
}

const columns = new Map<string, string>()

/** orderDate → order_date. */
export function columnOf(name: string): string {
  const known = columns.get(name)
  if (known !== undefined) return known
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(name, column)
  return column
}

const lists = new WeakMap<Resource, [string, Field][]>()

/** Every field with its name; listed once a kind, because every request goes through them. */
export function fieldsOf(resource: Resource): [string, Field][] {
  const known = lists.get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields)
  lists.set(resource, fields)
  return fields
}

/** The fields that have a column of their own, in the order they are declared. */
export const storedFields = (resource: Resource): [string, Field][] =>
  fieldsOf(resource).filter(([, field]) => !field.derived && !field.isNotStored)

/** The extra columns of a field: folded for sorting, in lower case for uniqueness. */
export function shadowsOf(name: string, field: Field): string[] {
  if (field.kind !== "text" || field.access === "readOnly") return []
  return [`${columnOf(name)}_sort`, ...(field.unique ? [`${columnOf(name)}_key`] : [])]
}
