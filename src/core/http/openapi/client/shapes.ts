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
type ListControl = "page"
type ExportForm = { format?: string }
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
  Session,
}
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

export type ClientOptions = {
  /** The address of Kontor, such as https://kontor.example. */
  url: string
  /** An API key. */
  apiKey?: string
  /** An access token, or a function that returns one. */
  token?: string | (() => string | Promise<string>)
  /** Signs in with the first call. The token is refreshed before it expires. */
  signIn?: SignIn
  /** Is called with new tokens, before they are used. The refresh token before them is no longer valid. */
  onTokens?: (tokens: Tokens) => void | Promise<void>
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

/**
 * How to sign in: as a person, by a refresh token that was stored, or as an app that a person has connected with OAuth.
 * With a password and a refresh token, the password is used when the session of the refresh token has ended.
 */
export type SignIn =
  | { email: string; password: string; refreshToken?: string }
  | { refreshToken: string }
  | { refreshToken: string; clientId: string; clientSecret?: string }

/** The tokens of a session. The access token is valid for `expiresIn` seconds. */
export type Tokens = { token: string; refreshToken: string; expiresIn: number }

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

/** The options of a write whose dry run returns something else. */
export type TryOptions<Dry extends boolean, Name extends keyof CallOption = never> = Options<Name> & {
  /** Check everything and return what would be stored, but store nothing. */
  dryRun?: Dry
}

/** What a write returns: as a dry run, or else. */
export type Tried<Dry extends boolean, Trial, Result> = Dry extends true ? Trial : Result

/** A key by which a record is named in place of its id: `{ invoiceNumber: "INV-2026-00001" }`. */
export type Key<Name extends string> = { [One in Name]: Record<One, string> }[Name]

/** A value in a path: text, or the record that a key names. */
type PathValue = string | Record<string, string>

/** One page of a list. */
export type Page<Row> = { data: Row[]; meta: ListMeta }

/** What to return of records. */
type Selection<Field, Name> = {
  /** Only these fields. */
  fields?: readonly Field[]
  /** These related records too, in `expanded`: at most 100 of each, and only those that you may read. */
  expand?: Name | readonly Name[]
}

/** A record with only the selected fields. */
type Selected<Row, Field extends keyof Row> = [keyof Row] extends [Field] ? Row : Pick<Row, Field>

/** The related records that `expand` has named, by name and ID. */
export type Expanded<Related, Name extends keyof Related> = [Name] extends [never]
  ? unknown
  : { expanded: Required<Pick<Related, Name>> }

type Operator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte"

/** The query of an export: the filters of a list, and how the file is written. `Kept` are filters that other lists lack. */
export type Exported<Listed, Kept extends ListControl = never> = Omit<Listed, Exclude<ListControl, Kept>> &
  ExportForm & {
    /** The fields of the file, or `*` for all. */
    fields?: string | readonly string[]
  }

/** The filters of fields, and the order by one or two of them. A field that can be null has the operator null too. */
export type Filters<Fields> = {
  [Name in keyof Fields & string as Name | `${Name}[${Operator}]`]?: NonNullable<Fields[Name]>
} & {
  [Name in keyof Fields & string as `${Name}[in]`]?: string | readonly NonNullable<Fields[Name]>[]
} & { [Name in keyof Fields & string as `${Name}[like]`]?: string } & {
  [Name in keyof Fields & string as null extends Fields[Name] ? `${Name}[null]` : never]?: boolean
} & {
  /** The field to sort by, or two of them. Records with equal values are sorted by ID. */
  sort?: (keyof Fields & string) | readonly (keyof Fields & string)[]
}

/** Reads one page. */
type List<Row, Query, Path extends PathValue[], Related> = <
  Field extends keyof Row = keyof Row,
  Name extends keyof Related = never,
>(
  ...args: [...path: Path, query?: Query & Selection<Field, Name>, options?: Options]
) => Promise<Page<Selected<Row, Field>> & Expanded<Related, Name>>

/** Reads every record of a list, page after page. Each record has what its page has in `expanded`. */
type Iterate<Row, Query, Path extends PathValue[], Related> = <
  Field extends keyof Row = keyof Row,
  Name extends keyof Related = never,
>(
  ...args: [...path: Path, query?: Omit<Query, "page" | "cursor"> & Selection<Field, Name>, options?: Options]
) => AsyncGenerator<Selected<Row, Field> & Expanded<Related, Name>, void, undefined>

/** Reads one record. */
type Read<Row, Path extends PathValue[], Related> = <
  Field extends keyof Row = keyof Row,
  Name extends keyof Related = never,
>(
  ...args: [...path: Path, options?: Options & Selection<Field, Name>]
) => Promise<Selected<Row, Field> & Expanded<Related, Name>>

/** Merges a change into the record with a key. By some keys, a record that does not exist is created. */
type Merge<Row, Trial, Change, Creating extends string, Existing extends string> = {
  <Dry extends boolean = false>(
    field: Creating,
    value: string,
    change: Change,
    options?: TryOptions<Dry, "onlyNew" | "ifMatch">,
  ): Promise<Tried<Dry, Trial, Row>>
  (field: Existing, value: string, change: Change, options?: Options<"ifMatch" | "dryRun">): Promise<Row>
}

type Call = {
  query?: object | undefined
  body?: unknown
  options?: (Partial<CallOption> & { signal?: AbortSignal }) | undefined
  /** Whether the operation takes an Idempotency-Key. */
  hasKey?: boolean
  /** Whether it does no harm to execute it twice. */
  isHarmless?: boolean
  /** The form of the result; `data` of the envelope by default. */
  as?: "page" | "blob"
}

/** The access token of a client that signs in. A token that the server has refused is not used again. */
type Session = { token(): Promise<string>; drop(token: string): void }

type Send = <Result>(method: string, path: string, call?: Call) => Promise<Result>
