/** The error codes of requests and of all kinds of records, and the HTTP status of each. */
const ofRequests = {
  BAD_REQUEST: 400,
  INVALID_JSON: 400,
  INVALID_QUERY: 400,
  INVALID_CURSOR: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  UNAUTHORIZED: 401,
  INVALID_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  INVALID_API_KEY: 401,
  INVALID_CREDENTIALS: 401,
  SECOND_FACTOR_REQUIRED: 401,
  INVALID_REFRESH_TOKEN: 401,
  FORBIDDEN: 403,
  SECOND_FACTOR_SETUP_REQUIRED: 403,
  INSUFFICIENT_SCOPE: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  EVENTS_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  INVALID_STATUS_TRANSITION: 422,
  DOCUMENT_LOCKED: 422,
  RECORD_IN_USE: 422,
} as const

/** The error codes of what the server does. */
const ofServer = {
  IMPORT_INVALID: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  QUERY_TOO_EXPENSIVE: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  NOT_SUPPORTED: 501,
  SERVICE_UNAVAILABLE: 503,
} as const

const statusOf = { ...ofRequests, ...ofServer }
export type GeneralCode = keyof typeof statusOf

/** What an error code means: in the guide, and in German in the console. The server itself answers in English. */
type Meaning = { about: string; de: string }

/** A refusal of a kind of record, or of trade. Its status is 422. */
export type OwnRefusal = Meaning & { code: string }

/** Declares refusals by their codes. */
export const refusalsOf = <const C extends string>(
  meanings: Readonly<Record<C, Meaning>>,
): Readonly<Record<C, OwnRefusal>> =>
  Object.fromEntries(
    Object.entries<Meaning>(meanings).map(([code, meaning]) => [code, { code, ...meaning }]),
  ) as Record<C, OwnRefusal>

/** All error codes with their status, in the order of the API document. */
export const allCodes = (own: readonly OwnRefusal[]): Record<string, number> => ({
  ...ofRequests,
  ...Object.fromEntries(own.map(({ code }) => [code, 422])),
  ...ofServer,
})

/** The values that a message contains, for a client that shows it in another language. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The codes of `details`, each with its parameters. A detail may have more; docs/guide/errors.md lists them. */
export type ParamsOf = {
  /** The value is missing or null. An empty text is TOO_SHORT. */
  REQUIRED: [params?: ErrorParams]
  TYPE: [params: { type: JsonType } & ErrorParams]
  /** Characters of a text, or entries of a list. */
  TOO_LONG: [params: { max: number } & ErrorParams]
  TOO_SHORT: [params: { min: number } & ErrorParams]
  TOO_LARGE: [params: { max: number } & ErrorParams]
  /** `above` is a bound that the value itself must not have. */
  TOO_SMALL: [params: ({ min: number } | { above: number }) & ErrorParams]
  FORMAT: [params: ({ format: Format } | { allowed: readonly string[] } | { decimals: number }) & ErrorParams]
  UNKNOWN_FIELD: [params?: ErrorParams]
  READ_ONLY: [params?: ErrorParams]
  NOT_FOUND: [params: { value: string } & ErrorParams]
  RULE: [params: { rule: Rule } & ErrorParams]
}

export const detailCodes = [
  "REQUIRED",
  "TYPE",
  "TOO_LONG",
  "TOO_SHORT",
  "TOO_LARGE",
  "TOO_SMALL",
  "FORMAT",
  "UNKNOWN_FIELD",
  "READ_ONLY",
  "NOT_FOUND",
  "DUPLICATE",
  "RULE",
] as const satisfies readonly (keyof ParamsOf | "DUPLICATE")[]
export type DetailCode = (typeof detailCodes)[number]

type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object"

/** The forms that a text can be required to have, for the code FORMAT. */
export const formats = [
  "barcode",
  "bic",
  "country",
  "currency",
  "cursor",
  "date",
  "date-time",
  "email",
  "etag",
  "few-combining-marks",
  "host",
  "iban",
  "image",
  "network",
  "no-control-characters",
  "no-invisible-characters",
  "number-format",
  "percent-encoding",
  "placeholder",
  "position",
  "printable",
  "redirect-uri",
  "time-zone",
  "unicode",
  "unit-code",
  "uri",
] as const
export type Format = (typeof formats)[number]

/** The rules of the business that a value can break, for the code RULE. */
export const rules = [
  "ADDRESS",
  "COMMON_PASSWORD",
  "CREDIT_LIMIT",
  "DATE_ORDER",
  "DEDUCTED",
  "DISCOUNT_KEPT",
  "EXCLUSIVE",
  "EXPIRED",
  "HAS_CREDITS",
  "HAS_DELIVERIES",
  "HAS_INVOICES",
  "HAS_PAYMENTS",
  "HAS_WRITE_OFFS",
  "INACTIVE",
  "IN_USE",
  "KEY_REUSED",
  "LAST_ADMIN",
  "LINE_IN_USE",
  "MERGED",
  "MISMATCH",
  "MULTIPLE",
  "NOTHING_LEFT",
  "NOT_AFTER_TODAY",
  "NOT_ENCRYPTED",
  "NOT_IN_FUTURE",
  "NOT_ZERO",
  "NO_FACTOR",
  "NO_INDEX",
  "NO_SECRET",
  "NO_SENDING",
  "NUMBER_ASSIGNED",
  "NUMBER_OF_FORMAT",
  "NUMBER_SHARED",
  "NUMBER_TAKEN",
  "OMITTED",
  "OPERATION",
  "OPENING",
  "OTHER_CUSTOMER",
  "PERIOD_LOCKED",
  "REPEATED",
  "ROLE",
  "ROUNDED",
  "SAME",
  "SCOPE",
  "SERVICE",
  "STARTED",
  "STATUS",
  "TOO_LARGE_TO_COUNT",
  "TOO_LONG_AGO",
  "TOO_MANY",
  "TRANSITION",
  "TREATMENT",
  "WRONG_CODE",
  "WRONG_PASSKEY",
  "WRONG_PASSWORD",
] as const
export type Rule = (typeof rules)[number]

/** One invalid field of a request. */
export type FieldError = {
  field: string
  code: DetailCode
  message: string
  params?: ErrorParams
  /** The ID of the record that has the value, for the code DUPLICATE. */
  existing?: string
  /** The operation of a batch that has the value, for the code DUPLICATE. */
  duplicateOf?: string
  /** The rule of EN 16931 or XRechnung, for the refusal E_INVOICE_INVALID. */
  rule?: string
}

export const fieldError = <C extends keyof ParamsOf>(
  field: string,
  code: C,
  message: string,
  ...[params]: ParamsOf[C]
): FieldError => (params ? { field, code, message, params } : { field, code, message })

/** The error of a field whose value another record has, the one with the ID `existing`. */
export const duplicate = (field: string, value: string, existing: string, noun: string): FieldError => ({
  field,
  code: "DUPLICATE",
  message: `${JSON.stringify(value)} is already used by another ${noun}`,
  params: { value },
  existing,
})

/** The error of a field that refers to a record that does not exist. */
export const missingReference = (field: string, id: string): FieldError =>
  fieldError(field, "NOT_FOUND", `${JSON.stringify(id)} does not exist`, { value: id })

/** Returns a function that adds an error of one field. It returns undefined, which stands for an invalid value. */
export const reporter =
  (errors: FieldError[], field: string) =>
  <C extends keyof ParamsOf>(code: C, message: string, ...params: ParamsOf[C]): undefined =>
    void errors.push(fieldError(field, code, message, ...params))

type Options = {
  details?: FieldError[]
  params?: ErrorParams
  headers?: Record<string, string>
  /** The HTTP status, if it is not the usual one of the code. */
  status?: number
  /** The error behind it. Only the command line shows it. */
  cause?: unknown
}

/** An expected error that is returned to the caller. Any other error is a bug and returns 500. */
export class Refusal extends Error {
  readonly details: FieldError[]
  /** The values that the message contains. Those of a field are in its detail. */
  readonly params: ErrorParams | undefined
  readonly headers: Record<string, string>
  readonly status: number
  readonly code: string

  constructor(
    /** A general code, or a refusal that a kind declares. */
    readonly reason: GeneralCode | OwnRefusal,
    message: string,
    { details = [], params, headers = {}, status, cause }: Options = {},
  ) {
    super(message, { cause })
    this.code = typeof reason === "string" ? reason : reason.code
    this.details = details
    this.params = params
    this.headers = headers
    this.status = status ?? (typeof reason === "string" ? statusOf[reason] : 422)
  }
}

/** Throws a refusal with all errors; returns when there are none. */
export function assertNoErrors(errors: FieldError[], message = "The request has invalid values."): void {
  if (errors.length > 0) throw new Refusal("VALIDATION_ERROR", message, { details: errors })
}

/** A refusal for one invalid field. */
export const invalid = <C extends keyof ParamsOf>(
  field: string,
  code: C,
  message: string,
  ...params: ParamsOf[C]
): Refusal =>
  new Refusal("VALIDATION_ERROR", `${field} ${message}.`, {
    details: [fieldError(field, code, message, ...params)],
  })

/** A problem outside the program (a file, a port, a certificate). The message is a complete sentence for the user. */
export class Unusable extends Error {}

/** The message of an error that may be of any kind. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
