import type { Encoding } from "../model"
import { SheetError } from "./sheet-error"

/** How much of a file tells whether it is UTF-16. */
const sampled = 1_000

/** Returns the encoding that a file names in its first bytes, if it does. */
export function encodingOfMark(bytes: Uint8Array): Exclude<Encoding, "windows-1252"> | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return null
}

/**
 * Returns which UTF-16 the bytes are, or null. Without a byte order mark it shows in the bytes that are zero: nearly
 * every second one for western languages, and no other.
 */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const marked = encodingOfMark(bytes)
  if (marked) return marked === "utf-8" ? null : marked
  const pairs = Math.min(bytes.length, sampled) >> 1
  let [high, low] = [0, 0]
  for (let i = 0; i < pairs; i++) {
    if (bytes[2 * i] === 0) high++
    if (bytes[2 * i + 1] === 0) low++
  }
  if (high === 0 && low > 0 && low >= pairs * 0.7) return "utf-16le"
  if (low === 0 && high > 0 && high >= pairs * 0.7) return "utf-16be"
  return null
}

/**
 * Recognizes the encoding of a whole file. A file that is not UTF-8 is Windows-1252: all bytes are characters in it, and
 * it is what Excel writes in western languages. All bytes are looked at, because the first letter that is different in
 * both may be far from the beginning.
 */
export async function recognizeEncoding(pieces: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let isFirst = true
  let last: Uint8Array = new Uint8Array()
  try {
    for await (const piece of pieces) {
      const known = isFirst ? (encodingOfMark(piece) ?? utf16Of(piece)) : null
      if (known) return known
      isFirst = false
      last = piece
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return "utf-8"
  } catch (error) {
    if (!isInvalidText(error)) throw error
    if (isMostlyUtf8(last)) throw new SheetError("MIXED_ENCODING", mixed)
    return "windows-1252"
  }
}

const mixed =
  "The file is UTF-8, but some of its characters are damaged or in another encoding. Save it again as UTF-8, or set the encoding."

/** True when bytes have more characters that only UTF-8 has than bytes that UTF-8 cannot have. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const [valid, invalid] = [text.match(/[\u0080-\ufffc]/g), text.match(/\ufffd/g)]
  return (valid?.length ?? 0) > (invalid?.length ?? 0)
}

/** True for the error of a decoder that was given bytes of another encoding. */
export const isInvalidText = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
