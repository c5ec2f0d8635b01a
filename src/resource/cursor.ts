import { fromBase64Url, toBase64Url } from "../lib/base64url"
import { Refusal } from "../lib/refusal"
import { sameSecret, signatureOf } from "../lib/secret"
import type { SqlValue } from "./filter"

/** Where a list goes on: after the record with this sort value and id. */
export type Position = { value: SqlValue | null; id: string }

/** Makes and reads the opaque text of `nextCursor`. It is signed, and good only for the list it came from. */
export type Cursors = {
  write(list: string, position: Position): string
  read(list: string, cursor: string): Position
}

export function signedCursors(key: string): Cursors {
  const sign = (list: string, body: string) => signatureOf(key, `${list}\n${body}`)
  return {
    write(list, { value, id }) {
      const body = toBase64Url(JSON.stringify([value, id]))
      return `${body}.${sign(list, body)}`
    },
    read(list, cursor) {
      const [body = "", signature = "", ...rest] = cursor.split(".")
      if (rest.length > 0 || !sameSecret(signature, sign(list, body))) throw invalidCursor()
      const [value, id] = JSON.parse(fromBase64Url(body)) as [SqlValue | null, string]
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
