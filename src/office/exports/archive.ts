import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { ZipFile } from "yazl"
import { asDate } from "../../shared/dates"
import type { Batches } from "../sheets/write/records"
import type { ArchiveJob } from "./model"

export type ArchivedKind = { kind: string; batches: Batches }

/** A file of an archive, as its manifest names it. */
type ArchivedFile = { name: string; kind: string; records: number; bytes: number; sha256: string }

/** Adds a file to an archive, and waits until its bytes are taken. */
type AddFile = (name: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => Promise<void>

/** A file that would be larger continues in another one, for programs that cannot read large files. */
const largestFile = 1_000_000_000
/** Higher levels take twice as long and save a few percent. */
const compressionLevel = 4

const encoder = new TextEncoder()

/**
 * Writes an archive with all records of some kinds, one JSON object per line. The manifest is its last file, because it
 * names the others with their hashes. No more is read than is taken.
 */
export async function* archiveOf(
  kinds: Iterable<ArchivedKind>,
  about: Pick<ArchiveJob, "version" | "createdAt">,
  largest = largestFile,
): AsyncGenerator<Uint8Array, undefined> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // A ZIP file has local times. The time in UTC is written as one, so that the bytes do not depend on the time zone.
  const mtime = asDate(about.createdAt.replace("Z", ""))
  const options = { mtime, forceDosTimestamp: true, compressionLevel }
  const addFile: AddFile = (name, bytes) => {
    const stream = Readable.from(bytes)
    zip.addReadStream(stream, name, options)
    return finished(stream)
  }
  addAll(addFile, kinds, about, largest).then(
    () => zip.end(),
    (error) => output.destroy(error),
  )
  yield* output
  return undefined
}

async function addAll(
  addFile: AddFile,
  kinds: Iterable<ArchivedKind>,
  { version, createdAt }: Pick<ArchiveJob, "version" | "createdAt">,
  largest: number,
): Promise<void> {
  const files: ArchivedFile[] = []
  for (const kind of kinds) for await (const file of addKind(addFile, kind, largest)) files.push(file)
  const manifest = { format: "kontor-export", version: 1, kontor: version, createdAt, files }
  await addFile("manifest.json", [encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`)])
}

/** Adds the files of a kind: `audit-logs.ndjson`, then `audit-logs-2.ndjson`. */
async function* addKind(
  addFile: AddFile,
  { kind, batches }: ArchivedKind,
  largest: number,
): AsyncGenerator<ArchivedFile, undefined> {
  const parts = linesOf(batches)
  let next = await parts.next()
  for (let number = 1; number === 1 || !next.done; number++) {
    const name = `${kind}${number === 1 ? "" : `-${number}`}.ndjson`
    const hash = new Bun.CryptoHasher("sha256")
    let [records, size] = [0, 0]
    const content = async function* (): AsyncGenerator<Uint8Array, undefined> {
      while (!next.done && (size === 0 || size + next.value.bytes.length <= largest)) {
        const { bytes, count } = next.value
        records += count
        size += bytes.length
        hash.update(bytes)
        yield bytes
        next = await parts.next()
      }
      return undefined
    }
    await addFile(name, content())
    yield { name, kind, records, bytes: size, sha256: hash.digest("hex") }
  }
  return undefined
}

async function* linesOf(batches: Batches): AsyncGenerator<{ bytes: Uint8Array; count: number }, undefined> {
  for await (const records of batches)
    yield {
      bytes: encoder.encode(records.map((record) => `${JSON.stringify(record)}\n`).join("")),
      count: records.length,
    }
  return undefined
}
