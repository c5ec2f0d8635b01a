/** All error codes. The HTTP status is decided only here. */
export const statusOf = {
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
  INVALID_REFRESH_TOKEN: 401,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPE: 403,
  IP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  INVALID_STATUS_TRANSITION: 422,
  DOCUMENT_LOCKED: 422,
  RECORD_IN_USE: 422,
  ORDER_NOT_SUBMITTED: 422,
  ORDER_CANCELLED: 422,
  ORDER_ALREADY_INVOICED: 422,
  OVER_INVOICED: 422,
  ORDER_HAS_INVOICES: 422,
  INVOICE_HAS_PAYMENTS: 422,
  OVERPAYMENT: 422,
  CREDIT_LIMIT_EXCEEDED: 422,
  INSUFFICIENT_STOCK: 422,
  NOT_A_STOCK_ITEM: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  QUERY_TOO_EXPENSIVE: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type RefusalCode = keyof typeof statusOf
export type FieldError = { field: string; message: string }
type Options = { details?: FieldError[]; headers?: Record<string, string> }

/** An expected error that is returned to the caller. Any other error is a bug and returns 500. */
export class Refusal extends Error {
  readonly details: FieldError[]
  readonly headers: Record<string, string>

  constructor(
    readonly code: RefusalCode,
    message: string,
    { details = [], headers = {} }: Options = {},
  ) {
    super(message)
    this.details = details
    this.headers = headers
  }

  get status() {
    return statusOf[this.code]
  }
}

/** Throws a refusal with all errors; returns when there are none. */
export function assertNoErrors(errors: FieldError[], message = "The request has invalid values."): void {
  if (errors.length > 0) throw new Refusal("VALIDATION_ERROR", message, { details: errors })
}

/** A refusal for one invalid field. */
export function invalid(field: string, message: string): Refusal {
  return new Refusal("VALIDATION_ERROR", `${field} ${message}.`, { details: [{ field, message }] })
}
