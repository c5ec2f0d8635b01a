import { deflateSync } from "node:zlib"

const chunk = (name: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A valid PNG of one colour. */
export function png(
  width = 120,
  height = 40,
  colour: readonly [number, number, number] = [20, 90, 160],
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", new Uint8Array()),
  ])
}

/** The beginning of a JPEG with a frame of this size. Browsers would not show it. */
export const jpeg = (width = 120, height = 40, colors = 1): Buffer => {
  const frame = [0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, colors, 1, 0x11, 0]
  return Buffer.from([0xff, 0xd8].concat(frame, [0xff, 0xda, 0, 2, 0, 0xff, 0xd9]))
}
