import { Refusal } from "../lib/refusal"
import type { SqlValue } from "./filter"

/** Where a list goes on: after the record with this sort value and id. */
export type Position = { value: SqlValue | null; id: string }

/** Makes and reads the opaque text of `nextCursor`. It is signed, and good only for the list it came from. */
export type Cursors = {
  write(list: string, position: Position): string
  /** The value is undefined where it was too long to be a part of addresses. */
  read(list: string, cursor: string): { id: string; value: Position["value"] | undefined }
}

const longestValue = 500
const mostRecent = 1_000
// Room for a code and the longest position. The same buffer is used for every cursor, because each page of a list reads
// one and writes one, and new buffers would keep the garbage collector busy.
const bytes = Buffer.alloc(4096)
const code = bytes.subarray(0, 32)
// `digest` writes only into a buffer with room for the longest kind of digest.
const digest = Buffer.alloc(64)
const madeCode = digest.subarray(0, code.length)

/** A cursor is an authentication code and the position, as base64. */
export function signedCursors(key: string): Cursors {
  const codeOf = (list: string, text: string): Buffer => {
    new Bun.CryptoHasher("sha256", key).update(`${list}\n${text}`).digest(digest)
    return madeCode
  }
  // A client that follows a list sends what was written a moment ago, which need not be decoded and verified.
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
      // What base64 overlooks, such as a sign too many, is refused too, and so is what is longer than ours.
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
    "The cursor is not one of this list: use meta.nextCursor with the same filters and sort.",
    {
      details: [{ field: "cursor", message: "is not valid for this list" }],
    },
  )
