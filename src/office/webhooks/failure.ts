/**
 * Why a request got no response or was not sent: the code, and the sentence for the admin. Clients show the codes in other languages, so
 * they never change.
 */
const sentences = {
  NAME_UNKNOWN: "The name {host} could not be resolved.",
  ADDRESS_REFUSED: "The address was refused: the URL {reason}.",
  TIMEOUT: "There was no response within {seconds} seconds.",
  CONNECTION_REFUSED: "The receiver refused the connection.",
  CONNECTION_CLOSED: "The receiver closed the connection before its response.",
  NETWORK_UNREACHABLE: "The network of the receiver cannot be reached.",
  RECEIVER_UNREACHABLE: "The receiver cannot be reached.",
  CERTIFICATE_NAME: "The certificate of the receiver is for another name.",
  CERTIFICATE_EXPIRED: "The certificate of the receiver has expired.",
  CERTIFICATE_UNTRUSTED: "The certificate of the receiver is not trusted: {reason}.",
  NOT_HTTP: "The response is not HTTP/1.1.",
  HEAD_TOO_LONG: "The response has too long a head.",
  FAILED: "The connection failed: {reason}.",
  NOT_ALLOWED: "The owner of the webhook may not read records of this kind any more.",
} as const

export type FailureCode = keyof typeof sentences
export const failureCodes = Object.keys(sentences) as FailureCode[]

/** The values that the sentence contains. */
export type FailureParams = Record<string, string | number>

/** A request that got no response. The message is a sentence for the admin. */
export class NoResponse extends Error {
  constructor(
    readonly code: FailureCode,
    readonly params: FailureParams = {},
  ) {
    super(sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? "")))
  }
}

const connectionErrors: Record<string, FailureCode> = {
  ECONNREFUSED: "CONNECTION_REFUSED",
  ECONNRESET: "CONNECTION_CLOSED",
  EPIPE: "CONNECTION_CLOSED",
  ERR_SOCKET_CLOSED: "CONNECTION_CLOSED",
  ENETUNREACH: "NETWORK_UNREACHABLE",
  EHOSTUNREACH: "RECEIVER_UNREACHABLE",
  ETIMEDOUT: "RECEIVER_UNREACHABLE",
  ERR_TLS_CERT_ALTNAME_INVALID: "CERTIFICATE_NAME",
  CERT_HAS_EXPIRED: "CERTIFICATE_EXPIRED",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "CERTIFICATE_UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT: "CERTIFICATE_UNTRUSTED",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "CERTIFICATE_UNTRUSTED",
  DEPTH_ZERO_SELF_SIGNED_CERT: "CERTIFICATE_UNTRUSTED",
  SELF_SIGNED_CERT_IN_CHAIN: "CERTIFICATE_UNTRUSTED",
}

/** Returns why a request got no response. */
export function failureOf(error: unknown): NoResponse {
  if (error instanceof NoResponse) return error
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  const reason = String(code ?? message ?? error).slice(0, 200)
  if (reason === "HPE_HEADER_OVERFLOW") return new NoResponse("HEAD_TOO_LONG")
  // The other errors of the parser.
  if (reason.startsWith("HPE_")) return new NoResponse("NOT_HTTP")
  return new NoResponse(connectionErrors[reason] ?? "FAILED", { reason })
}
