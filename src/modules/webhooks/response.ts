import { NoResponse } from "./failure"

/** The number of bytes of a response that are kept. No more is read. */
export const keptBytes = 1_024
/** A head that is longer is refused. */
const longestHead = 16_384
/** The raw bytes of a body that are looked at: chunks can be one byte long, each with its own header. */
const longestRaw = 8_192

/** The status of a response, and the beginning of its body. */
export type Received = { status: number; text: string }

const endOfHead = Buffer.from("\r\n\r\n")

/**
 * Reads the beginning of an HTTP/1.1 response: its status and at most 1 kB of its body. `push` returns true when nothing
 * more is needed, so that the connection can be closed, no matter how long the body is.
 */
export function responseReader() {
  let raw = Buffer.alloc(0)
  let head: Head | null = null
  const body = () => (head ? bodyOf(raw, head) : null)
  return {
    push(chunk: Uint8Array): boolean {
      const most = head ? longestRaw : longestHead + longestRaw
      raw = Buffer.concat([raw, chunk.subarray(0, Math.max(0, most - raw.length))])
      while (!head) {
        const end = raw.indexOf(endOfHead)
        if (end > longestHead || (end < 0 && raw.length > longestHead)) throw new NoResponse("HEAD_TOO_LONG")
        if (end < 0) return false
        const found = readHead(raw.subarray(0, end).toString("latin1"))
        raw = raw.subarray(end + endOfHead.length)
        // 1xx only announces the response.
        if (found.status >= 200) head = found
      }
      return body()?.isComplete ?? false
    },

    hasHead: (): boolean => head !== null,

    /** What was received; null if the head is not complete. */
    received(): Received | null {
      return head && { status: head.status, text: shown(body()?.bytes ?? raw) }
    },
  }
}

type Head = { status: number; length: number | null; isChunked: boolean }

function readHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n")
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]
  if (status === undefined) throw new NoResponse("NOT_HTTP")
  const header = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const length = header("content-length")
  const hasNoBody = status === "204" || status === "304"
  return {
    status: Number(status),
    length: hasNoBody ? 0 : length !== undefined && /^\d+$/.test(length) ? Number(length) : null,
    isChunked: !hasNoBody && /\bchunked\b/i.test(header("transfer-encoding") ?? ""),
  }
}

type Body = { bytes: Buffer; isComplete: boolean }

function bodyOf(raw: Buffer, { length, isChunked }: Head): Body {
  const { bytes, isComplete } = isChunked
    ? unchunked(raw)
    : { bytes: raw.subarray(0, length ?? keptBytes), isComplete: length !== null && raw.length >= length }
  return {
    bytes: bytes.subarray(0, keptBytes),
    isComplete: isComplete || bytes.length >= keptBytes || raw.length >= longestRaw,
  }
}

/** Joins the chunks that have arrived. */
function unchunked(raw: Buffer): Body {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = raw.indexOf("\r\n", at)
    if (end < 0) return { bytes: Buffer.concat(parts), isComplete: false }
    const size = parseInt(raw.subarray(at, end).toString("latin1"), 16)
    if (!(size > 0)) return { bytes: Buffer.concat(parts), isComplete: true }
    parts.push(raw.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

/** Shows bytes as text. Control characters other than line breaks and tabs are replaced. */
const shown = (bytes: Buffer): string =>
  new TextDecoder()
    .decode(bytes.subarray(0, keptBytes))
    .replace(/\p{Cc}/gu, (character) => (/[\n\t]/.test(character) ? character : "\ufffd"))
