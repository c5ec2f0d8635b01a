import type { Batches } from "../sheets/write/records"
import type { ArchiveJob } from "./model"
import { zipped, type Zipped } from "./zip"

/** All records of a kind. */
export type ArchivedKind = { kind: string; batches: Batches }

/** A file of an archive, as its manifest names it. */
type ArchivedFile = { name: string; kind: string; records: number; bytes: number; sha256: string }

/** A file that would be larger continues in another one, for programs that cannot read large files. */
const largestFile = 1_000_000_000

const encoder = new TextEncoder()

/**
 * Writes an archive with all records of some kinds, one JSON object per line. The manifest is its last file, because it
 * names the others with their hashes.
 */
export async function* archiveOf(
  kinds: Iterable<ArchivedKind>,
  { version, createdAt }: Pick<ArchiveJob, "version" | "createdAt">,
  largest = largestFile,
): AsyncGenerator<Uint8Array, undefined> {
  const zip = zipped(createdAt)
  const files: ArchivedFile[] = []
  for (const { kind, batches } of kinds) {
    let file = newFile(zip, kind, 1)
    let number = 1
    for await (const records of batches) {
      const bytes = encoder.encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""))
      if (file.size() > 0 && file.size() + bytes.length > largest) {
        files.push(file.end())
        file = newFile(zip, kind, ++number)
      }
      file.write(bytes, records.length)
      yield* zip.take()
    }
    files.push(file.end())
  }
  const manifest = { format: "kontor-export", version: 1, kontor: version, createdAt, files }
  const last = zip.begin("manifest.json")
  last.write(encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`))
  last.end()
  zip.end()
  yield* zip.take()
  return undefined
}

/** Begins a file with records of a kind: `audit-logs.ndjson`, then `audit-logs-2.ndjson`. */
function newFile(zip: Zipped, kind: string, number: number) {
  const name = `${kind}${number === 1 ? "" : `-${number}`}.ndjson`
  const entry = zip.begin(name)
  const hash = new Bun.CryptoHasher("sha256")
  let [count, size] = [0, 0]
  return {
    size: () => size,
    write(bytes: Uint8Array, records: number): void {
      count += records
      size += bytes.length
      hash.update(bytes)
      entry.write(bytes)
    },
    end(): ArchivedFile {
      entry.end()
      return { name, kind, records: count, bytes: size, sha256: hash.digest("hex") }
    },
  }
}
