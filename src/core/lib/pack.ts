import { Duplex } from "node:stream"
import { brotliCompress, constants, createGzip, gunzip, gzip } from "node:zlib"

/**
 * The level for responses that are compressed for each request. Higher levels take up to three times as long, and save
 * less than a sixth of the size.
 */
const fastLevel = 2
const chunkSize = 64 * 1024

export const packGzip = (bytes: Uint8Array, level = 9): Promise<Uint8Array<ArrayBuffer>> =>
  packed((done) => gzip(bytes, { level, chunkSize }, done))

export const unpackGzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  packed((done) => gunzip(bytes, { chunkSize }, done))

/** Compresses a text on another thread. */
export const packText = (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  packGzip(Buffer.from(text), fastLevel)

/** Compresses a short text immediately. libdeflate at level 1 is as fast as zlib at level 2, with the same result. */
export const packShortText = (text: string): Uint8Array<ArrayBuffer> =>
  Bun.gzipSync(text, { level: 1, library: "libdeflate" })

/** Compresses a stream on another thread, no faster than it is read. */
export const packStream = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  body.pipeThrough(
    Duplex.toWeb(createGzip({ level: fastLevel, chunkSize })) as unknown as ReadableWritablePair<
      Uint8Array,
      Uint8Array
    >,
  )

export function packBrotli(bytes: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  return packed((done) => brotliCompress(bytes, { params }, done))
}

type Done = (error: Error | null, bytes: Uint8Array) => void

const packed = (pack: (done: Done) => void): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) =>
    pack((error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes)))),
  )
