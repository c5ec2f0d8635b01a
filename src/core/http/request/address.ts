import { BlockList, isIP as ipVersion } from "node:net"

export const isIP = (text: string): boolean => ipVersion(text) !== 0

/** Parses networks such as 10.0.0.0/8 and single addresses. Returns null when one of them is invalid. */
export function networks(entries: readonly string[]): BlockList | null {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = "", bits, ...rest] = entry.split("/")
    const family = ipVersion(address)
    const most = family === 4 ? 32 : 128
    const size = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (family === 0 || rest.length > 0 || size < 0 || size > most) return null
    list.addSubnet(address, size, family === 4 ? "ipv4" : "ipv6")
  }
  return list
}

export const isWithin = (list: BlockList, address: string): boolean =>
  isIP(address) && list.check(address, address.includes(":") ? "ipv6" : "ipv4")

/** Converts an IPv4 address that a dual-stack socket reports as ::ffff:192.0.2.1 to plain IPv4. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "")

/** True for an address of this machine itself. */
export const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(plainAddress(address))

/**
 * The client's address. X-Forwarded-For is used only when it comes from a trusted proxy. It is read from the right: the
 * first hop that is not a trusted proxy is the client.
 */
export function clientAddress(peer: string, headers: Headers, trusted: BlockList | null): string {
  let address = plainAddress(peer)
  if (!trusted) return address
  const forwarded = headers.get("x-forwarded-for")
  const hops = forwarded?.split(",").map((hop) => plainAddress(hop.trim())) ?? []
  while (isWithin(trusted, address)) {
    const hop = hops.pop()
    if (hop === undefined || !isIP(hop)) break
    address = hop
  }
  return address
}

/** The first 64 bits of an IPv6 address; an IPv4 address unchanged. */
export const networkOf = (address: string): string =>
  address.includes(":") ? groupsOf(address).slice(0, 4).join(":") : address

/** The first 48 bits of an IPv6 address, which one site usually has; null for an IPv4 address. */
export const siteOf = (address: string): string | null =>
  address.includes(":") ? `${groupsOf(address).slice(0, 3).join(":")}/48` : null

/** The eight groups of an IPv6 address in canonical form. */
export function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0")
  const groups = tail === undefined ? left : [...left, ...zeros, ...right]
  return groups.map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
}
