// The functions of this file run for each pixel of an image of up to 16 million, so they create no objects.
import type { Chunks } from "./png"

/** The samples of a pixel, by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
export const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Reads a pixel of a row that starts at `start`, as a number such as 0x14181f. */
type PixelReader = (data: Uint8Array, start: number, column: number) => number

/** Writes a colour into a picture. */
export function paint(rgb: Uint8Array, at: number, color: number): void {
  rgb[at] = color >> 16
  rgb[at + 1] = color >> 8
  rgb[at + 2] = color
}

/** A colour on white paper. The parts of the colour and alpha are from 0 to 255. */
function onPaper(red: number, green: number, blue: number, alpha: number): number {
  if (alpha === 255) return (red << 16) | (green << 8) | blue
  const white = 255 - alpha
  const mixed = (part: number) => Math.round((part * alpha) / 255 + white)
  return (mixed(red) << 16) | (mixed(green) << 8) | mixed(blue)
}

/** Returns the function that reads the pixels of an image. */
export function pixelReader({ header: { bits, color }, palette, transparency }: Chunks): PixelReader {
  const sample = sampleReader(bits)
  /** A grey or RGB image can have one transparent colour, with two bytes for each part. */
  const key = (part: number) => (bits === 16 ? -1 : (transparency[part * 2 + 1] ?? -1))
  const [red, green, blue] = [key(0), key(1), key(2)]
  if (color === 3)
    return (data, start, column) => {
      const index = sample(data, start, column)
      const at = index * 3
      return onPaper(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, transparency[index] ?? 255)
    }
  if (color === 0 || color === 4) {
    const scale = bits < 8 ? 255 / (2 ** bits - 1) : 1
    return (data, start, column) => {
      const value = sample(data, start, color === 4 ? column * 2 : column)
      const grey = value * scale
      const keyed = value === red ? 0 : 255
      return onPaper(grey, grey, grey, color === 4 ? sample(data, start, column * 2 + 1) : keyed)
    }
  }
  return (data, start, column) => {
    const at = column * (color === 6 ? 4 : 3)
    const r = sample(data, start, at)
    const g = sample(data, start, at + 1)
    const b = sample(data, start, at + 2)
    const keyed = r === red && g === green && b === blue ? 0 : 255
    return onPaper(r, g, b, color === 6 ? sample(data, start, at + 3) : keyed)
  }
}

/** Returns the function that reads a sample of a row: of 16 bits the upper 8, and of fewer than 8 those that it has. */
function sampleReader(bits: number): (data: Uint8Array, start: number, index: number) => number {
  if (bits === 8) return (data, start, index) => data[start + index] ?? 0
  if (bits === 16) return (data, start, index) => data[start + 2 * index] ?? 0
  const mask = 2 ** bits - 1
  return (data, start, index) => {
    const bit = index * bits
    return ((data[start + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & mask
  }
}
