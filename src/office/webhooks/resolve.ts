import { lookup } from "node:dns/promises"
import { isIP } from "../../core/http/request/address"

/** Returns all addresses of a host, the preferred ones first. It rejects when the name does not exist. */
export type Resolve = (host: string) => Promise<string[]>

/** Resolves names as the system does. IPv4 comes first, because IPv6 is not connected everywhere. */
export const systemResolve: Resolve = async (host) => {
  if (isIP(host)) return [host]
  const found = await lookup(host, { all: true })
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address)
}
