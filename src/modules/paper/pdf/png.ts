import { inflateSync } from "node:zlib"
import { unfilterRows } from "./png-filters"
import { paint, pixelReader, samplesOf } from "./png-pixels"

/** An opaque image: three bytes for each pixel, red, green and blue. */
export type Picture = { width: number; height: number; rgb: Uint8Array }

/** What a PNG says about its pixels. */
export type Header = { width: number; height: number; bits: number; color: number; isInterlaced: boolean }
export type Chunks = { header: Header; palette: Uint8Array; transparency: Uint8Array; data: Uint8Array }
type Pass = { x: number; y: number; stepX: number; stepY: number }

const whole: Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }]
const interlaced: Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]

/**
 * Decodes a PNG, on white paper where it is transparent. pdfkit decodes most PNGs too, but not those with transparent
 * colours or small palettes, and a damaged image would end its thread. Throws if the image is damaged.
 */
export function decodePng(bytes: Uint8Array): Picture {
  const chunks = chunksOf(bytes)
  const { width, height, bits, color, isInterlaced } = chunks.header
  const samples = samplesOf[color]
  if (!samples || ![1, 2, 4, 8, 16].includes(bits)) throw new Error("The PNG has an unknown form.")
  const rgb = new Uint8Array(width * height * 3).fill(255)
  const pixelBits = samples * bits
  // Interlaced images have more rows, and each row has one byte more.
  const longest = 2 * (Math.ceil((width * pixelBits) / 8) + 8) * (height + 8)
  const data = inflateSync(chunks.data, { maxOutputLength: longest })
  const pixelOf = pixelReader(chunks)
  let at = 0
  for (const pass of isInterlaced ? interlaced : whole) {
    const columns = Math.ceil((width - pass.x) / pass.stepX)
    const rows = Math.ceil((height - pass.y) / pass.stepY)
    if (columns <= 0 || rows <= 0) continue
    const rowBytes = Math.ceil((columns * pixelBits) / 8)
    unfilterRows(data, at, rows, rowBytes, Math.max(1, pixelBits >> 3))
    for (let row = 0; row < rows; row++) {
      const target = ((pass.y + row * pass.stepY) * width + pass.x) * 3
      const start = at + row * (rowBytes + 1) + 1
      for (let column = 0; column < columns; column++)
        paint(rgb, target + column * pass.stepX * 3, pixelOf(data, start, column))
    }
    at += rows * (rowBytes + 1)
  }
  return { width, height, rgb }
}

function chunksOf(bytes: Uint8Array): Chunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Record<string, Uint8Array[]> = {}
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    ;(parts[name] ??= []).push(bytes.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const first = parts.IHDR?.[0]
  if (!first) throw new Error("The PNG has no header.")
  const head = new DataView(first.buffer, first.byteOffset, first.byteLength)
  const [width, height] = [head.getUint32(0), head.getUint32(4)]
  const [bits, color, isInterlaced] = [head.getUint8(8), head.getUint8(9), head.getUint8(12) === 1]
  return {
    header: { width, height, bits, color, isInterlaced },
    palette: parts.PLTE?.[0] ?? new Uint8Array(),
    transparency: parts.tRNS?.[0] ?? new Uint8Array(),
    data: Buffer.concat(parts.IDAT ?? []),
  }
}

/** Makes an image smaller by a whole factor, so that no side is longer than `most` pixels. */
export function shrink(picture: Picture, most: number): Picture {
  const factor = Math.ceil(Math.max(picture.width, picture.height) / most)
  if (factor <= 1) return picture
  const width = Math.ceil(picture.width / factor)
  const height = Math.ceil(picture.height / factor)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) paint(rgb, (y * width + x) * 3, meanOf(picture, x, y, factor))
  return { width, height, rgb }
}

/** The mean colour of a square of pixels, whose place is given in squares. */
function meanOf({ width, height, rgb }: Picture, x: number, y: number, side: number): number {
  const right = Math.min((x + 1) * side, width)
  const bottom = Math.min((y + 1) * side, height)
  const count = (right - x * side) * (bottom - y * side)
  let red = 0
  let green = 0
  let blue = 0
  for (let row = y * side; row < bottom; row++)
    for (let at = (row * width + x * side) * 3; at < (row * width + right) * 3; at += 3) {
      red += rgb[at] ?? 0
      green += rgb[at + 1] ?? 0
      blue += rgb[at + 2] ?? 0
    }
  return (Math.round(red / count) << 16) | (Math.round(green / count) << 8) | Math.round(blue / count)
}
