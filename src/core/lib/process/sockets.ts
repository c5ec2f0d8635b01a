import { FFIType } from "bun:ffi"
import { closeSync, openSync, readdirSync } from "node:fs"
import { libc } from "./libc"

const { i32, ptr } = FFIType

/** SOL_SOCKET and SO_ACCEPTCONN, which is 1 for a socket that accepts connections. */
const [socketLevel, acceptsConnections] = process.platform === "darwin" ? [0xffff, 0x0002] : [1, 30]

const functions = {
  getsockopt: { args: [i32, i32, i32, ptr, ptr], returns: i32 },
  getsockname: { args: [i32, ptr, ptr], returns: i32 },
  dup2: { args: [i32, i32], returns: i32 },
} as const

type System = NonNullable<ReturnType<typeof libc<typeof functions>>>

/**
 * Closes the socket on which this process accepts connections to a port, and leaves those that are open. `stop` of a
 * server would also close those that are idle, perhaps while a request is on its way. The number of the socket is not
 * free afterwards, so that its server closes nothing else later. Returns false if the socket was not found.
 */
export function stopListening(port: number): boolean {
  const system = libc(functions)
  const socket = system && listeningSocket(system, port)
  if (system === null || socket === null) return false
  const nothing = openSync("/dev/null", "r")
  try {
    return system.dup2(nothing, socket) === socket
  } finally {
    closeSync(nothing)
  }
}

function listeningSocket(system: System, port: number): number | null {
  const found = readdirSync("/dev/fd")
    .map(Number)
    .find((each) => isListening(system, each) && portOf(system, each) === port)
  return found ?? null
}

function isListening(system: System, socket: number): boolean {
  const [value, length] = [new Int32Array(1), new Int32Array([4])]
  return system.getsockopt(socket, socketLevel, acceptsConnections, value, length) === 0 && value[0] !== 0
}

/** The port is in the same place of an IPv4 and an IPv6 address. */
function portOf(system: System, socket: number): number | null {
  const [address, length] = [Buffer.alloc(128), new Int32Array([128])]
  return system.getsockname(socket, address, length) === 0 ? address.readUInt16BE(2) : null
}
