import { Inflate } from "fflate"
import { SheetError } from "./sheet-error"
import { damaged, type ZipEntry } from "./zip-check"

const headerSignature = 0x04034b50
const stored = 0
const deflated = 8
/** Packed bytes that are unpacked at a time. They become at most a thousand times as many. */
const step = 8 * 1024

/** Unpacks a file inside a ZIP file as text, some at a time. It is stopped when it is larger than it says. */
export function* textOfEntry(bytes: Uint8Array, entry: ZipEntry): Generator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let size = 0
  try {
    for (const chunk of unpacked(packedBytes(bytes, entry), entry.method)) {
      size += chunk.length
      if (size > entry.size) throw damaged()
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof SheetError ? error : damaged(error)
  }
}

function packedBytes(bytes: Uint8Array, { offset, compressed }: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== headerSignature) throw damaged()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + compressed > bytes.length) throw damaged()
  return bytes.subarray(start, start + compressed)
}

function* unpacked(packed: Uint8Array, method: number): Generator<Uint8Array> {
  if (method !== stored && method !== deflated) throw damaged()
  const chunks: Uint8Array[] = []
  const inflate = new Inflate((chunk) => void chunks.push(chunk))
  for (let at = 0; at < packed.length; at += step) {
    const part = packed.subarray(at, at + step)
    if (method === stored) yield part
    else {
      inflate.push(part, at + step >= packed.length)
      yield* chunks.splice(0)
    }
  }
}
