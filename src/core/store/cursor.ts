import { fieldError, Refusal } from "../lib/refusal"
import type { SqlValue } from "./filter"

/** The position where a list continues: after the record with this sort value and id. */
export type Position = { value: SqlValue | null; id: string }

/** Writes and reads the opaque text of `nextCursor`. It is signed, and valid only for the list it came from. */
export type Cursors = {
  write(list: string, position: Position): string
  /** The value is undefined when it was too long to be part of a URL. */
  read(list: string, cursor: string): { id: string; value: Position["value"] | undefined }
}

const longestValue = 500
const mostRecent = 1_000
// Large enough for an authentication code and the longest position. All cursors share this buffer, because each page of
// a list reads and writes a cursor, and new buffers would cause frequent garbage collections.
const bytes = Buffer.alloc(4096)
const code = bytes.subarray(0, 32)
// `digest` requires a buffer that is large enough for the longest digest.
const digest = Buffer.alloc(64)
const madeCode = digest.subarray(0, code.length)

/** A cursor is an authentication code followed by the position, in base64url. */
export function signedCursors(key: string): Cursors {
  const codeOf = (list: string, text: string): Buffer => {
    new Bun.CryptoHasher("sha256", key).update(`${list}\n${text}`).digest(digest)
    return madeCode
  }
  // Recently written cursors need not be decoded and verified: a client that reads page by page sends them back.
  const recent = new Map<string, { list: string; position: Position }>()
  return {
    write(list, position) {
      const { value, id } = position
      const isLong = typeof value === "string" && value.length > longestValue
      const text = JSON.stringify(isLong ? [id] : [id, value])
      const length = code.length + bytes.write(text, code.length)
      code.set(codeOf(list, text))
      const cursor = bytes.toString("base64url", 0, length)
      if (recent.size >= mostRecent) recent.clear()
      if (!isLong) recent.set(cursor, { list, position })
      return cursor
    },
    read(list, cursor) {
      const known = recent.get(cursor)
      if (known?.list === list) return known.position
      const length = bytes.write(cursor, "base64url")
      // Encodes the bytes again, to reject what base64 decoding ignores, such as an extra character or text after the
      // buffer.
      if (length <= code.length || bytes.toString("base64url", 0, length) !== cursor) throw invalidCursor()
      const text = bytes.toString("utf8", code.length, length)
      if (!crypto.timingSafeEqual(code, codeOf(list, text))) throw invalidCursor()
      const [id, value] = JSON.parse(text) as [string, Position["value"]?]
      return { id, value }
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
