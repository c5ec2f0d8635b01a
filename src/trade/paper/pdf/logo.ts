import { deflateSync, inflateSync } from "node:zlib"
import { readImage } from "../../../core/lib/image"

/** An image that can be drawn, in a box that it fills without being distorted. */
export type Logo = {
  /** False when its colours are not sRGB, which PDF/A requires. */
  isArchivable: boolean
  draw(document: PDFKit.PDFDocument, x: number, y: number, box: { width: number; height: number }): void
}

/** The pixels of an image, compressed as a PDF contains them. */
type Packed = { width: number; height: number; data: Buffer }

/** The longest side of a drawn logo, in pixels: 400 dots per inch on paper. */
const mostPixels = 1_200
/** The PNG that was decoded last; null if it is damaged. Most documents of a thread have the same logo. */
let last: { hash: string; packed: Promise<Packed | null> } | undefined

/** Prepares a logo. Returns null for an image that cannot be drawn, because the document is needed all the same. */
export async function logoOf(bytes: Uint8Array | undefined): Promise<Logo | null> {
  const type = bytes && readImage(bytes)?.type
  if (!bytes || !type) return null
  if (type !== "image/png") return jpegLogo(bytes)
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
  if (last?.hash !== hash) last = { hash, packed: packedPng(bytes).catch(() => null) }
  const packed = await last.packed
  return packed && pngLogo(packed)
}

async function packedPng(bytes: Uint8Array): Promise<Packed> {
  const { width, height, rgb } = shrink(await decodePng(bytes), mostPixels)
  return { width, height, data: deflateSync(rgb) }
}

/** pdfkit draws any object that can embed itself, which its types do not say. */
type Embeddable = {
  label: string
  width: number
  height: number
  obj: PDFKit.PDFKitReference | null
  embed(document: PDFKit.PDFDocument): void
}

function pngLogo({ width, height, data }: Packed): Logo {
  const image: Embeddable = {
    label: "Logo",
    width,
    height,
    obj: null,
    embed(document) {
      image.obj = document.ref({
        Type: "XObject",
        Subtype: "Image",
        Width: width,
        Height: height,
        ColorSpace: "DeviceRGB",
        BitsPerComponent: 8,
        Filter: "FlateDecode",
      })
      image.obj.end(data)
    },
  }
  return {
    isArchivable: true,
    draw: (document, x, y, box) =>
      void document.image(image as unknown as Buffer, x, y, { fit: [box.width, box.height] }),
  }
}

/** A JPEG is embedded as it is. */
function jpegLogo(bytes: Uint8Array): Logo | null {
  const parts = componentsOf(bytes)
  if (parts !== 1 && parts !== 3 && parts !== 4) return null
  return {
    isArchivable: parts !== 4,
    draw: (document, x, y, { width, height }) =>
      void document.image(Buffer.from(bytes), x, y, { fit: [width, height] }),
  }
}

/** The number of colours of a JPEG: 1 for grey, 3 for RGB, 4 for CMYK. */
function componentsOf(bytes: Uint8Array): number | null {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return bytes[at + 9] ?? null
    at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
  }
  return null
}

/** An opaque image: three bytes for each pixel, red, green and blue. */
export type Picture = { width: number; height: number; rgb: Uint8Array }

/** The pixels of the largest logo. An image that claims to have more is refused before it is decoded. */
const maxPixels = 4_000 * 4_000
const idat = 0x49444154

/**
 * Decodes a PNG of any form, on white paper where it is transparent. pdfkit decodes most PNGs too, but not those with
 * transparent colours or small palettes, and a damaged image would end its thread. Rejects if the image is damaged.
 */
export async function decodePng(bytes: Uint8Array): Promise<Picture> {
  // Bun returns pixels only as a file. Written without compression, each row is a zero and four bytes for each pixel.
  const plain = await new Bun.Image(bytes, { maxPixels }).png({ compressionLevel: 0 }).bytes()
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const parts: Uint8Array[] = []
  for (let at = 8; at < plain.length; at += view.getUint32(at) + 12)
    if (view.getUint32(at + 4) === idat) parts.push(plain.subarray(at + 8, at + 8 + view.getUint32(at)))
  const rows = inflateSync(Buffer.concat(parts))
  if (rows.length !== height * (1 + width * 4)) throw new Error("Bun.Image has written an unknown form.")
  const rgb = new Uint8Array(width * height * 3)
  for (let row = 0, at = 0, to = 0; row < height; row++) {
    if (rows[at++] !== 0) throw new Error("Bun.Image has written a filter.")
    for (let column = 0; column < width; column++, at += 4) {
      const alpha = rows[at + 3] ?? 0
      for (let part = 0; part < 3; part++) rgb[to++] = onPaper(rows[at + part] ?? 0, alpha)
    }
  }
  return { width, height, rgb }
}

// The functions below run for each pixel of an image of up to 16 million, so they create no objects.

/** A part of a colour on white paper. */
const onPaper = (part: number, alpha: number): number =>
  alpha === 255 ? part : Math.round((part * alpha) / 255 + 255 - alpha)

/** Writes a colour into a picture. */
function paint(rgb: Uint8Array, at: number, color: number): void {
  rgb[at] = color >> 16
  rgb[at + 1] = color >> 8
  rgb[at + 2] = color
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
