import { afterAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { join } from "node:path"
import { randomFrom } from "../../scripts/faults/random"
import { seedOf } from "../support/same-choices"
import { apiWith, signIn, type Api } from "../support/api"
import { isPostgres } from "../support/engine"
import { inFile } from "../support/file"
import { importer } from "../support/imports"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { until } from "../support/until"

afterAll(cleanUp)

const random = randomFrom(seedOf("import-killed"))
const codeOf = (i: number) => `KILL-${String(i).padStart(5, "0")}`
const many = (n: number) =>
  `itemCode,itemName,sellingPrice\n${Array.from({ length: n }, (_, i) => `${codeOf(i)},Thing ${i},${i}.5`).join("\n")}\n`

const uploadsIn = (kontor: Kontor) =>
  inFile(kontor, (db) => db.query<{ n: number }, []>("SELECT count(*) AS n FROM uploads").get()?.n)
const noUploadsLeft = async (kontor: Kontor) => {
  while (uploadsIn(kontor) !== 0) await Bun.sleep(20)
}

/** Kills the server at a random moment after an import has written so many rows, starts it again, and returns it. */
async function killedAfter(kontor: Kontor, api: Api, id: string, rows: number): Promise<Kontor> {
  await importer(api).wait(id, ["checking", "applying"])
  await until(() => codesIn(kontor).length >= rows)
  await Bun.sleep(random.between(0, 20))
  await kontor.stop("SIGKILL")
  return serve({ cwd: kontor.cwd })
}

/** The codes of all items in their order, as the file has them. */
const codesIn = (kontor: Kontor) =>
  inFile(kontor, (db) =>
    db
      .query<{ item_code: string }, []>("SELECT item_code FROM items ORDER BY seq")
      .all()
      .map(({ item_code }) => item_code),
  )

test("an import goes on by itself after each kill of the server, and writes every row exactly once", async () => {
  const rows = isPostgres ? 2_400 : 4_000
  let kontor = await serve()
  const { credential } = await signIn(kontor)
  const again = () => apiWith(kontor, credential)
  const { id } = (await importer(again()).send("kind=items", many(rows))).body.data
  let writtenBefore = 0
  for (const more of [0, 0, 1, random.between(1, 300), random.between(1, 300)]) {
    kontor = await killedAfter(kontor, again(), id, writtenBefore + more)
    const written = codesIn(kontor).length
    expect(written).toBeGreaterThanOrEqual(writtenBefore)
    writtenBefore = written
  }
  // The server was killed while it wrote.
  expect(writtenBefore).toBeLessThan(rows)
  const ended = await importer(again()).wait(id)
  expect(ended).toMatchObject({
    status: "finished",
    counts: { rows, valid: rows, invalid: 0, created: rows, failed: 0 },
    faultCount: 0,
  })
  expect(codesIn(kontor)).toEqual(Array.from({ length: rows }, (_, i) => codeOf(i)))
  const ends = (await again().get(`/audit-logs?recordId=${id}&action=imports.end`)).body.data
  expect(ends).toHaveLength(1)
  const created = (await again().get("/audit-logs?action=items.create&perPage=1")).body.meta.total
  expect(created).toBe(rows)
  await noUploadsLeft(kontor)
  await kontor.stop()
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})

test("an upload that is interrupted by a kill leaves no import and no part of the file", async () => {
  const first = await serve()
  const { credential } = await signIn(first)
  const { hostname, port } = new URL(first.url)
  const file = many(80_000)
  const head = [
    "POST /api/v1/imports?kind=items HTTP/1.1",
    `Host: ${hostname}`,
    "Content-Type: text/csv",
    `Content-Length: ${file.length * 3}`,
    ...Object.entries(credential).map(([name, value]) => `${name}: ${value}`),
  ]
  const socket = connect(Number(port), hostname, () =>
    socket.write(`${head.join("\r\n")}\r\n\r\n${file.slice(0, 2_000_000)}`),
  )
  socket.on("error", () => {})
  while (!uploadsIn(first)) await Bun.sleep(5)
  await first.stop("SIGKILL")
  socket.destroy()
  expect(uploadsIn(first)).toBeGreaterThan(0)
  const kontor = await serve({ cwd: first.cwd })
  await noUploadsLeft(kontor)
  const api = apiWith(kontor, credential)
  expect((await api.get("/imports")).body.data).toEqual([])
  expect((await api.get("/items")).body.data).toEqual([])
  await kontor.stop()
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
})

// A PostgreSQL database has no backups.
test.skipIf(isPostgres)(
  "an import of a restored backup fails and asks for the file again, because backups have no files",
  async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    const { id } = (await importer(api).send("kind=items", many(6_000))).body.data
    await importer(api).wait(id, ["applying"])
    const copy = join(kontor.cwd, "copy.db")
    expect(await run(["backup", copy], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
    await kontor.stop("SIGKILL")
    const cwd = emptyFolder()
    expect(await run(["restore", copy], { cwd })).toMatchObject({ code: 0 })
    const restored = await serve({ cwd })
    const ended = await importer(await signIn(restored)).wait(id)
    expect(ended).toMatchObject({
      status: "failed",
      error: { code: "NOT_FOUND", message: expect.stringContaining("Upload it again") },
    })
    expect(codesIn(restored)).toHaveLength(ended.counts.created)
    expect(ended.counts.created).toBeLessThan(6_000)
    await restored.stop()
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  },
)
