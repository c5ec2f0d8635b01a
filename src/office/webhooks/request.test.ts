import { afterAll, describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import { networks } from "../../core/http/request/address"
import type { Network } from "./addresses"
import { sendTo } from "./request"

const servers: { stop(): void }[] = []
afterAll(() => servers.forEach((server) => server.stop()))

const loopback = networks(["127.0.0.0/8"])
const headers = { "content-type": "application/json" }
const never = new AbortController().signal

/** Sends a POST to a port of this machine. */
const post = (port: number, network: Partial<Network> = {}, path = "/hooks?x=1", signal = never) =>
  sendTo(
    { url: `http://shop.example:${port}${path}`, headers, body: '{"a":"ü"}' },
    { resolve: async () => ["127.0.0.1"], allowed: loopback, ...network },
    signal,
  )

/** Starts a TCP server that counts its connections. */
async function listen(answer: (socket: Socket) => void, host = "127.0.0.1") {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on("error", () => {})
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  servers.push({ stop: () => server.close() })
  const address = server.address()
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, connections: () => connections }
}

describe("A request", () => {
  test("It is a POST with the name of the URL as its host.", async () => {
    const requests: { method: string; path: string; host: string | null; body: string }[] = []
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const host = request.headers.get("host")
        requests.push({ method: request.method, path: pathname + search, host, body: await request.text() })
        return new Response("thanks", { status: 201 })
      },
    })
    servers.push(server)
    const port = server.port ?? 0
    expect(await post(port)).toEqual({ status: 201, text: "thanks" })
    expect(requests).toEqual([
      { method: "POST", path: "/hooks?x=1", host: `shop.example:${port}`, body: '{"a":"ü"}' },
    ])
  })

  test("A name is resolved once, so that a second answer of the resolver has no effect.", async () => {
    const { port, connections } = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
    const answers = [["127.0.0.1"], ["127.0.0.2"]]
    expect(await post(port, { resolve: async () => answers.shift() ?? [] })).toMatchObject({ status: 200 })
    expect([answers.length, connections()]).toEqual([1, 1])
  })

  test("An address that is not allowed is never connected to, also not if another one is allowed.", async () => {
    const { port, connections } = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
    const rebound = [["8.8.8.8"], ["127.0.0.1"]]
    for (const network of [
      { allowed: null },
      { allowed: networks(["10.0.0.0/8"]) },
      { resolve: async () => ["127.0.0.1", "::1"] },
      { resolve: async () => ["8.8.8.8", "127.0.0.1"], allowed: null },
      { resolve: async () => ["::ffff:127.0.0.1"], allowed: null },
      { resolve: async () => rebound.pop() ?? [], allowed: null },
    ])
      await expect(post(port, network)).rejects.toThrow("The address was refused")
    await Bun.sleep(20)
    expect(connections()).toBe(0)
  })

  test("The next address is tried if the first one does not accept the connection.", async () => {
    const { port, connections } = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
    expect(await post(port, { resolve: async () => ["127.0.0.9", "127.0.0.1"] })).toMatchObject({
      status: 200,
    })
    expect(connections()).toBe(1)
  })

  test("A request that may have been read is not sent to another address.", async () => {
    const { port, connections } = await listen(
      (socket) => socket.on("data", () => socket.destroy()),
      "0.0.0.0",
    )
    await expect(post(port, { resolve: async () => ["127.0.0.1", "127.0.0.2"] })).rejects.toThrow("closed")
    await Bun.sleep(50)
    expect(connections()).toBe(1)
  })

  test("Redirects are not followed.", async () => {
    const target = await listen((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))
    const head = `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${target.port}/\r\n\r\n`
    const { port } = await listen((socket) => socket.end(head))
    expect(await post(port)).toEqual({ status: 307, text: "" })
    expect(target.connections()).toBe(0)
  })

  test("A head is enough: a body that does not end is not waited for.", async () => {
    const { port } = await listen((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"))
    expect(await post(port)).toEqual({ status: 200, text: "abc" })
  })

  test("The errors are sentences.", async () => {
    const silent = await listen(() => {})
    const reset = await listen((socket) => socket.resetAndDestroy())
    const foreign = await listen((socket) => socket.end("220 mail.example ESMTP\r\n\r\n"))
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    await expect(post(1)).rejects.toThrow("The receiver refused the connection.")
    await expect(post(reset.port)).rejects.toThrow(/closed/)
    const secure = { url: `https://shop.example:${reset.port}/`, headers, body: "" }
    const network = { resolve: async () => ["127.0.0.1"], allowed: loopback }
    await expect(sendTo(secure, network, never)).rejects.toThrow(/closed/)
    await expect(post(foreign.port)).rejects.toThrow("The response is not HTTP/1.1.")
    await expect(post(silent.port, {}, "/", stop.signal)).rejects.toThrow("no response")
    const unknown = async () => Promise.reject(new Error("ENOTFOUND"))
    await expect(post(1, { resolve: unknown })).rejects.toThrow(
      "The name shop.example could not be resolved.",
    )
    await Bun.sleep(200)
  })
})

/** Answers a request with a text, in pieces of a size, and leaves the connection open. */
const answering = (text: string | Buffer, size = text.length) =>
  listen((socket) =>
    socket.once("data", async () => {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
        socket.write(bytes.subarray(at, at + size))
        if (size < bytes.length) await Bun.sleep(0)
      }
    }),
  )

describe("A response", () => {
  const plain = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
  const chunked =
    "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
  const early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n"

  test.each([
    ["plain", plain, 200, "hello"],
    ["in chunks", chunked, 202, "abcde"],
    ["after announcements", early + plain, 200, "hello"],
    ["without a body", "HTTP/1.1 204 X\r\n\r\n", 204, ""],
    ["without a reason", "HTTP/1.0 500\r\nContent-Length: 2\r\n\r\nno", 500, "no"],
    ["with a line that is folded", plain.replace("\r\n\r\n", "\r\nx: y\r\n z\r\n\r\n"), 200, "hello"],
    ["with two lengths", chunked.replace("\r\n", "\r\nContent-Length: 9\r\n"), 202, "abcde"],
    ["with a damaged body", chunked.replace("2;x=y", "?"), 202, "abc"],
    ["with control characters", plain.replace("hello", "\0\x1b\n\tA"), 200, "\ufffd\ufffd\n\tA"],
  ])("%s is read, whole and byte by byte.", async (_, text, status, shown) => {
    for (const size of [text.length, 1])
      expect(await post((await answering(text, size)).port)).toEqual({ status, text: shown })
  })

  test("No more than 1 kB of it is read.", async () => {
    const long = "x".repeat(100_000)
    for (const [header, body] of [
      ["Content-Length: 100000000", long],
      ["X: y", long],
      ["Transfer-Encoding: chunked", `ffffff\r\n${long}`],
      ["Transfer-Encoding: chunked", "1\r\nx\r\n".repeat(10_000)],
    ]) {
      const { port } = await answering(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${body}`)
      expect(await post(port)).toEqual({ status: 200, text: "x".repeat(1_024) })
    }
  })

  test("The limit of the head does not count its body.", async () => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nX: ${"y".repeat(16_000)}\r\n\r\n`
    const { port } = await answering(head + "x".repeat(1_000), 100)
    expect(await post(port)).toEqual({ status: 200, text: "x".repeat(1_000) })
  })

  test.each(["SSH-2.0-OpenSSH_9\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\0\0\0\x04"])(
    "%j is not one.",
    async (text) => expect(post((await answering(text)).port)).rejects.toThrow("not HTTP/1.1"),
  )
})

/** Sends something again and again for as long as the connection is open. */
async function pouring(first: string, part: string) {
  let sent = 0
  const closed = Promise.withResolvers<number>()
  const { port } = await listen((socket) => {
    socket.on("close", () => closed.resolve(sent))
    const pour = () => {
      while (!socket.destroyed && sent < 1e9 && socket.write(part)) sent += part.length
    }
    socket.on("drain", pour)
    socket.write(first)
    pour()
  })
  return { port, closed: closed.promise }
}

describe("A receiver that sends without end", () => {
  const head = "HTTP/1.1 200 OK\r\n"
  const chunks = `${head}Transfer-Encoding: chunked\r\n\r\n`

  test.each([
    ["headers", head, "a: b\r\n".repeat(10_000)],
    ["a header", `${head}x: `, "y".repeat(65_536)],
    ["spaces", `${head}x:`, " ".repeat(65_536)],
    ["empty lines", "", "\r\n".repeat(30_000)],
    ["announcements", "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000)],
    ["early hints", "", `HTTP/1.1 103 Early Hints\r\nlink: ${"y".repeat(8_000)}\r\n\r\n`],
  ])("%s is refused.", async (_, first, part) => {
    const { port, closed } = await pouring(first, part)
    await expect(post(port)).rejects.toThrow("The response has too long a head.")
    expect(await closed).toBeLessThan(50_000_000)
  })

  test.each([
    ["a body", `${head}\r\n`, "x".repeat(65_536), "x".repeat(1_024)],
    ["the size of a chunk", chunks, "0".repeat(65_536), ""],
    ["a comment to a chunk", `${chunks}1;`, "y".repeat(65_536), ""],
    ["headers after the body", `${chunks}1\r\nx\r\n0\r\n`, "a: b\r\n".repeat(10_000), "x"],
  ])("%s is closed, and its status counts.", async (_, first, part, text) => {
    const { port, closed } = await pouring(first, part)
    expect(await post(port)).toEqual({ status: 200, text })
    expect(await closed).toBeLessThan(50_000_000)
  })
})
