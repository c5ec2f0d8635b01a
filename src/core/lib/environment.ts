import { FFIType, toArrayBuffer } from "bun:ffi"
import { libc } from "./libc"

const { ptr, u64_fast: size } = FFIType

/**
 * Overwrites the value of an environment variable in the process's memory. Deleting it in JavaScript only changes a
 * copy: the value would stay readable, for example in /proc/PID/environ, as long as the process runs. Does nothing when
 * libc is not available.
 */
export function wipeVariable(name: string): void {
  const system = libc({ getenv: { args: [ptr], returns: ptr }, strlen: { args: [ptr], returns: size } })
  if (!system) return
  try {
    const value = system.getenv(Buffer.from(`${name}\0`))
    const length = value ? Number(system.strlen(value)) : 0
    if (value && length > 0) new Uint8Array(toArrayBuffer(value, 0, length)).fill(0)
  } catch {
    // A failure must not prevent the start of the server.
  }
}
