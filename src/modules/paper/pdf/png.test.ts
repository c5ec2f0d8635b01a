import { expect, test } from "bun:test"
import { deflateSync } from "node:zlib"
import { decodePng, shrink } from "./png"

const chunk = (name: string, content: number[] | Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(name), Buffer.from(content), Buffer.alloc(4)])
}

type Form = { width: number; height: number; bits: number; color: number; isInterlaced?: boolean }

const headerOf = ({ width, height, bits, color, isInterlaced }: Form): number[] =>
  [0, 0, 0, width, 0, 0, 0, height].concat([bits, color, 0, 0, isInterlaced ? 1 : 0])

/** A PNG from rows with their filters. */
const pngOf = (form: Form, rows: number[][], parts: Record<string, number[]> = {}): Uint8Array =>
  Buffer.concat([
    Buffer.alloc(8),
    chunk("IHDR", headerOf(form)),
    ...Object.entries(parts).map(([name, content]) => chunk(name, content)),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", []),
  ])

const pixels = (bytes: Uint8Array): number[] => [...decodePng(bytes).rgb]

test("an RGB image is read with each of the filters", () => {
  const rows = [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 10, 20, 30, 30, 30, 30],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 15, 15, 15],
    [4, 0, 0, 0, 0, 0, 0],
  ]
  const row = [10, 20, 30, 40, 50, 60]
  const bytes = pngOf({ width: 2, height: 5, bits: 8, color: 2 }, rows)
  expect(pixels(bytes).slice(0, 18)).toEqual([...row, ...row, ...row])
  expect(pixels(bytes).slice(18, 24)).toEqual([10, 20, 30, 40, 50, 60])
  expect(pixels(bytes).slice(24)).toEqual(pixels(bytes).slice(18, 24))
})

test("transparent pixels are white, and half transparent ones are lighter", () => {
  const bytes = pngOf({ width: 2, height: 1, bits: 8, color: 6 }, [[0, 100, 100, 100, 0, 0, 0, 0, 128]])
  expect(pixels(bytes)).toEqual([255, 255, 255, 127, 127, 127])
})

test("a palette of 2 bits with transparent colours is read", () => {
  const parts = { PLTE: [255, 0, 0, 0, 255, 0, 0, 0, 255], tRNS: [255, 0] }
  const bytes = pngOf({ width: 3, height: 1, bits: 2, color: 3 }, [[0, 0b00011000]], parts)
  expect(pixels(bytes)).toEqual([255, 0, 0, 255, 255, 255, 0, 0, 255])
})

test("grey and RGB images with one transparent colour are read", () => {
  const grey = pngOf({ width: 2, height: 1, bits: 8, color: 0 }, [[0, 0, 7]], { tRNS: [0, 7] })
  expect(pixels(grey)).toEqual([0, 0, 0, 255, 255, 255])
  const rgb = pngOf({ width: 2, height: 1, bits: 8, color: 2 }, [[0, 1, 2, 3, 4, 5, 6]], {
    tRNS: [0, 1, 0, 2, 0, 3],
  })
  expect(pixels(rgb)).toEqual([255, 255, 255, 4, 5, 6])
})

test("images of 1 and 16 bits are read", () => {
  expect(pixels(pngOf({ width: 3, height: 1, bits: 1, color: 0 }, [[0, 0b10100000]]))).toEqual([
    255, 255, 255, 0, 0, 0, 255, 255, 255,
  ])
  const deep = pngOf({ width: 1, height: 1, bits: 16, color: 4 }, [[0, 80, 1, 255, 255]])
  expect(pixels(deep)).toEqual([80, 80, 80])
})

test("an interlaced image is read", () => {
  // A picture of 3 × 2 has pixels in the passes 1, 5, 6 and 7; each pass has rows of its own.
  const rows = [
    [0, 1],
    [0, 3],
    [0, 2],
    [0, 4, 5, 6],
  ]
  const bytes = pngOf({ width: 3, height: 2, bits: 8, color: 0, isInterlaced: true }, rows)
  expect(pixels(bytes).filter((_, i) => i % 3 === 0)).toEqual([1, 2, 3, 4, 5, 6])
})

test("a damaged image is an error, not a wrong picture", () => {
  const form = { width: 2, height: 2, bits: 8, color: 0 }
  expect(() => decodePng(pngOf(form, [[0, 1, 2]]))).toThrow("too few")
  expect(() => decodePng(pngOf(form, [[9, 1, 2, 9, 1, 2]]))).toThrow("filter")
  expect(() => decodePng(pngOf({ ...form, color: 5 }, [[0]]))).toThrow("form")
  expect(() => decodePng(new Uint8Array(8))).toThrow("header")
})

test("a large image is made smaller by a whole factor", () => {
  const rgb = new Uint8Array([0, 0, 0, 10, 10, 10, 20, 20, 20, 90, 90, 90, 30, 30, 30, 60, 60, 60])
  expect(shrink({ width: 3, height: 2, rgb }, 2)).toEqual({
    width: 2,
    height: 1,
    rgb: new Uint8Array([33, 33, 33, 40, 40, 40]),
  })
  expect(shrink({ width: 3, height: 2, rgb }, 3).rgb).toBe(rgb)
})
