import { existsSync } from "node:fs"
import { isIPv4 } from "node:net"
import { Unusable } from "../../lib/unusable"

/** Options of libpq by their names. */
export type Options = Record<string, string | undefined>

/** How a connection is protected. */
export type Protection = {
  /** Options that replace those of the address. */
  options: Record<string, string>
  /** True if the address leaves the mode to Kontor. */
  isDefault: boolean
  /** What others on the network can do; null if the connection is fully protected or does not leave the machine. */
  weakness: string | null
}

type Given = {
  /** The options of the address. */
  named: Options
  /** The options of the environment and of PGSERVICE. */
  around: Options
  libpqVersion: number
  /** True if the user of this process has a file of certificates in the place where libpq looks for it. */
  hasOwnRoots: boolean
}

const strongest = "verify-full"

const plain = "The password and all data may be sent in plain text."
const unverified = "The certificate of the server is not verified, so another server could take its place."
const weaknesses: Options = {
  disable: plain,
  allow: plain,
  prefer: plain,
  require: unverified,
  "verify-ca":
    "The name in the certificate is not verified, so another server of the authority could take its place.",
}

/**
 * Decides how the server of a database is verified. libpq's own default sends the password in plain text to a server that
 * refuses TLS. So unless all servers are on this machine, the mode is verify-full, and only the address can name a weaker
 * one: a variable that was set for another program must not.
 */
export function protectionOf(given: Given): Protection {
  const { named } = given
  const mustVerify = named.sslrootcert === "system" || !isOnThisMachine(given)
  const mode = named.sslmode ?? (mustVerify ? strongest : undefined)
  if (mode === undefined) return { options: {}, isDefault: true, weakness: null }
  return {
    options: { sslmode: mode, ...rootsOf(given, mode) },
    isDefault: named.sslmode === undefined,
    weakness: (mustVerify && weaknesses[mode]) || null,
  }
}

/** True if the address names only sockets and addresses of this machine. An address wins over a name, as in libpq. */
function isOnThisMachine({ named, around }: Given): boolean {
  // libpq reads a service itself, and it may name a server.
  if (named.service !== undefined && named.hostaddr === undefined) return false
  const [addresses, names] = [listOf(named.hostaddr ?? around.hostaddr), listOf(named.host ?? around.host)]
  const count = Math.max(addresses.length, names.length)
  return Array.from({ length: count }, (_, i) => addresses[i] || names[i] || "").every(isNear)
}

const listOf = (text = ""): string[] => text.split(",")

/** Without a name, libpq uses a socket of this machine. */
const isNear = (place: string): boolean =>
  place === "" ||
  place.startsWith("/") ||
  place.startsWith("@") ||
  place === "localhost" ||
  place === "::1" ||
  (isIPv4(place) && place.startsWith("127."))

/** The first version of libpq that finds the certificates of the system itself. */
const knowsSystem = 160_000

/** Where systems keep the certificates of the authorities that they trust. */
const bundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
]

/**
 * The certificates to trust: those that are named, those that libpq finds itself in a service or in the file of its user,
 * or those that the system trusts.
 */
function rootsOf(given: Given, mode: string): Record<string, string> {
  const { named, around, libpqVersion } = given
  const roots = named.sslrootcert ?? around.sslrootcert
  if (roots === "system" && mode !== strongest)
    throw new Unusable(
      `In the address of a PostgreSQL database, sslrootcert=system needs sslmode=${strongest}.`,
    )
  const hasOwn = given.hasOwnRoots || named.service !== undefined
  const usesSystem = roots === "system" || (roots === undefined && mode === strongest && !hasOwn)
  if (!usesSystem) return {}
  if (libpqVersion >= knowsSystem) return { sslrootcert: "system" }
  const found = bundles.find((file) => existsSync(file))
  if (found !== undefined) return { sslrootcert: found }
  throw new Unusable(
    "The certificates that this system trusts were not found, so the PostgreSQL server cannot be verified. " +
      "Install them (on Debian: apt-get install ca-certificates), or name the file of an authority in the address: ?sslrootcert=FILE.",
  )
}
