/** The error codes that the RFCs define. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"

/** An error whose response the RFCs define. The endpoint responds in that format and not in our envelope. */
export class OAuthFailure extends Error {
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message)
  }
}
