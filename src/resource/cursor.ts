import { Refusal } from "../lib/refusal"
import type { SqlValue } from "./filter"

/** Where a list goes on: after the record with this sort value and id. */
export type Position = { value: SqlValue | null; id: string }

/** Makes and reads the opaque text of `nextCursor`. It is signed, and good only for the list it came from. */
export type Cursors = {
  write(list: string, position: Position): string
  read(list: string, cursor: string): Position
}

const codeLength = 32
const room = (length: number) => {
  const bytes = Buffer.alloc(length)
  return { bytes, code: bytes.subarray(0, codeLength) }
}
// One for all but the longest cursors: every page of a list reads one and writes one, and what would be made anew for
// each keeps the garbage collector busy.
const usual = room(4096)
const roomFor = (length: number) => (length <= usual.bytes.length ? usual : room(length))
// A digest is only written where there is room for the longest there is.
const digest = room(64)

/** A cursor is an authentication code and the position, as base64. */
export function signedCursors(key: string): Cursors {
  const codeOf = (list: string, text: string): Buffer => {
    new Bun.CryptoHasher("sha256", key).update(`${list}\n${text}`).digest(digest.bytes)
    return digest.code
  }
  return {
    write(list, { value, id }) {
      const text = JSON.stringify([value, id])
      const { bytes } = roomFor(codeLength + 3 * text.length)
      const length = codeLength + bytes.write(text, codeLength)
      bytes.set(codeOf(list, text))
      return bytes.toString("base64url", 0, length)
    },
    read(list, cursor) {
      const { bytes, code } = roomFor(cursor.length)
      const length = bytes.write(cursor, "base64url")
      // What base64 overlooks, such as a sign too many, is refused too.
      if (length <= codeLength || bytes.toString("base64url", 0, length) !== cursor) throw invalidCursor()
      const text = bytes.toString("utf8", codeLength, length)
      if (!crypto.timingSafeEqual(code, codeOf(list, text))) throw invalidCursor()
      const [value, id] = JSON.parse(text) as [SqlValue | null, string]
      return { value, id }
    },
  }
}

const invalidCursor = () =>
  new Refusal(
    "INVALID_CURSOR",
    "The cursor is not one of this list: use meta.nextCursor with the same filters and sort.",
    {
      details: [{ field: "cursor", message: "is not valid for this list" }],
    },
  )
