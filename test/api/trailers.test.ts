import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { isPostgres } from "../support/engine"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"

/** Data after a chunked body must not get a second response and must not be parsed as a request. */
let kontor: Kontor
let api: Api
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

let codes = 0
const newCode = () => `CHUNK-${++codes}`

/** The head and the body of a chunked request, including its last chunk. */
function chunked(body: string, { path = "/api/v1/items", method = "POST", more = "", token = true } = {}) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(kontor.url).host}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
    ...(token ? [`Authorization: ${api.credential.authorization}`] : []),
    ...(more ? [more] : []),
  ]
  return `${head.join("\r\n")}\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n`
}
const itemOf = (code: string) => JSON.stringify({ itemCode: code, itemName: "Chunked" })

/**
 * Sends the parts one after the other, and returns the statuses of all responses when the server has disconnected. TCP
 * discards a response that the client has not read yet when it sends more to a server that has disconnected: "reset".
 */
function statusesOf(parts: string[], gap: number): Promise<string[]> {
  const { hostname, port } = new URL(kontor.url)
  return new Promise((resolve) => {
    let received = ""
    let isReset = false
    const socket = connect(Number(port), hostname, async () => {
      socket.setNoDelay(true)
      for (const part of parts) {
        socket.write(part)
        await Bun.sleep(gap)
      }
    })
    socket.on("data", (chunk) => (received += chunk.toString("latin1")))
    socket.on("error", (error: NodeJS.ErrnoException) => (isReset ||= error.code === "ECONNRESET"))
    socket.on("close", () => {
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status)
      resolve(statuses.length === 0 && isReset ? ["reset"] : statuses)
    })
  })
}

const smuggled = () =>
  `DELETE /api/v1/items/none HTTP/1.1\r\nHost: ${new URL(kontor.url).host}\r\nAuthorization: ${api.credential.authorization}\r\n\r\n`
const trailers: [string, () => string][] = [
  ["a field", () => "X-Checksum: 1\r\n\r\n"],
  ["a request", smuggled],
  ["a field and a request", () => `X-Checksum: 1\r\n\r\n${smuggled()}`],
]
const requests: [string, (code: string) => string][] = [
  ["a write", (code) => chunked(itemOf(code))],
  ["a write that announces trailers", (code) => chunked(itemOf(code), { more: "Trailer: X-Checksum" })],
  ["a write without a credential", (code) => chunked(itemOf(code), { token: false })],
  ["a form", () => chunked("grant_type=refresh_token", { path: "/oauth/token", token: false })],
  ["a read", () => chunked("{}", { method: "GET" })],
  ["a request to an unknown path", () => chunked("{}", { path: "/nowhere" })],
  ["a request for the page", () => chunked("{}", { method: "GET", path: "/console" })],
  ["a sign-in", () => chunked(`{"email":"a@example.com"}`, { path: "/api/v1/auth/login", token: false })],
]

describe.each(trailers)("with %s after its body", (_, trailer) => {
  describe.each(requests)("%s", (_name, request) => {
    test.each([
      ["in the same packet", 0, (whole: string, rest: string) => [whole + rest]],
      ["in the next packet", 0, (whole: string, rest: string) => [whole, rest]],
      ["a moment later", 20, (whole: string, rest: string) => [whole, rest]],
      ["much later", 200, (whole: string, rest: string) => [whole, rest]],
      [
        "byte by byte at the boundary",
        2,
        (whole: string, rest: string) => [whole.slice(0, -1), "\n", ...rest.slice(0, 4), rest.slice(4)],
      ],
    ] as const)("has one response: %s", async (_when, gap, cut) => {
      expect(await statusesOf([...cut(request(newCode()), trailer())], gap)).toHaveLength(1)
    })
  })
})

/**
 * The only case that cannot be prevented: the parser's own 400 interrupts a response that is still being sent. The
 * response is incomplete, so no client parses the rest as a second response.
 */
test.skipIf(isPostgres)(
  "a response too large to be sent at once is cut off by trailers that arrive in the meantime, and no other follows",
  async () => {
    inFile(kontor, (db) =>
      db
        .query(
          `INSERT INTO audit_logs (seq, id, actor_type, action, outcome, changes, created_at, hash)
         SELECT max(seq) + 1, 'aud_large', 'system', 'large', 'success', ?, '2020-01-01T00:00:00.000Z', 'x' FROM audit_logs`,
        )
        .run(JSON.stringify({ large: { from: null, to: "x".repeat(24_000_000) } })),
    )
    const received = await new Promise<Buffer>((resolve) => {
      const { hostname, port } = new URL(kontor.url)
      const chunks: Buffer[] = []
      const socket = connect(Number(port), hostname, () =>
        socket.write(chunked("{}", { path: "/api/v1/backups" })),
      )
      socket.once("data", async () => {
        socket.pause()
        await Bun.sleep(200)
        socket.write("X-Checksum: 1\r\n\r\n")
        await Bun.sleep(200)
        socket.resume()
      })
      socket.on("data", (chunk) => chunks.push(chunk))
      socket.on("error", () => {})
      socket.on("close", () => resolve(Buffer.concat(chunks)))
    })
    const text = received.toString("latin1")
    expect(text).toStartWith("HTTP/1.1 200")
    expect(text.length).toBeGreaterThan(100_000)
    expect(isWhole(text)).toBeFalse()
  },
)

/** True when a chunked response is complete. */
function isWhole(answer: string): boolean {
  for (let at = answer.indexOf("\r\n\r\n") + 4; ;) {
    const [line, size] = /^([0-9a-f]+)\r\n/i.exec(answer.slice(at, at + 20)) ?? []
    if (line === undefined || size === undefined) return false
    if (parseInt(size, 16) === 0) return true
    at += line.length + parseInt(size, 16) + 2
  }
}

test("a write whose trailers came with its body is refused, and has no effect", async () => {
  const code = newCode()
  expect(await statusesOf([`${chunked(itemOf(code))}X-Checksum: 1\r\n\r\n`], 0)).toEqual(["400"])
  expect((await api.get(`/items?itemCode=${code}`)).body.data).toEqual([])
})

test("a write that announces trailers is refused, even if they do not come", async () => {
  const code = newCode()
  const whole = chunked(itemOf(code), { more: "Trailer: X-Checksum" })
  expect(await statusesOf([whole, "\r\n"], 0)).toEqual(["400"])
  expect((await api.get(`/items?itemCode=${code}`)).body.data).toEqual([])
})

describe("a chunked body without trailers", () => {
  const post = (body: BodyInit, code: string) =>
    fetch(`${kontor.url}/api/v1/items`, {
      method: "POST",
      headers: { "content-type": "application/json", ...api.credential },
      body,
    }).then(async (answer) => [answer.status, (await answer.json()).data?.itemCode, code] as const)

  test("is read from a stream, repeatedly", async () => {
    for (let i = 0; i < 20; i++) {
      const code = newCode()
      const text = itemOf(code)
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(text.slice(0, 9)))
          await Bun.sleep(i % 3)
          controller.enqueue(new TextEncoder().encode(text.slice(9)))
          controller.close()
        },
      })
      expect(await post(stream, code)).toEqual([201, code, code])
    }
  })

  test("is read from packets of any size", async () => {
    const code = newCode()
    const whole = `${chunked(itemOf(code))}\r\n`
    const parts = whole.match(/[\s\S]{1,40}/g) ?? []
    expect(await statusesOf(parts, 1)).toEqual(["201"])
  })

  test("is read from curl", async () => {
    const code = newCode()
    const args = ["-s", "-X", "POST", "-T", "-", "-H", "Content-Type: application/json"]
    const curl = Bun.spawn(
      ["curl", ...args, "-H", `Authorization: ${api.credential.authorization}`, `${kontor.url}/api/v1/items`],
      { stdin: Buffer.from(itemOf(code)), stdout: "pipe", cwd: emptyFolder() },
    )
    expect(JSON.parse(await new Response(curl.stdout).text())).toMatchObject({ data: { itemCode: code } })
  })

  test("that is too large or unauthenticated is refused with an error message", async () => {
    const large = () =>
      new ReadableStream({
        async start(controller) {
          for (let i = 0; i < 64; i++) {
            controller.enqueue(new Uint8Array(65_536).fill(32))
            await Bun.sleep(0)
          }
          controller.close()
        },
      })
    const send = (headers: Record<string, string>) =>
      fetch(`${kontor.url}/api/v1/items`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: large(),
      }).then(({ status }) => status)
    for (let i = 0; i < 5; i++) expect([await send(api.credential), await send({})]).toEqual([413, 401])
  })

  test("a connection without trailers stays open", async () => {
    const answer = await fetch(`${kontor.url}/health`)
    expect(answer.headers.get("connection")).not.toBe("close")
  })
})
