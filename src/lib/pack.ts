import { brotliCompress, constants, gzip } from "node:zlib"

export const packGzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  packed((done) => gzip(bytes, { level: 9 }, done))

export function packBrotli(bytes: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  return packed((done) => brotliCompress(bytes, { params }, done))
}

type Done = (error: Error | null, bytes: Uint8Array) => void

const packed = (pack: (done: Done) => void): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) =>
    pack((error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes)))),
  )
