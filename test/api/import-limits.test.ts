import { afterAll, describe, expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { heard, until } from "../support/until"

const kontor = await serve()
const api = await signIn(kontor)
afterAll(cleanUp)

const title = "itemCode,itemName\n"
/** An upload whose end the test sends. */
type Upload = { socket: Socket; received: () => string; finish: () => void }

/** Sends a file but its last line. */
function begin(by: Api, code: string, size = 0): Upload {
  const { hostname, port } = new URL(kontor.url)
  const [first, last] = [`${title}${"\n".repeat(size)}`, `${code},x\n`]
  const head = [
    "POST /api/v1/imports?kind=items HTTP/1.1",
    `Host: ${hostname}`,
    "Content-Type: text/csv",
    "Connection: close",
    `Content-Length: ${first.length + last.length}`,
    ...Object.entries(by.credential).map(([name, value]) => `${name}: ${value}`),
  ]
  let text = ""
  const socket = connect(Number(port), hostname)
  socket.write(`${head.join("\r\n")}\r\n\r\n${first}`)
  socket.on("data", (chunk) => (text += String(chunk)))
  socket.on("error", () => {})
  return { socket, received: () => text, finish: () => void socket.write(last) }
}

const statusOf = ({ received }: Upload) => Number(received().slice(9, 12))
const answered = (upload: Upload) => until(() => upload.received().includes("\r\n\r\n"))

async function manager(email: string): Promise<Api> {
  const password = "correct horse battery"
  await api.create("/users", { email, name: "Manager", role: "manager", password })
  return signIn(kontor, email, password)
}

/** Adds imports that never begin. */
const fill = (n: number, user: string | null = null) =>
  inFile(kontor, (db) => {
    for (let i = 0; i < n; i++)
      db.query(
        `INSERT INTO jobs (id, kind, status, caller, input, state, output, progress, attempts, run_at, created_at, created_by)
         VALUES (?, 'imports', 'queued', ?, '{"kind":"items"}', '{}', '{}', 0, 0, ?, '2026-01-01T00:00:00.000Z', ?)`,
      ).run(
        `imp_${String(i).padStart(26, "0")}`,
        '{"kind":"user","userId":"none","credentialId":"none"}',
        // A server takes what is due much later for the work of a wrong clock.
        new Date(Date.now() + 600_000).toISOString(),
        user,
      )
  })
const empty = () => inFile(kontor, (db) => db.run("DELETE FROM jobs WHERE id LIKE 'imp_00000000%'"))
const pieces = () =>
  inFile(kontor, (db) => Number(db.query<{ n: number }, []>("SELECT count(*) AS n FROM uploads").get()?.n))

describe("POST /imports", () => {
  test("refuses uploads that began when there was room, if there is none when they are complete", async () => {
    const uploads = Array.from({ length: 4 }, (_, i) => begin(api, `TOGETHER-${i}`))
    await heard(kontor)
    expect(uploads.map(({ received }) => received())).toEqual(["", "", "", ""])
    fill(20)
    try {
      for (const { finish } of uploads) finish()
      for (const upload of uploads) await answered(upload)
      expect(uploads.map(statusOf)).toEqual([503, 503, 503, 503])
      expect(uploads[0]?.received()).toMatch(/retry-after: \d+/i)
      await until(() => pieces() === 0)
    } finally {
      empty()
    }
    expect((await api.get("/items?itemCode[like]=TOGETHER-%25")).body.data).toEqual([])
  })

  test("refuses the fifth upload of a user at a time with 429, also with another credential, and not those of others", async () => {
    const by = await manager("sender@limits.example")
    const uploads = Array.from({ length: 4 }, (_, i) => begin(by, `FIVE-${i}`))
    await heard(kontor)
    const again = await signIn(kontor, "sender@limits.example", "correct horse battery")
    const refused = await importer(again).send("kind=items", `${title}FIVE-5,x\n`)
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: "RATE_LIMIT_EXCEEDED", params: { retryAfter: expect.any(Number) } } },
    })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await importer(api).run("kind=items", `${title}OTHERS,x\n`)).status).toBe("finished")
    for (const { finish } of uploads) finish()
    for (const upload of uploads) await answered(upload)
    expect(uploads.map(statusOf)).toEqual([202, 202, 202, 202])
    expect((await importer(by).run("kind=items", `${title}FIVE-6,x\n`)).status).toBe("finished")
  })

  test("refuses the eleventh unfinished import of a user with 429, and not those of others", async () => {
    const by = await manager("filler@limits.example")
    fill(10, (await by.get("/auth/me")).body.data.id)
    try {
      const refused = await importer(by).send("kind=items", `${title}TEN,x\n`)
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: "RATE_LIMIT_EXCEEDED", params: { retryAfter: 30 } } },
      })
      expect((await importer(api).run("kind=items", `${title}NOT-FILLED,x\n`)).status).toBe("finished")
    } finally {
      empty()
    }
  })

  test("deletes what it has of a file when the client disconnects, and gives its place to another upload", async () => {
    const by = await manager("leaver@limits.example")
    const uploads = Array.from({ length: 4 }, (_, i) => begin(by, `GONE-${i}`, 600_000))
    await until(() => pieces() >= 8)
    for (const { socket } of uploads) socket.destroy()
    await until(() => pieces() === 0)
    await until(async () => (await importer(by).send("kind=items", `${title}GONE-5,x\n`)).status === 202)
    expect((await api.get("/items?itemCode[in]=GONE-0,GONE-1,GONE-2,GONE-3")).body.data).toEqual([])
  })
})
