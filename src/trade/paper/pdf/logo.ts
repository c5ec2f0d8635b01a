import { deflateSync } from "node:zlib"
import { readImage } from "../../../core/lib/image"
import { decodePng, shrink } from "./png"

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
