import { writeSync } from "node:fs"

/** The result of a command: on stdout, as JSON when asked for. */
export function print(text: string): void {
  writeAll(1, `${text}\n`)
}

/** Words for the person who reads along: on stderr, so that the result can be piped. */
export function say(text: string): void {
  writeAll(2, `${text}\n`)
}

/** Writes all of it before it returns: a program that ends right after must not cut off what it said. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      // A reader that is slower than we are is waited for; one that has gone away has heard enough.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return
      Bun.sleepSync(1)
    }
  }
}
