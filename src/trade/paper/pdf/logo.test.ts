import { expect, test } from "bun:test"
import { crc32, deflateSync, inflateSync } from "node:zlib"
import { decodePng, shrink } from "./logo"

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const chunk = (name: string, content: number[] | Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(content)])
  return Buffer.concat([number(content.length), body, number(crc32(body))])
}

type Form = { width: number; height: number; bits: number; color: number; isInterlaced?: boolean }

const headerOf = ({ width, height, bits, color, isInterlaced }: Form): number[] =>
  [...number(width), ...number(height)].concat([bits, color, 0, 0, isInterlaced ? 1 : 0])

/** A PNG with compressed rows. */
const fileOf = (form: Form, rows: Uint8Array, parts: Record<string, number[]> = {}): Uint8Array =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", headerOf(form)),
    ...Object.entries(parts).map(([name, content]) => chunk(name, content)),
    chunk("IDAT", rows),
    chunk("IEND", []),
  ])

/** A PNG from rows with their filters. */
const pngOf = (form: Form, rows: number[][], parts: Record<string, number[]> = {}): Uint8Array =>
  fileOf(form, deflateSync(Buffer.from(rows.flat())), parts)

const pixels = async (bytes: Uint8Array): Promise<number[]> => [...(await decodePng(bytes)).rgb]

test("an RGB image is read with each of the filters", async () => {
  const rows = [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 10, 20, 30, 30, 30, 30],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 15, 15, 15],
    [4, 0, 0, 0, 0, 0, 0],
  ]
  const row = [10, 20, 30, 40, 50, 60]
  const bytes = pngOf({ width: 2, height: 5, bits: 8, color: 2 }, rows)
  expect(await pixels(bytes)).toEqual([...row, ...row, ...row, ...row, ...row])
})

test("transparent pixels are white, and half transparent ones are lighter", async () => {
  const bytes = pngOf({ width: 2, height: 1, bits: 8, color: 6 }, [[0, 100, 100, 100, 0, 0, 0, 0, 128]])
  expect(await pixels(bytes)).toEqual([255, 255, 255, 127, 127, 127])
})

test("a palette of 2 bits with transparent colours is read", async () => {
  const parts = { PLTE: [255, 0, 0, 0, 255, 0, 0, 0, 255], tRNS: [255, 0] }
  const bytes = pngOf({ width: 3, height: 1, bits: 2, color: 3 }, [[0, 0b00011000]], parts)
  expect(await pixels(bytes)).toEqual([255, 0, 0, 255, 255, 255, 0, 0, 255])
})

test("grey and RGB images with one transparent colour are read", async () => {
  const grey = pngOf({ width: 2, height: 1, bits: 8, color: 0 }, [[0, 0, 7]], { tRNS: [0, 7] })
  expect(await pixels(grey)).toEqual([0, 0, 0, 255, 255, 255])
  const rgb = pngOf({ width: 2, height: 1, bits: 8, color: 2 }, [[0, 1, 2, 3, 4, 5, 6]], {
    tRNS: [0, 1, 0, 2, 0, 3],
  })
  expect(await pixels(rgb)).toEqual([255, 255, 255, 4, 5, 6])
})

test("images of 1 and 16 bits are read", async () => {
  expect(await pixels(pngOf({ width: 3, height: 1, bits: 1, color: 0 }, [[0, 0b10100000]]))).toEqual([
    255, 255, 255, 0, 0, 0, 255, 255, 255,
  ])
  const deep = pngOf({ width: 1, height: 1, bits: 16, color: 4 }, [[0, 80, 1, 255, 255]])
  expect(await pixels(deep)).toEqual([80, 80, 80])
})

test("an interlaced image is read", async () => {
  // A picture of 3 × 2 has pixels in the passes 1, 5, 6 and 7; each pass has rows of its own.
  const rows = [
    [0, 1],
    [0, 3],
    [0, 2],
    [0, 4, 5, 6],
  ]
  const bytes = pngOf({ width: 3, height: 2, bits: 8, color: 0, isInterlaced: true }, rows)
  expect((await pixels(bytes)).filter((_, i) => i % 3 === 0)).toEqual([1, 2, 3, 4, 5, 6])
})

test("a damaged image is an error, not a wrong picture", async () => {
  const form = { width: 2, height: 2, bits: 8, color: 0 }
  const rows = [0, 1, 2, 0, 1, 2]
  for (const bytes of [
    pngOf(form, [[0, 1, 2]]),
    pngOf(form, [[9, 1, 2, 9, 1, 2]]),
    pngOf({ ...form, color: 5 }, [rows]),
    pngOf({ ...form, bits: 3 }, [rows]),
    pngOf({ ...form, color: 3 }, [rows]),
    pngOf({ ...form, width: 0 }, [rows]),
    pngOf({ ...form, width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, [rows]),
    pngOf(form, [rows], { ABCD: [1] }),
    fileOf(form, deflateSync(Buffer.from(rows)).subarray(0, -6)),
    fileOf(form, Buffer.from(rows)),
    pngOf(form, [rows]).subarray(0, 40),
    new Uint8Array(8),
  ])
    await expect(decodePng(bytes)).rejects.toThrow()
  expect(await pixels(pngOf(form, [rows]))).toEqual([1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2])
})

test("an image with too many pixels is refused before it is decoded", async () => {
  for (const [width, height] of [
    [65_535, 65_535],
    [4_001, 4_000],
  ] as const)
    await expect(decodePng(pngOf({ width, height, bits: 8, color: 6 }, [[0]]))).rejects.toThrow("maxPixels")
})

test("of data that is longer than the image, only the image is decompressed", async () => {
  const bomb = deflateSync(Buffer.alloc(100_000_000))
  const cpuOf = async (work: () => unknown) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const whole = await cpuOf(() => inflateSync(bomb))
  const form = { width: 1, height: 1, bits: 8, color: 0 }
  const decoded = await cpuOf(async () => expect(await pixels(fileOf(form, bomb))).toEqual([0, 0, 0]))
  expect(decoded).toBeLessThan(whole / 2)
})

test("a large image is made smaller by a whole factor", async () => {
  const rgb = new Uint8Array([0, 0, 0, 10, 10, 10, 20, 20, 20, 90, 90, 90, 30, 30, 30, 60, 60, 60])
  expect(shrink({ width: 3, height: 2, rgb }, 2)).toEqual({
    width: 2,
    height: 1,
    rgb: new Uint8Array([33, 33, 33, 40, 40, 40]),
  })
  expect(shrink({ width: 3, height: 2, rgb }, 3).rgb).toBe(rgb)
})
