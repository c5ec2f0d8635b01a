// Loaded on first use, because it loads streams, which slow down every start.
const zlib = () => process.getBuiltinModule("node:zlib")

export const packGzip = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  packed((done) => zlib().gzip(bytes, { level: 9 }, done))

export function packBrotli(bytes: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const params = { [zlib().constants.BROTLI_PARAM_QUALITY]: quality }
  return packed((done) => zlib().brotliCompress(bytes, { params }, done))
}

type Done = (error: Error | null, bytes: Uint8Array) => void

const packed = (pack: (done: Done) => void): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) =>
    pack((error, bytes) => (error ? reject(error) : resolve(new Uint8Array(bytes)))),
  )
