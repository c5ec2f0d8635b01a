import { closeSync, openSync, readSync } from "node:fs"
import type { Caller } from "../core/caller"
import type { Database } from "../core/engine/engine"
import { readJson, usualBytes } from "../core/http/request/json-body"
import type { Resource } from "../core/kind/define"
import { isObject } from "../core/kind/object"
import type { Draft, Input } from "../core/kind/read"
import { messageOf, Refusal, Unusable } from "../core/lib/refusal"
import { draftIn } from "../core/store/named"
import { beforeCommit } from "../core/write/commit"
import { groupWriter, type Tx, type Writer } from "../core/write/writer"
import { kinds, shop } from "../kinds"
import type { Services } from "../services"
import { type DemoAccess, makeOwner } from "./owner"
import type { DemoWorld } from "./world"

/** The records of a demo shop, as lines of a file. */
export type DemoData = { file: string; lines: Uint8Array[] }

/** A demo is in memory, and is filled before it answers. */
const [mostBytes, mostLines] = [16 * 1024 ** 2, 50_000]
const lineFeed = 10

/** Reads the lines of a file, which may also be a pipe. */
export function readData(file: string): DemoData {
  const bytes = read(file)
  const lines: Uint8Array[] = []
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(lineFeed, from)
    const end = found < 0 ? bytes.length : found
    lines.push(bytes.subarray(from, end))
    from = end + 1
    if (lines.length > mostLines)
      throw new Unusable(`${file} has more than ${mostLines} lines, which a demo does not take.`)
  }
  return { file, lines }
}

/** Reads a file up to the largest size. What is not a file of a disk may have no end. */
function read(file: string): Uint8Array {
  const bytes = new Uint8Array(mostBytes + 1)
  let length = 0
  try {
    const opened = openSync(file, "r")
    try {
      for (let count = -1; count !== 0 && length < bytes.length; length += count)
        count = readSync(opened, bytes, length, bytes.length - length, null)
    } finally {
      closeSync(opened)
    }
  } catch (error) {
    throw new Unusable(`${file} cannot be read: ${messageOf(error)}`)
  }
  if (length > mostBytes)
    throw new Unusable(`${file} is larger than ${mostBytes / 1024 ** 2} MiB, which a demo does not take.`)
  return bytes.subarray(0, length)
}

type Create = (tx: Tx, body: Input) => unknown

/** Fills an empty demo shop with the records of a file, all at the time of the demo. The first wrong line ends it. */
export async function fillWithData(
  db: Database,
  services: Services,
  { clock }: Pick<DemoWorld, "clock">,
  { file, lines }: DemoData,
): Promise<DemoAccess> {
  const write: Writer = groupWriter(db, clock.now, beforeCommit(db))
  const { access, caller } = await makeOwner(services, write)
  const creates = createsOf(services, caller)
  for (const [i, line] of lines.entries())
    try {
      const record = readLine(line)
      if (record === null) continue
      const { kind, ...body } = record
      const create = creates.get(String(kind))
      if (!create) throw new Unusable(`kind must be one of ${[...creates.keys()].join(", ")}.`)
      await write((tx) => create(tx, body))
    } catch (error) {
      throw wrongLine(`Line ${i + 1} of ${file}`, error)
    }
  return access
}

/** What is created of the lines of each kind: what POST creates, and the settings. */
function createsOf(services: Services, caller: Caller): Map<string, Create> {
  type Creatable = { create?: (tx: Tx, draft: Draft, caller: Caller) => unknown }
  const creates = new Map<string, Create>([
    [kinds.settings.name, (tx, body) => services.settings.update(tx, body, null)],
  ])
  for (const [key, { kind }] of Object.entries(shop)) {
    const service: Creatable = services[key as keyof typeof shop] as never
    const { create } = service
    // A credit note is made of an invoice.
    if (create && kind !== kinds.creditNotes)
      creates.set(kind.name, (tx, body) => create(tx, draftIn(tx, kind, withoutReadOnly(kind, body)), caller))
  }
  return creates
}

/** Leaves out what only the server sets, so that the lines of an export can be used. */
function withoutReadOnly({ fields, onCreate = {}, writeOnly = {} }: Resource, body: Input): Input {
  const isSet = (name: string) =>
    name in onCreate ||
    name in writeOnly ||
    !Object.hasOwn(fields, name) ||
    fields[name]?.access !== "readOnly"
  return Object.fromEntries(Object.entries(body).filter(([name]) => isSet(name)))
}

/** Returns the record of a line; null if the line is empty. */
function readLine(bytes: Uint8Array): Input | null {
  if (bytes.every((byte) => byte === 32 || byte === 13 || byte === 9)) return null
  if (bytes.length > usualBytes) throw new Unusable("It is larger than 1 MiB.")
  const { value } = readJson(bytes)
  if (!isObject(value)) throw new Unusable("It must be an object.")
  return value
}

/** The error of a line, with what is wrong with its fields. */
function wrongLine(where: string, error: unknown): Error {
  if (error instanceof Unusable) return new Unusable(`${where}: ${error.message}`)
  if (!(error instanceof Refusal)) return error as Error
  const { message, details } = error
  const told = message.replace(/^The body /, "It ")
  return new Unusable(
    [`${where}: ${told}`, ...details.map(({ field, message: text }) => `  ${field} ${text}`)].join("\n"),
  )
}
