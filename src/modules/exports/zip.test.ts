import { expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { zipped } from "./zip"

const contents: Record<string, string> = {
  "a.ndjson": "x".repeat(5000),
  "empty.ndjson": "",
  "über.json": "ü\n",
}

function archiveOf(largestPlain?: number): Buffer {
  const zip = zipped("2026-03-01T09:30:00.000Z", largestPlain)
  for (const [name, text] of Object.entries(contents)) {
    const file = zip.begin(name)
    for (const part of [text.slice(0, 1), text.slice(1)]) file.write(new TextEncoder().encode(part))
    file.end()
  }
  zip.end()
  return Buffer.concat(zip.take())
}

const read = (archive: Buffer) =>
  Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  )

/** True if the archive has a record with this signature. */
const has = (archive: Buffer, signature: number): boolean => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return archive.includes(bytes)
}

test("an archive that fits has no records of ZIP64", () => {
  const archive = archiveOf()
  expect(read(archive)).toEqual(contents)
  expect([has(archive, 0x06064b50), has(archive, 0x07064b50)]).toEqual([false, false])
})

test("a larger archive has records of ZIP64, for all files or only for those after the limit", () => {
  for (const largestPlain of [0, 1, 60, 150]) {
    const archive = archiveOf(largestPlain)
    expect(read(archive)).toEqual(contents)
    expect([has(archive, 0x06064b50), has(archive, 0x07064b50)]).toEqual([true, true])
  }
})
