import type { LogoType } from "../../shared/suggestions"

/** An image's type and size in pixels, and whether its colors are CMYK, by its content. */
export type ImageFacts = { type: LogoType; width: number; height: number; isCmyk: boolean }

/** Reads the type and the size of an image. Returns null when the bytes are not such an image. */
export const readImage = (bytes: Uint8Array): ImageFacts | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readPng(view) ?? readJpeg(view)
}

const pngSignature = [0x89504e47, 0x0d0a1a0a] as const
const [ihdr, idat, iend] = [0x49484452, 0x49444154, 0x49454e44] as const

/** A PNG is a sequence of chunks: IHDR with the size first, at least one IDAT, and IEND. */
function readPng(view: DataView): ImageFacts | null {
  if (view.byteLength < 33 || view.getUint32(0) !== pngSignature[0] || view.getUint32(4) !== pngSignature[1])
    return null
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== ihdr) return null
  let hasData = false
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const chunk = view.getUint32(at + 4)
    if (chunk === idat) hasData = true
    if (chunk === iend)
      return hasData
        ? { type: "image/png", width: view.getUint32(16), height: view.getUint32(20), isCmyk: false }
        : null
  }
  return null
}

/** The markers of frames, which have the size: SOF0 to SOF15 without the markers of tables among them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const startOfScan = 0xda
const endOfImage = 0xffd9

/**
 * A JPEG is a sequence of segments: a marker, a length, and content. The frame is before the first scan. A file without
 * an end was cut off.
 */
function readJpeg(view: DataView): ImageFacts | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  let found: ImageFacts | null = null
  for (let at = 2; at + 4 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff) return null
    if (marker === startOfScan) return hasEnd(view, at) ? found : null
    if (isFrame(marker) && at + 10 <= view.byteLength)
      found = {
        type: "image/jpeg",
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        isCmyk: view.getUint8(at + 9) === 4,
      }
  }
  return null
}

function hasEnd(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at > from; at--) if (view.getUint16(at) === endOfImage) return true
  return false
}
