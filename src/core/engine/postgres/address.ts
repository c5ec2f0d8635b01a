import { CString, read, type Pointer } from "bun:ffi"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { Unusable } from "../../lib/unusable"
import { cText, type Handle, type Libpq } from "./libpq"
import { protectionOf, type Options, type Protection } from "./tls"

/** The address of a database, a name for messages, which has no password, and how the connection is protected. */
export type Address = { conninfo: string; name: string; protection: Protection }

/** The size of libpq's PQconninfoOption, and where it has the name of the option and its value. */
const option = { size: 56, name: 0, value: 24 }

/** Reads a URI or a list of `key=value`. */
export function addressOf(pq: Libpq, conninfo: string): Address {
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
  return { conninfo, name: nameOf(options), protection }
}

function nameOf({ user, host = "", port = "", dbname = "" }: Options): string {
  const who = user === undefined ? "" : `${user}@`
  if (host.startsWith("/")) return `postgres://${who}/${dbname}?host=${host}${port && `&port=${port}`}`
  const ports = port.split(",")
  const hosts = host.split(",").map((each, i) => {
    const at = ports[i] ?? ports[0]
    return at ? `${each}:${at}` : each
  })
  return `postgres://${who}${hosts.join(",")}/${dbname}`
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
