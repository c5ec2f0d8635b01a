import type { BlockList } from "node:net"
import { lookup } from "node:dns/promises"
import { groupsOf, isIP, isWithin, networks } from "../../core/http/request/address"

const listOf = (...entries: string[]): BlockList => {
  const list = networks(entries)
  if (!list) throw new Error("A network is not valid.")
  return list
}

/** The IPv4 networks that are not part of the internet: private, loopback, link-local, shared, reserved, multicast. */
const closed = listOf(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // The platform service of a cloud, which answers on a public address inside its machines.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
)

/** The IPv6 addresses of the internet. All others are refused, so that a network that is forgotten here is closed. */
const open6 = listOf("2000::/3")
/** Parts of it that are reserved, or that tunnel to IPv4 addresses (Teredo and 6to4). */
const closed6 = listOf("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

/** An IPv4 address inside IPv6: ::ffff:0:0/96 is the address itself, and 64:ff9b::/96 is translated to it. */
const carriers = ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"]

/** Returns the IPv4 address that an IPv6 address stands for, or the address itself. */
function plainOf(address: string): string {
  const host = `[${address}]`
  if (!address.includes(":") || !URL.canParse(`http://${host}`)) return address
  const groups = groupsOf(new URL(`http://${host}`).hostname.slice(1, -1))
  if (!carriers.includes(groups.slice(0, 6).join(":"))) return address
  const bytes = groups.slice(6).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
  return bytes.join(".")
}

/** True for an address on the internet. */
export function isPublic(address: string): boolean {
  const plain = plainOf(address)
  if (!isIP(plain) || plain.includes("%")) return false
  return plain.includes(":") ? isWithin(open6, plain) && !isWithin(closed6, plain) : !isWithin(closed, plain)
}

/** The networks outside the internet that webhooks may call, from --allow-private-webhooks; null for none. */
export type AllowedNetworks = BlockList | null

const isAllowed = (address: string, allowed: AllowedNetworks): boolean =>
  allowed !== null && isWithin(allowed, plainOf(address))

/**
 * Checks all addresses of the host of a URL, and returns why a webhook may not call it; null if it may. One address that
 * is not allowed is enough to refuse, because it is the resolver that chooses among them.
 */
export function errorOfAddresses(
  { protocol }: URL,
  addresses: readonly string[],
  allowed: AllowedNetworks,
): string | null {
  const isInside = (address: string) => isAllowed(address, allowed)
  if (protocol !== "https:" && (allowed === null || !addresses.every(isInside)))
    return "must use https; http is only for the networks that the server allows with --allow-private-webhooks"
  if (!addresses.every((address) => isPublic(address) || isInside(address)))
    return "must not lead to a private or reserved address; the server allows networks with --allow-private-webhooks"
  return null
}

/** Returns why a text is not a URL for a webhook; null if it is one. The addresses are checked separately. */
export function errorOfUrl(text: string): string | null {
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return "must be a URL such as https://shop.example/hooks"
  const { protocol, username, password, port, hostname } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return "must use https"
  if (username || password) return "must not contain a user name or password"
  if (text.includes("#")) return "must not have a fragment"
  if (port === "0" || hostname === "") return "must be a URL such as https://shop.example/hooks"
  return null
}

/** The host of a URL as an address or a name, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

/** Returns the address that a name always stands for, also if it cannot be resolved here; null for other names. */
export function knownAddress(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, "")
  if (name === "localhost" || name.endsWith(".localhost")) return "127.0.0.1"
  return name === "metadata.google.internal" ? "169.254.169.254" : null
}

/** Returns all addresses of a host, the preferred ones first. It rejects when the name does not exist. */
export type Resolve = (host: string) => Promise<string[]>

/** Resolves names as the system does. IPv4 comes first, because IPv6 is not connected everywhere. */
export const systemResolve: Resolve = async (host) => {
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true })
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
}

/** How names are resolved, and the networks outside the internet that may be called. */
export type Network = {
  resolve: Resolve
  allowed: AllowedNetworks
  /** Counts an attempt. */
  onAttempt?: (hasSucceeded: boolean) => void
}

/** The longest time to resolve a name before it is stored, in milliseconds. */
const longestLookup = 3_000

/** Returns all addresses that a name is known to have now; none if it cannot be resolved in time. */
export async function addressesNow(host: string, resolve: Resolve): Promise<string[]> {
  const late = new Promise<string[]>((end) => void setTimeout(() => end([]), longestLookup).unref())
  const resolved = await Promise.race([resolve(host).catch(() => []), late])
  const known = knownAddress(host)
  return known === null ? resolved : [known, ...resolved]
}

/** Returns why a URL may not be called; null if it may, or if its name cannot be resolved now. */
export const addressErrorOf = async (url: URL, { resolve, allowed }: Network): Promise<string | null> =>
  errorOfAddresses(url, await addressesNow(hostOf(url), resolve), allowed)
