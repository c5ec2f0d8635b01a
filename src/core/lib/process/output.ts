import { writeSync } from "node:fs"

/** Prints the result of a command to stdout. */
export function print(text: string): void {
  writeAll(1, `${text}\n`)
}

/** Prints a part of an endless result to stdout. Returns false when nobody reads it any more. */
export const printMore = (text: string): boolean => writeAll(1, `${text}\n`)

/** Prints a message for a person to stderr, so that the result on stdout can be piped. */
export function say(text: string): void {
  writeAll(2, `${text}\n`)
}

/** Writes everything before it returns, because the process may exit immediately afterwards. */
function writeAll(descriptor: number, text: string): boolean {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      // Waits for a slow reader; stops when the reader has closed the pipe.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return false
      Bun.sleepSync(1)
    }
  }
  return true
}
