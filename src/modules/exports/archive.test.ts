import { expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { archiveOf } from "./archive"

async function* batches(...texts: string[]) {
  for (const text of texts) yield [{ text }]
}

const about = { version: "1.2.3", createdAt: "2026-03-01T09:30:00.000Z" }

async function filesOf(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const parts: Uint8Array[] = []
  for await (const part of archive) parts.push(part)
  const files = unzipSync(Buffer.concat(parts))
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
