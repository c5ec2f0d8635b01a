import { S3Client } from "bun"
import { statSync } from "node:fs"
import { encrypted } from "./age"
import { storageError, StorageError } from "./failure"
import { writeStream } from "./files"

/** A bucket of S3-compatible storage, and the key to it. */
export type Bucket = {
  name: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A file to upload, and its name in the bucket. It is encrypted if there is a passphrase. */
export type Upload = { bucket: Bucket; file: string; path: string; passphrase: string | null }

/** How long to wait for the answer to a request without content, and for a part to be accepted. In milliseconds. */
const answerTime = 60_000
const partTime = 10 * 60_000

/** An upload has at most 10,000 parts, each of them at least 5 MiB. Two parts are in memory at the same time. */
const partSize = (bytes: number): number => Math.max(8 << 20, Math.ceil(bytes / 9_000))

/** All options are given, because otherwise Bun takes them from variables of other programs. */
const clientOf = ({ name, endpoint, region, accessKeyId, secretAccessKey }: Bucket): S3Client =>
  new S3Client({ bucket: name, endpoint, region, accessKeyId, secretAccessKey })

/** Lists the names of all objects that begin with `prefix`. */
export function list(bucket: Bucket, prefix: string): Promise<string[]> {
  return described(bucket, async () => {
    const client = clientOf(bucket)
    const names: string[] = []
    let continuationToken: string | undefined
    do {
      const page = await answered(client.list({ prefix, continuationToken }))
      for (const { key } of page.contents ?? []) names.push(key)
      continuationToken = page.isTruncated ? page.nextContinuationToken : undefined
    } while (continuationToken !== undefined)
    return names
  })
}

export function remove(bucket: Bucket, path: string): Promise<void> {
  return described(bucket, () => answered(clientOf(bucket).file(path).delete()))
}

/**
 * Uploads a file in parts, and compares the size of the stored object with what was sent. If it fails, the writer is not
 * ended, because Bun would complete the upload with what it has. Returns the number of bytes.
 */
export function upload({ bucket, file, path, passphrase }: Upload): Promise<number> {
  return described(bucket, async () => {
    const target = clientOf(bucket).file(path)
    const plain = Bun.file(file).stream()
    const content = passphrase === null ? plain : await encrypted(plain, passphrase)
    const writer = target.writer({ partSize: partSize(statSync(file).size), queueSize: 2, retry: 3 })
    let bytes = 0
    for await (const piece of content) {
      writer.write(piece)
      await answered(Promise.resolve(writer.flush()), partTime)
      bytes += piece.length
    }
    await answered(Promise.resolve(writer.end()), partTime)
    const { size } = await answered(target.stat())
    if (size === bytes) return bytes
    throw new StorageError("FAILED", `${path} has ${size} bytes in the bucket instead of ${bytes}.`)
  })
}

/** Downloads an object to a new, private file. */
export function download(bucket: Bucket, path: string, file: string): Promise<void> {
  return described(bucket, async () => {
    const source = clientOf(bucket).file(path)
    const { size } = await answered(source.stat())
    const bytes = await writeStream(source.stream(), file)
    if (bytes !== size)
      throw new StorageError("FAILED", `The download of ${path} ended after ${bytes} of ${size} bytes.`)
  })
}

/** Fails if there is no answer in time. */
async function answered<T>(answer: Promise<T>, time = answerTime): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(Object.assign(new Error("no answer"), { code: "Timeout" })),
    time,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function described<T>(bucket: Bucket, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageError(error, bucket)
  }
}
