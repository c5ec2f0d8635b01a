// Files for the operations that take one.
import { jpeg, png } from "../../test/support/images"

/** Returns a file of a content type that its operation accepts. A table has a text in one of its cells. */
export function uploadOf(type: string, text: string): Uint8Array<ArrayBuffer> {
  if (type === "image/png") return new Uint8Array(png(1, 1))
  if (type === "image/jpeg") return new Uint8Array(jpeg(1, 1))
  const cell = `"${text.replaceAll('"', '""')}"`
  return new TextEncoder().encode(`itemCode,itemName,name\nFUZZ-${Bun.hash(text)},${cell},${cell}\n`)
}
