import { expect, test } from "bun:test"
import { readImage } from "./image"

const chunk = (name: string, content: number[]) => [
  ...new Uint8Array(new Uint32Array([content.length]).buffer).toReversed(),
  ...Buffer.from(name),
  ...content,
  0,
  0,
  0,
  0,
]
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const size = chunk("IHDR", [0, 0, 1, 44, 0, 0, 0, 20, 8, 6, 0, 0, 0])
const png = [...signature, ...size, ...chunk("IDAT", [1, 2, 3]), ...chunk("IEND", [])]
const frame = (marker: number) => [0xff, marker, 0, 11, 8, 0, 20, 1, 44, 1, 1, 0, 0]
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, ...frame(0xc2), 0xff, 0xda, 0, 2, 9, 9, 0xff, 0xd9]
const read = (bytes: number[]) => readImage(Uint8Array.from(bytes))

test("the size of a PNG is in its header", () => {
  expect(read(png)).toEqual({ type: "image/png", width: 300, height: 20, isCmyk: false })
})

test("the size of a JPEG is in its frame, whatever segments are before it", () => {
  expect(read(jpeg)).toEqual({ type: "image/jpeg", width: 300, height: 20, isCmyk: false })
})

test("a JPEG with four colors in each pixel is CMYK", () => {
  const cmyk = jpeg.with(jpeg.indexOf(0xc2) + 8, 4)
  expect(read(cmyk)).toMatchObject({ width: 300, isCmyk: true })
})

test.each([
  ["nothing", []],
  ["a text", [...Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")]],
  ["a GIF", [...Buffer.from("GIF89a"), ...Array<number>(40).fill(1)]],
  ["the signature of a PNG alone", signature],
  ["a PNG without data", [...signature, ...size, ...chunk("IEND", [])]],
  ["a PNG that was cut off", png.slice(0, -12)],
  [
    "a PNG with a chunk that is longer than the file",
    [...signature, ...size, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5],
  ],
  ["a JPEG without a frame", [0xff, 0xd8, 0xff, 0xda, 0, 2, 9, 9]],
  ["a JPEG whose only frame is a table", [0xff, 0xd8, ...frame(0xc4), 0xff, 0xda, 0, 2]],
  ["a JPEG that was cut off", jpeg.slice(0, 14)],
  ["a JPEG without an end", jpeg.slice(0, -2)],
  ["a JPEG with a broken segment", [0xff, 0xd8, 0, 0, 0, 0, 0, 0]],
])("%s is not an image", (_, bytes) => {
  expect(read(bytes)).toBeNull()
})
