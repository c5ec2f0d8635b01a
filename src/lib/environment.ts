import { FFIType, toArrayBuffer } from "bun:ffi"
import { libc } from "./libc"

const { ptr, u64_fast: size } = FFIType

/**
 * Overwrites the value of a variable where the system keeps it. To delete it in JavaScript changes a copy of ours: whoever
 * may look into the process, as at /proc/PID/environ, could read it for as long as it runs. Where the system cannot be
 * asked it stays as it is.
 */
export function wipeVariable(name: string): void {
  const system = libc({ getenv: { args: [ptr], returns: ptr }, strlen: { args: [ptr], returns: size } })
  if (!system) return
  try {
    const value = system.getenv(Buffer.from(`${name}\0`))
    const length = value ? Number(system.strlen(value)) : 0
    if (value && length > 0) new Uint8Array(toArrayBuffer(value, 0, length)).fill(0)
  } catch {
    // No reason not to start.
  }
}
