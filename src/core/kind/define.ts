import type { Language } from "../../shared/languages"
import type { OwnPlaceholder } from "../../shared/mail"
import { isBusinessArea, type KindRights } from "../../shared/rights"
import type { OwnRefusal } from "../lib/refusal"
import type { OwnEvents } from "./record-events"
import { integer, readOnly, reference, timestamp, type Field } from "./field"

type Fields = Record<string, Field>

/** A field that is searched, or a part of an object: `address.city`. */
type Searched<N extends string> = N | `${N}.${string}`

/** A rule across rows of several tables. `sql` finds the rows that violate it; `says` describes the violation. */
export type Check = { says: (row: CheckedRow) => string; sql: string }
export type CheckedRow = { name: string; is?: number; should?: number }

/** How people call the records of a kind, in one language. `W` are the fields that it names. */
export type Names<W extends string = string> = {
  /** The title of their list, and in the menu. */
  title: string
  one: string
  many: string
  /** One of them as the object of a sentence: "den Auftrag". */
  the: string
  /** The title of the page on which one is created, if there is one. */
  new?: string
  /** What a search of the list looks through, if that is not `many`. */
  searched?: string
  /** The name in the audit log, if that is not the title. */
  audited?: string
  /** The fields that the common names (src/shared/field-names) lack, or have in another meaning. */
  fields?: Readonly<Record<W, string>>
  /** Its own statuses. */
  statuses?: Readonly<Record<string, string>>
  /** Its own types of events, if they are not called like statuses. */
  events?: Readonly<Record<string, string>>
}

/** The names of a kind in each language of the console. French is the third language of tables. */
export type KindNames<W extends string = string> = {
  en: Names<W>
  de: Names<NoInfer<W>>
  fr?: { fields: Readonly<Partial<Record<NoInfer<W>, string>>> }
}

/** The colours of statuses in the console. */
export type Colour = "blue" | "gray" | "indigo" | "red" | "teal"

/** The page of a kind in the console. */
export type Menu = {
  group: "sell" | "stock" | "reports" | "settings" | "developers"
  /** The place within the group. */
  place: number
  /** The path of the list, below /console. */
  path: string
  /** The path of one record, with `:id`, if it can be opened. */
  recordPath?: string
  /** The name of an icon of Tabler. */
  icon: string
}
/** The numbers that the server gives to the records of a kind. */
export type Numbers = {
  /** The field with the number. */
  field: string
  /** The name that the series begin with. */
  prefix: string
  /** The number format, unless the settings have another one. */
  format: string
  /** The format that the set-up proposes to German shops: its word on paper in short. */
  german: string
  /** The records that another system has numbered: an SQL condition, and their noun: "an opening invoice". */
  foreign?: { when: string; noun: string }
}

/** The tools with which assistants draft documents, in the order in which they are listed. */
export const draftTools = ["draft_quotation", "draft_order", "draft_invoice"] as const
export type DraftTool = (typeof draftTools)[number]

/** What a message says, before its placeholders are filled in. */
export type MailText = { subject: string; message: string }

/** A kind with numbers. */
export type Numbered = Pick<Resource, "name" | "table"> & { numbers: Numbers }

export const isNumbered = (kind: Resource): kind is Resource & Numbered => kind.numbers !== undefined

/** The definition of a kind of record. It is plain data that functions read. */
export type Resource<
  F extends Fields = Fields,
  N extends string = string,
  M extends Numbers | undefined = Numbers | undefined,
  C extends string = string,
  W extends string = string,
> = {
  /** The name in the URL. */
  name: N
  table: string
  /** The view that is read instead of the table, for a kind whose table has more rows than its records. */
  view?: string
  /** True when each list is restricted to few records, such as the payments of one invoice. It then needs no index. */
  isBounded?: boolean
  /** True when statements of its module add or delete rows, or rows are deleted by a cascade. They are counted again after each write. */
  isWrittenByModule?: true
  idPrefix: string
  /** The singular noun for use in sentences: "item". */
  noun: string
  /** The name of the schema in OpenAPI. */
  title: string
  /** A description for the API document. */
  about: string
  /** Its page in the console. */
  menu?: Menu
  names?: Readonly<KindNames<W>>
  /** The colours of its own statuses; gray if it has none. */
  colours?: Readonly<Record<string, Colour>>
  /** True when the API document lists the kind after the others: other records choose from its records. */
  isListedLast?: true
  /** The shell variable of an id in the samples of /docs, if it is not the name in the singular: "ORDER". */
  variable?: string
  /** The shell variables for ids of other rows, such as lines, by their prefixes. */
  lineVariables?: Readonly<Record<string, string>>
  /** The rights needed to read, write and delete the records. */
  rights: KindRights
  /** The table of the lines of a document, and its column with the document. A line names an item and a tax code. */
  lines?: { table: string; owner: string }
  /** The numbers that new records get, if they get any. The settings can have another format for them. */
  numbers?: M
  /** What mail with a record says, if records are sent. The settings can have other texts. */
  mail?: Readonly<Record<Language, MailText>>
  /** The tool with which assistants create drafts, if they may. It leaves out the fields of `onCreate`. */
  draftTool?: DraftTool
  /** What these texts can name in addition to what those of all kinds can: `link`. */
  mailPlaceholders?: readonly OwnPlaceholder[]
  /** True when the currency of the settings cannot change any more after there is a record. */
  fixesCurrency?: true
  /** True when there is GET /{name}/{id}/history. */
  hasHistory?: boolean
  /** The fields that the `search` of a list matches. A kind with such fields has a table `<table>_search`. */
  search: readonly Searched<keyof F & string>[]
  /** Additional fields that only the global search matches. */
  searchMore?: readonly Searched<keyof F & string>[]
  /** Fields that match by any fragment, such as a phone number. Spaces and hyphens in them are ignored. */
  fragments?: readonly Searched<keyof F & string>[]
  /** How the global search finds a record and what it shows. */
  found?: {
    /** The code or number of the record; an exact match is the best hit. */
    code: keyof F & string
    /** The display name. */
    title: keyof F & string
    /** Other unique codes, such as a barcode. An exact match of one is as good as one of the code. */
    keys?: readonly (keyof F & string)[]
    /** True when a hit shows the number before the name. */
    showsCode?: boolean
    /**
     * The fields by which an amount finds the record, and the score of such a hit. Each has an index that begins with
     * the field; `when` is the condition of a partial index.
     */
    amounts?: readonly { field: keyof F & string; when?: string; score: number }[]
  }
  /** The fields that `search` scans row by row, for kinds with few records and no search table. */
  scan?: readonly (keyof F & string)[]
  /** The fields that have an index. A list that is filtered or sorted by other fields must scan. */
  indexed?: {
    /** Index (field, id): for sorting and for ranges. */
    sort?: readonly ((keyof F & string) | "createdAt" | "updatedAt")[]
    /** Index (field, createdAt, id): for all records with one value, in the order of createdAt. */
    group?: readonly (keyof F & string)[]
    /** Unique index: at most one record has a value. */
    unique?: readonly (keyof F & string)[]
    /** True when the indexes do not have the id: few records have the same value, and SQLite sorts these few. */
    isWithoutId?: true
  }
  /** The texts and whole numbers that have few values, so that a list can tell how many records have each. Choices need not be named. */
  counted?: readonly (keyof F & string)[]
  /**
   * For kinds with large records: the fields that make them large, and the page size from which sizes are checked
   * before reading.
   */
  bulky?: { fields: readonly (keyof F & string)[]; from: number }
  /**
   * True when the table has a column change_count: other records change computed figures of these records, such as
   * the stock of an item.
   */
  countsChanges?: boolean
  /** The events in addition to created, updated and deleted, which every kind of the business has. */
  events?: OwnEvents
  /** The refusals of the kind's own rules, by their codes. */
  refusals?: Readonly<Record<C, OwnRefusal>>
  /** The lists in other tables that change whenever a stored sum changes, and this sum. */
  listsBySum?: Readonly<Record<string, string>>
  fields: F
  /**
   * The columns that a table file has in addition, by the field that they follow: how people name the record that the
   * field refers to.
   */
  inTable?: Readonly<Record<string, readonly string[]>>
  /** Fields that a body may have in addition, and that no response contains. */
  writeOnly?: Fields
  /** Fields that a body of an update may have in addition, and that no response contains. */
  onUpdate?: Fields
  /** The related records that a response can contain too, by the path of the field that refers to them. */
  expands?: readonly string[]
  /**
   * The key that bodies may have in place of an id, such as the code of a tax code. Each other key has a field of its own
   * in the bodies that name a record of the kind: `customerNumber` beside `customer`.
   */
  namedBy?: keyof F & string
  /** The field with the record that is meant by one that was merged into it. */
  mergedInto?: keyof F & string
  /** Fields that only a body that creates a record may have in addition. */
  onCreate?: Fields
  /** The rules that `kontor check` verifies. */
  checks?: readonly Check[]
}

/** True for the records of the business: not for users, credentials, settings and the audit log. */
export const isBusiness = ({ rights }: Resource): boolean => isBusinessArea(rights.read.area)

export type ValueOf<F extends Field> =
  F extends Field<infer T, infer _, infer N> ? (N extends true ? T | null : T) : never

/** A record with all its fields. Amounts are whole minor units in storage, and plain numbers in responses. */
export type RecordOf<R extends Resource> = { [K in keyof R["fields"]]: ValueOf<R["fields"][K]> } & {}

/** The fields that every record has. */
export type Shared = { id: string; version: number; createdAt: string; updatedAt: string }

export function defineResource<
  const F extends Fields,
  const N extends string,
  const M extends Numbers | undefined = undefined,
  C extends string = never,
  const W extends string = never,
>(resource: Resource<F, N, M, C, W>) {
  const { fields, ...rest } = resource
  return {
    ...rest,
    numbers: rest.numbers as M,
    fields: {
      id: readOnly(reference(resource.idPrefix)),
      ...fields,
      version: readOnly(integer()),
      createdAt: readOnly(timestamp()),
      updatedAt: readOnly(timestamp()),
    },
  } satisfies Resource
}

/** Defines a kind whose records are never updated: they have no version. */
export function defineLedger<const F extends Fields, const N extends string, const W extends string = never>(
  resource: Resource<F, N, undefined, never, W>,
) {
  const { fields, ...rest } = resource
  return {
    ...rest,
    fields: { id: readOnly(reference(resource.idPrefix)), ...fields, createdAt: readOnly(timestamp()) },
  } satisfies Resource
}

/** The name of a kind in camel case, as in the settings: sales-orders → salesOrders. */
export const keyOfName = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The names of fields that are words of SQL. */
const words = ["to"]
const columns = new Map(words.map((word) => [word, `${word}_`]))

/** orderDate → order_date, and to → to_. */
export function columnOf(name: string): string {
  const known = columns.get(name)
  if (known !== undefined) return known
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(name, column)
  return column
}

const lists = new WeakMap<Resource, [string, Field][]>()

/** Returns every field with its name. Cached per kind, because every request uses it. */
export function fieldsOf(resource: Resource): [string, Field][] {
  const known = lists.get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields)
  lists.set(resource, fields)
  return fields
}

const drafts = new WeakMap<Resource, Fields>()

/** Returns the fields of a body that creates a record. The same object each time, because references are known by it. */
export function draftFieldsOf(resource: Resource): Fields {
  const { fields, onCreate } = resource
  if (!onCreate) return fields
  const known = drafts.get(resource) ?? { ...fields, ...onCreate }
  drafts.set(resource, known)
  return known
}

const stored = new WeakMap<Resource, [string, Field][]>()

/** Returns the fields that have a column, in the order of their declaration. Cached per kind, because each write uses it. */
export function storedFields(resource: Resource): [string, Field][] {
  const known = stored.get(resource)
  if (known) return known
  const fields = fieldsOf(resource).filter(([, field]) => !field.derived && !field.isNotStored)
  stored.set(resource, fields)
  return fields
}

/** Returns the extra columns of a field: folded for sorting, in lower case for uniqueness, and what is compared of it. */
export function shadowsOf(name: string, field: Field): string[] {
  const column = columnOf(name)
  if (field.kind === "json" && field.alike) return [`${column}_alike`]
  if (field.kind !== "text" || field.access === "readOnly" || field.isExact) return []
  return [
    `${column}_sort`,
    ...(field.unique ? [`${column}_key`] : []),
    ...(field.alike ? [`${column}_alike`] : []),
  ]
}
