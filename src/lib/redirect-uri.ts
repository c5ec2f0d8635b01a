const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[1-9]\d{0,4})?(?=[/?]|$)/
const plainHost = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/i

/** What is wrong with an address that an application wants to be answered at, or null. */
export function errorOfRedirect(uri: string): string | null {
  if (/[\s\\"'<>]|[^\x21-\x7e]/.test(uri) || !URL.canParse(uri)) return "must be an absolute address"
  if (uri.includes("#")) return "must not have a fragment"
  const { protocol, username, password, hostname } = new URL(uri)
  if (username || password) return "must not hold a user name"
  if (protocol === "https:") return plainHost.test(hostname) ? null : "must name a host"
  if (protocol === "http:")
    return loopback.test(uri) ? null : "must be https, unless it is this machine (127.0.0.1)"
  return protocol.includes(".")
    ? null
    : "must be https, http on 127.0.0.1, or a scheme of its own such as com.example.app:"
}

/** Whether an address is one of those: the same text, but for the port of one on the user's own machine. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.includes(uri) ||
  (isOwnMachine(uri) && registered.some((each) => loopback.test(each) && portless(each) === portless(uri)))

/** Whether it is on the user's own machine, where any program may answer. */
export const isOwnMachine = (uri: string): boolean => loopback.test(uri) && URL.canParse(uri)

const portless = (uri: string): string => uri.replace(loopback, "http://$1")
