import { CString, type Pointer, read } from "bun:ffi"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { Unusable } from "../../../lib/refusal"
import { cText, type Handle, type Libpq } from "./libpq"
import { isIPv4 } from "node:net"

/**
 * The address of a database, a name for messages, which has no password, the schema with the tables if it is named, and how
 * the connection is protected.
 */
export type Address = { conninfo: string; name: string; schema: string | null; protection: Protection }

/** The size of libpq's PQconninfoOption, and where it has the name of the option and its value. */
const option = { size: 56, name: 0, value: 24 }

/** Reads a URI or a list of `key=value`. */
export function addressOf(pq: Libpq, given: string): Address {
  const { conninfo, schema } = withoutSchema(given)
  const options = optionsOf(pq, conninfo)
  // Messages show the host, so it must not be a part of the password.
  if (options.host?.includes("@"))
    throw new Unusable(
      "The address of the PostgreSQL database has an @ too many. Write @ in a password as %40.",
    )
  const protection = protectionOf({
    named: options,
    around: surroundings(pq),
    libpqVersion: pq.PQlibVersion(),
    hasOwnRoots: existsSync(join(homedir(), ".postgresql", "root.crt")),
  })
  return { conninfo, name: nameOf(options, schema), schema, protection }
}

/** PostgreSQL cuts a longer name, in bytes, and then two shops would be one. */
const longestName = 63

/** Takes `schema=NAME` from a URI. It is an option of Kontor's, which libpq does not know. */
function withoutSchema(uri: string): { conninfo: string; schema: string | null } {
  const [, place = uri, query] = /^(postgres(?:ql)?:[^?]*)\?(.*)$/is.exec(uri) ?? []
  const parts = query?.split("&") ?? []
  const [named, ...more] = parts.filter((part) => part.startsWith("schema="))
  if (named === undefined) return { conninfo: uri, schema: null }
  const schema = decodedName(named.slice("schema=".length))
  if (schema === null || more.length > 0)
    throw new Unusable(
      `In the address of a PostgreSQL database, schema must be one name of at most ${longestName} bytes, with special characters as %XX.`,
    )
  const rest = parts.filter((part) => part !== named).join("&")
  return { conninfo: rest === "" ? place : `${place}?${rest}`, schema }
}

function decodedName(text: string): string | null {
  try {
    const name = decodeURIComponent(text)
    return name !== "" && !name.includes("\0") && Buffer.byteLength(name) <= longestName ? name : null
  } catch {
    return null
  }
}

function nameOf({ user, host = "", port = "", dbname = "" }: Options, schema: string | null): string {
  const who = user === undefined ? "" : `${user}@`
  const within = schema === null ? "" : `schema=${encodeURIComponent(schema)}`
  if (host.startsWith("/"))
    return `postgres://${who}/${dbname}?host=${host}${port && `&port=${port}`}${within && `&${within}`}`
  const ports = port.split(",")
  const hosts = host.split(",").map((each, i) => {
    const at = ports[i] ?? ports[0]
    return at ? `${each}:${at}` : each
  })
  return `postgres://${who}${hosts.join(",")}/${dbname}${within && `?${within}`}`
}

function optionsOf(pq: Libpq, conninfo: string): Options {
  if (conninfo.includes("\0")) throw invalid(conninfo, "it contains a NUL character")
  const message = new BigUint64Array(1)
  const list = pq.PQconninfoParse(cText(conninfo), message)
  if (!list) {
    const at = Number(message[0]) as Pointer
    const reason = at ? new CString(at).toString() : "out of memory"
    if (at) pq.PQfreemem(at)
    throw invalid(conninfo, reason)
  }
  return takeOptions(pq, list)
}

/** The options that libpq takes from the environment. */
function surroundings(pq: Libpq): Options {
  const list = pq.PQconndefaults()
  return list ? takeOptions(pq, list) : {}
}

/** Reads a list of options and frees it. */
function takeOptions(pq: Libpq, list: Handle): Options {
  const options: Options = {}
  for (let at = Number(list); ; at += option.size) {
    const name = textAt(at + option.name)
    if (name === undefined) break
    options[name] = textAt(at + option.value)
  }
  pq.PQconninfoFree(list)
  return options
}

function textAt(place: number): string | undefined {
  const at = read.ptr(place as Pointer, 0) as Pointer
  return at ? new CString(at).toString() : undefined
}

/** libpq's reason quotes parts of the address, so it is shown only if the address has no password. */
function invalid(conninfo: string, reason: string): Unusable {
  const mayHavePassword = /@|password/i.test(conninfo)
  return new Unusable(
    `The address of the PostgreSQL database is not valid${mayHavePassword ? "" : ` (${oneLine(reason)})`}. ` +
      "It has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %XX.",
  )
}

/** The message of libpq in one line, without a period or a question mark at the end. */
export const oneLine = (message: string): string =>
  message
    .trim()
    .replace(/\s*\n\s*/g, "; ")
    .replace(/[.?]$/, "")

/** Options of libpq by their names. */
type Options = Record<string, string | undefined>

type Protection = {
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
