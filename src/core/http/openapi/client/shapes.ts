// The types that every client has. `kontor client` prints what follows the line. The types before it are stand-ins, so
// that this file can be checked on its own: the printed file has those of the API document instead.
type ErrorCode = string
type ErrorDetail = { field: string; code: string; message: string }
type ErrorBody = {
  code: ErrorCode
  message: string
  params?: Record<string, unknown>
  details: ErrorDetail[]
}
type ListMeta = { hasMore: boolean; nextCursor: string | null }
type Warnings = { code: string; field: string; message: string; params?: object }[]
export type {
  ErrorCode,
  ErrorDetail,
  ErrorBody,
  ListMeta,
  Warnings,
  CallOption,
  List,
  Iterate,
  Read,
  Merge,
  Call,
  PathValue,
  Send,
}
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

export type ClientOptions = {
  /** The address of Kontor, such as https://kontor.example. */
  url: string
  /** An API key. */
  apiKey?: string
  /** An access token, or a function that returns one, for tokens that are refreshed. */
  token?: string | (() => string | Promise<string>)
  /** How often a request is sent at most, with its retries. 5 by default. */
  maxAttempts?: number
  /** How many seconds a call waits at most between its attempts, in total. 120 by default. */
  maxWait?: number
  /** How many seconds one attempt may take. 60 by default. */
  timeout?: number
  /** Is called with the warnings of a response, for example when a credit limit was exceeded. */
  onWarnings?: (warnings: Warnings) => void
  /** Sends the requests instead of the global fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

type CallOption = {
  /** The version that the record must still have; otherwise the call fails with PRECONDITION_FAILED. */
  ifMatch: number | string
  /** Only create: if the record exists, the call fails with PRECONDITION_FAILED. */
  onlyNew: boolean
  /** Check everything and return the result, but store nothing. */
  dryRun: boolean
  /** Identifies this write, so that repeating it has no effect. Every call makes its own by default. */
  idempotencyKey: string
}

/** The options of a call. */
export type Options<Name extends keyof CallOption = never> = Partial<Pick<CallOption, Name>> & {
  signal?: AbortSignal
}

/** A key by which a record is named in place of its id: `{ invoiceNumber: "INV-2026-00001" }`. */
export type Key<Name extends string> = { [One in Name]: Record<One, string> }[Name]

/** A value in a path: text, or the record that a key names. */
type PathValue = string | Record<string, string>

/** One page of a list. */
export type Page<Row> = { data: Row[]; meta: ListMeta }

type Operator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte"

/** The query of an export: the filters of a list, and how the file is written. */
export type Exported<Listed> = Omit<Listed, "page" | "perPage" | "cursor" | "sum" | "expand"> & {
  /** CSV by default. */
  format?: "csv" | "xlsx" | "ndjson"
  /** What separates the cells of a CSV file: a comma by default. */
  delimiter?: "," | ";" | "tab"
  /** The decimal sign of numbers in a CSV file: a point by default. */
  decimal?: "." | ","
  /** Begins a CSV file with a byte order mark, by which Excel recognizes UTF-8. */
  bom?: boolean
  /** The fields of the file, or `*` for all. */
  fields?: string | readonly string[]
}

/** The filters of fields, and the order by one of them. A field that can be null has the operator null too. */
export type Filters<Fields> = {
  [Name in keyof Fields & string as Name | `${Name}[${Operator}]`]?: NonNullable<Fields[Name]>
} & {
  [Name in keyof Fields & string as `${Name}[in]`]?: string | readonly NonNullable<Fields[Name]>[]
} & { [Name in keyof Fields & string as `${Name}[like]`]?: string } & {
  [Name in keyof Fields & string as null extends Fields[Name] ? `${Name}[null]` : never]?: boolean
} & {
  /** The field to sort by. Records with equal values are sorted by ID. */
  sort?: keyof Fields & string
}

/** Reads one page. With `fields`, the records have only these. */
type List<Row, Query, Path extends PathValue[]> = {
  (...args: [...path: Path, query?: Query & { fields?: never }, options?: Options]): Promise<Page<Row>>
  <Field extends keyof Row>(
    ...args: [...path: Path, query: Query & { fields: readonly Field[] }, options?: Options]
  ): Promise<Page<Pick<Row, Field>>>
}

/** Reads every record of a list, page after page. With `fields`, the records have only these. */
type Iterate<Row, Query, Path extends PathValue[]> = {
  (
    ...args: [...path: Path, query?: Omit<Query, "page" | "cursor"> & { fields?: never }, options?: Options]
  ): AsyncGenerator<Row, void, undefined>
  <Field extends keyof Row>(
    ...args: [
      ...path: Path,
      query: Omit<Query, "page" | "cursor"> & { fields: readonly Field[] },
      options?: Options,
    ]
  ): AsyncGenerator<Pick<Row, Field>, void, undefined>
}

/** Reads one record. With `fields`, it has only these. */
type Read<Row, Path extends PathValue[]> = {
  (...args: [...path: Path, options?: Options & { fields?: never }]): Promise<Row>
  <Field extends keyof Row>(
    ...args: [...path: Path, options: Options & { fields: readonly Field[] }]
  ): Promise<Pick<Row, Field>>
}

/** Merges a change into the record with a key. By some keys, a record that does not exist is created. */
type Merge<Row, Change, Creating extends string, Existing extends string> = {
  (
    field: Creating,
    value: string,
    change: Change,
    options?: Options<"onlyNew" | "ifMatch" | "dryRun">,
  ): Promise<Row>
  (field: Existing, value: string, change: Change, options?: Options<"ifMatch" | "dryRun">): Promise<Row>
}

type Call = {
  query?: object | undefined
  body?: unknown
  options?: (Partial<CallOption> & { signal?: AbortSignal }) | undefined
  /** Whether the operation takes an Idempotency-Key. */
  hasKey?: boolean
  /** The form of the result; `data` of the envelope by default. */
  as?: "page" | "blob"
}

type Send = <Result>(method: string, path: string, call?: Call) => Promise<Result>
