import type { Tx, Warning, Writer } from "../db/writer"
import { Refusal } from "../lib/refusal"
import type { Expected } from "../resource/crud"
import { readParams } from "../resource/query"
import type { Call } from "./call"

/** Runs one request's write. The answer is given when the change is on the disk. */
export type Commit = <T>(call: Call, work: (tx: Tx) => T) => Promise<{ value: T; warnings: Warning[] }>

export const commitWith =
  (writer: Writer): Commit =>
  (call, work) => {
    readParams(call.query)
    return writer((tx) => ({ value: work(tx), warnings: tx.warnings }))
  }

/** The versions named by If-Match. `*` and no header at all match every version. */
export function readIfMatch(request: Request): Expected {
  const header = request.headers.get("if-match")
  if (header === null || header.trim() === "*") return null
  const tags = header.split(",").map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag)))
    throw new Refusal("BAD_REQUEST", 'If-Match must be the ETag of the record, such as "3".', {
      details: [{ field: "If-Match", message: "is not an ETag" }],
    })
  return tags.flatMap((tag) => (/^"\d{1,15}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))
}

export const etagOf = ({ version }: { version: number }) => `"${version}"`
