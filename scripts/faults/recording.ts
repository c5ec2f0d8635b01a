import { readFileSync } from "node:fs"

/** An operation on the files of a folder, as recorded by shim.c. */
export type Event =
  | { kind: "write"; name: string; offset: number; data: Buffer }
  | { kind: "truncate"; name: string; length: number }
  | { kind: "sync"; name: string }
  | { kind: "remove"; name: string }
  | { kind: "rename"; name: string; to: string }
  | { kind: "sync folder" }
  /** A response to a request was sent. */
  | { kind: "answer"; requestId: string }

const headLength = 24

export function readRecording(file: string): Event[] {
  const log = readFileSync(file)
  const events: Event[] = []
  for (let at = 0; at < log.length;) {
    const operation = log.readUInt32LE(at)
    const nameEnd = at + headLength + log.readUInt32LE(at + 4)
    const offset = Number(log.readBigUInt64LE(at + 8))
    const end = nameEnd + Number(log.readBigUInt64LE(at + 16))
    const name = log.toString("utf8", at + headLength, nameEnd)
    const event = eventOf(operation, name, offset, log.subarray(nameEnd, end))
    // The -shm file is shared memory, which a power failure clears. A deleted file is lost in any case.
    if (!name.endsWith("-shm") && !name.endsWith(" (deleted)")) events.push(event)
    at = end
  }
  return events
}

function eventOf(operation: number, name: string, offset: number, data: Buffer): Event {
  switch (operation) {
    case 1:
      return { kind: "write", name, offset, data }
    case 2:
      return { kind: "truncate", name, length: offset }
    case 3:
      return { kind: "sync", name }
    case 4:
      return { kind: "remove", name }
    case 5:
      return { kind: "rename", name, to: data.toString() }
    case 6:
      return { kind: "sync folder" }
    case 7:
      return { kind: "answer", requestId: data.toString() }
    default:
      throw new Error(`The recording contains an unknown operation ${operation}.`)
  }
}
