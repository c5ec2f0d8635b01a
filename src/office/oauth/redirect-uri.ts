const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[1-9]\d{0,4})?(?=[/?]|$)/
const plainHost = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/i

/** Validates an OAuth client's redirect URI. Returns an error message or null. */
export function errorOfRedirect(uri: string): string | null {
  if (/[\s\\"'<>]|[^\x21-\x7e]/.test(uri) || !URL.canParse(uri)) return "must be an absolute URL"
  if (uri.includes("#")) return "must not have a fragment"
  const { protocol, username, password, hostname } = new URL(uri)
  if (username || password) return "must not contain a user name or password"
  if (protocol === "https:") return plainHost.test(hostname) ? null : "must contain a valid host name"
  if (protocol === "http:")
    return loopback.test(uri) ? null : "must use https, except on this computer (127.0.0.1)"
  return protocol.includes(".")
    ? null
    : "must use https, http on 127.0.0.1, or a private scheme such as com.example.app:"
}

/** True when the URI is registered: the same text, except for the port of a loopback URI. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.includes(uri) ||
  (isOwnMachine(uri) && registered.some((each) => loopback.test(each) && portless(each) === portless(uri)))

/** True for a loopback URI, where any program on the user's computer may respond. */
export const isOwnMachine = (uri: string): boolean => loopback.test(uri) && URL.canParse(uri)

const portless = (uri: string): string => uri.replace(loopback, "http://$1")
