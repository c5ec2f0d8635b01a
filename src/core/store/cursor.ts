import { fieldError, Refusal } from "../lib/refusal"
import { signing } from "../lib/secret"
import type { SqlValue } from "./filter"

/**
 * The position where a list continues: after the record with this sort value and id. `second` is the value of the second
 * field, in a list that is sorted by two.
 */
export type Position = { value: SqlValue | null; second?: SqlValue | null; id: string }

/** Writes and reads the opaque text of `nextCursor`. It is signed, and valid only for the list it came from. */
export type Cursors = {
  write(list: string, position: Position): string
  /** Only the id is known when a value was too long to be part of a URL. */
  read(list: string, cursor: string): Position | { id: string; value: undefined }
}

const longestValue = 500
const codeLength = 32

/** A cursor is an authentication code followed by the position, in base64url. */
export function signedCursors(key: string): Cursors {
  const codeOf = (list: string, text: string): Buffer => signing(key).update(`${list}\n${text}`).digest()
  return {
    write(list, { value, second, id }) {
      const values = second === undefined ? [value] : [value, second]
      const isLong = values.some((each) => typeof each === "string" && each.length > longestValue)
      const text = JSON.stringify(isLong ? [id] : [id, ...values])
      return Buffer.concat([codeOf(list, text), Buffer.from(text)]).toString("base64url")
    },
    read(list, cursor) {
      const bytes = Buffer.from(cursor, "base64url")
      // Encodes the bytes again, to reject what base64 decoding ignores, such as an extra character.
      if (bytes.length <= codeLength || bytes.toString("base64url") !== cursor) throw invalidCursor()
      const text = bytes.toString("utf8", codeLength)
      if (!crypto.timingSafeEqual(bytes.subarray(0, codeLength), codeOf(list, text))) throw invalidCursor()
      const [id, value, second] = JSON.parse(text) as [string, Position["value"]?, Position["value"]?]
      return value === undefined ? { id, value } : { id, value, ...(second !== undefined && { second }) }
    },
  }
}

export const invalidCursor = () =>
  new Refusal(
    "INVALID_CURSOR",
    "The cursor does not belong to this list. Use meta.nextCursor with the same filters and sort.",
    {
      details: [fieldError("cursor", "FORMAT", "is not valid for this list", { format: "cursor" })],
    },
  )
