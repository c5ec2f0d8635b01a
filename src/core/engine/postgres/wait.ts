import { FFIType } from "bun:ffi"
import { libc } from "../../lib/libc"

const { ptr, i32, u64 } = FFIType

/** The value of POLLIN, and what poll() returns when the time is over. */
const [readable, timedOut] = [1, 0]

let system: ReturnType<typeof load> | undefined
const load = () => libc({ poll: { args: [ptr, u64, i32], returns: i32 } })

/**
 * Waits until a socket has data or is closed. Returns false if that takes longer than `time` milliseconds. On a system
 * without poll() it returns immediately.
 */
export function waitForData(socket: number, time: number): boolean {
  if (system === undefined) system = load()
  if (!system) return true
  // A struct pollfd: the socket, and the events as 16 bits in the lower half.
  return system.poll(new Int32Array([socket, readable]), 1, time) !== timedOut
}
