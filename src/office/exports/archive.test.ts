import { randomBytes } from "node:crypto"
import { expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { archiveOf } from "./archive"

async function* batches(...texts: string[]) {
  for (const text of texts) yield [{ text }]
}

const about = { version: "1.2.3", createdAt: "2026-03-01T09:30:00.000Z" }

const bytesOf = async (archive: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(archive))

async function filesOf(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const files = unzipSync(await bytesOf(archive))
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  )
}

test("a file that would be too large continues in another one", async () => {
  const line = JSON.stringify({ text: "x" }).length + 1
  const kinds = [
    { kind: "audit-logs", batches: batches("a", "b", "c", "d", "e") },
    { kind: "items", batches: batches() },
  ]
  const { "manifest.json": manifest = "", ...files } = await filesOf(archiveOf(kinds, about, 2 * line))
  expect(files).toEqual({
    "audit-logs.ndjson": '{"text":"a"}\n{"text":"b"}\n',
    "audit-logs-2.ndjson": '{"text":"c"}\n{"text":"d"}\n',
    "audit-logs-3.ndjson": '{"text":"e"}\n',
    "items.ndjson": "",
  })
  expect(JSON.parse(manifest).files).toMatchObject([
    { name: "audit-logs.ndjson", kind: "audit-logs", records: 2, bytes: 2 * line },
    { name: "audit-logs-2.ndjson", kind: "audit-logs", records: 2 },
    { name: "audit-logs-3.ndjson", kind: "audit-logs", records: 1 },
    { name: "items.ndjson", kind: "items", records: 0, bytes: 0 },
  ])
})

test("a record that is too large is a file of its own", async () => {
  const kinds = [{ kind: "items", batches: batches("a", "b") }]
  const files = await filesOf(archiveOf(kinds, about, 1))
  expect(Object.keys(files)).toEqual(["items.ndjson", "items-2.ndjson", "manifest.json"])
})

test("the same records at the same time are the same bytes, without records of ZIP64 that old programs cannot read", async () => {
  const kinds = () => [{ kind: "items", batches: batches("ä".repeat(5_000), "b") }]
  const archive = await bytesOf(archiveOf(kinds(), about))
  expect(archive.equals(await bytesOf(archiveOf(kinds(), about)))).toBe(true)
  const later = { ...about, createdAt: "2026-03-01T09:40:00.000Z" }
  expect(archive.equals(await bytesOf(archiveOf(kinds(), later)))).toBe(false)
  for (const signature of ["PK\x06\x06", "PK\x06\x07"]) expect(archive.includes(signature)).toBe(false)
})

test("no more is read than is taken", async () => {
  let read = 0
  async function* many() {
    while (read < 100_000_000) {
      await Bun.sleep(0)
      read += 100_000
      yield [{ text: randomBytes(50_000).toString("hex") }]
    }
  }
  const archive = archiveOf([{ kind: "items", batches: many() }], about)
  let taken = 0
  while (taken < 1_000_000) taken += (await archive.next()).value?.length ?? 0
  for (let before = -1; before !== read; await Bun.sleep(200)) before = read
  // Hexadecimal digits of random bytes take half of their size.
  expect(read).toBeLessThan(2 * taken + 2_000_000)
  await archive.return(undefined)
})

test("an archive whose records cannot be read ends with the error", async () => {
  async function* failing() {
    yield [{ text: "a" }]
    throw new Error("The disk is gone.")
  }
  const kinds = [
    { kind: "items", batches: batches("a") },
    { kind: "users", batches: failing() },
  ]
  expect(bytesOf(archiveOf(kinds, about))).rejects.toThrow("The disk is gone.")
})
