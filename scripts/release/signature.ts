// Checks the signature of a Mach-O file. macOS on arm64 starts no program whose pages do not match their hashes.
import { createHash } from "node:crypto"

const codeSignature = 0x1d
const codeDirectory = 0xfade0c02

/** Returns what is wrong with the signature of an executable for macOS; null if all its pages match their hashes. */
export function signatureFault(bytes: Buffer): string | null {
  const start = signatureAt(bytes)
  if (start === null) return "has no signature"
  const directory = start + bytes.readUInt32BE(start + 16)
  if (bytes.readUInt32BE(directory) !== codeDirectory) return "has no list of hashes"
  const [hashes, count, end] = [16, 28, 32].map((at) => bytes.readUInt32BE(directory + at)) as [
    number,
    number,
    number,
  ]
  const hashSize = bytes.readUInt8(directory + 36)
  const pageSize = 2 ** bytes.readUInt8(directory + 39)
  if (end !== start) return "has bytes that are not signed"
  for (let page = 0; page < count; page++) {
    const content = bytes.subarray(page * pageSize, Math.min((page + 1) * pageSize, end))
    const at = directory + hashes + page * hashSize
    const isEqual = createHash("sha256")
      .update(content)
      .digest()
      .equals(bytes.subarray(at, at + hashSize))
    if (!isEqual) return `has a wrong hash of page ${page}`
  }
  return null
}

/** Where the signature begins, from the load commands. */
function signatureAt(bytes: Buffer): number | null {
  let at = 32
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    if (bytes.readUInt32LE(at) === codeSignature) return bytes.readUInt32LE(at + 8)
    at += bytes.readUInt32LE(at + 4)
  }
  return null
}
