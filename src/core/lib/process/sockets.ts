import { FFIType, ptr as pointerOf } from "bun:ffi"
import { closeSync, openSync, readdirSync } from "node:fs"
import { libc } from "./libc"

const { i32, ptr, u32 } = FFIType

const functions = {
  getsockopt: { args: [i32, i32, i32, ptr, ptr], returns: i32 },
  setsockopt: { args: [i32, i32, i32, ptr, u32], returns: i32 },
  getsockname: { args: [i32, ptr, ptr], returns: i32 },
  getpeername: { args: [i32, ptr, ptr], returns: i32 },
  shutdown: { args: [i32, i32], returns: i32 },
  dup2: { args: [i32, i32], returns: i32 },
} as const

type System = NonNullable<ReturnType<typeof libc<typeof functions>>>

/** SOL_SOCKET and options of Linux. SO_ACCEPTCONN is 1 for a socket that accepts connections. */
const socketLevel = 1
const [sharesPort, acceptsConnections, choosesSocket] = [15, 30, 51]

/** In milliseconds: the time in which a server accepts the connections that were opened before. */
const acceptsRest = 200

/** What closes the sockets that are left, by their ports. */
const closings = new Map<number, () => void>()

/**
 * Lets `listen` start another server on a port, which gets all connections that are opened from then on, and closes the
 * socket on which the one before accepts them a moment later. Those that are open stay, also idle ones: `stop` of a server
 * would close these, perhaps while a request is on its way. If `listen` fails, nothing has changed. Returns null
 * elsewhere than on Linux.
 */
export function handOver<T>(port: number, listen: () => T): T | null {
  closings.get(port)?.()
  const system = process.platform === "linux" ? libc(functions) : null
  const [before] = system ? listeningSockets(system, port) : []
  if (!system || before === undefined || !setSharing(system, before, true)) return null
  try {
    const server = listen()
    // Another program must not share the port later.
    for (const socket of listeningSockets(system, port)) setSharing(system, socket, false)
    const close = (): void => {
      // Only once: later another socket may have the number.
      if (closings.get(port) !== close) return
      closings.delete(port)
      closeSocket(system, before, port)
    }
    closings.set(port, close)
    if (chooseSocket(system, before, 1)) setTimeout(close, acceptsRest).unref()
    else close()
    return server
  } catch (error) {
    setSharing(system, before, false)
    throw error
  }
}

/**
 * Lets `listen` start a server of another thread on a port of this process. Returns a function that chooses which of both gets
 * the connections that are opened from then on; at first it is the one of this thread. Returns null elsewhere than on
 * Linux.
 */
export async function listenBeside(
  port: number,
  listen: () => Promise<void>,
): Promise<((isOther: boolean) => void) | null> {
  const system = process.platform === "linux" ? libc(functions) : null
  const [own] = system ? listeningSockets(system, port) : []
  if (!system || own === undefined || !setSharing(system, own, true)) return null
  // Another program that shares the port later gets no connections, because they are given to the first or the second.
  try {
    await listen()
    if (!chooseSocket(system, own, 0)) throw new Error("The system cannot choose between two sockets.")
  } catch (error) {
    setSharing(system, own, false)
    throw error
  }
  return (isOther) => void (isListening(system, own) && chooseSocket(system, own, isOther ? 1 : 0))
}

/** The number of the socket is in use afterwards too, so that its server closes nothing else when it stops. */
function closeSocket(system: System, socket: number, port: number): void {
  // The server may have stopped meanwhile.
  if (!isListening(system, socket) || portOf(system, socket) !== port) return
  const nothing = openSync("/dev/null", "r")
  system.dup2(nothing, socket)
  closeSync(nothing)
}

/** Lets one of the sockets that share a port get all new connections: by a filter that returns its place. */
function chooseSocket(system: System, socket: number, place: number): boolean {
  const filter = Buffer.alloc(8)
  const returnConstant = 0x06
  filter.writeUInt16LE(returnConstant, 0)
  filter.writeUInt32LE(place, 4)
  const program = Buffer.alloc(16)
  program.writeUInt16LE(1, 0)
  program.writeBigUInt64LE(BigInt(pointerOf(filter)), 8)
  return system.setsockopt(socket, socketLevel, choosesSocket, program, program.length) === 0
}

const setSharing = (system: System, socket: number, isShared: boolean): boolean =>
  system.setsockopt(socket, socketLevel, sharesPort, new Int32Array([isShared ? 1 : 0]), 4) === 0

const listeningSockets = (system: System, port: number): number[] =>
  readdirSync("/dev/fd")
    .map(Number)
    .filter((each) => isListening(system, each) && portOf(system, each) === port)

function isListening(system: System, socket: number): boolean {
  const [value, length] = [new Int32Array(1), new Int32Array([4])]
  return system.getsockopt(socket, socketLevel, acceptsConnections, value, length) === 0 && value[0] !== 0
}

/** The port of this side of a socket, or of the other one. It is in the same place of an IPv4 and an IPv6 address. */
function portOf(system: System, socket: number, side: "getsockname" | "getpeername" = "getsockname") {
  const [address, length] = [Buffer.alloc(128), new Int32Array([128])]
  return system[side](socket, address, length) === 0 ? address.readUInt16BE(2) : null
}

let loaded: System | null | undefined

/**
 * Closes the connection between two ports, of which the first is of this process, without an answer. Returns false if there
 * is none, or on Windows.
 */
export function closeConnection(port: number, otherPort: number): boolean {
  const system = (loaded ??= libc(functions))
  if (!system) return false
  const both = 2
  const found = readdirSync("/dev/fd")
    .map(Number)
    .find((each) => portOf(system, each, "getpeername") === otherPort && portOf(system, each) === port)
  return found !== undefined && system.shutdown(found, both) === 0
}
