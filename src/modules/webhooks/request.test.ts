import { afterAll, describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import { networks } from "../../http/address"
import { postTo, type Network } from "./request"

const servers: { stop(): void }[] = []
afterAll(() => servers.forEach((server) => server.stop()))

const loopback = networks(["127.0.0.0/8"])
const headers = { "content-type": "application/json" }
const never = new AbortController().signal

/** Sends a POST to a port of this machine. */
const post = (port: number, network: Partial<Network> = {}, path = "/hooks?x=1", signal = never) =>
  postTo(
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

  test("An endless response is closed after 1 kB.", async () => {
    let sent = 0
    const closed = Promise.withResolvers<void>()
    const { port } = await listen((socket) => {
      socket.on("close", () => closed.resolve())
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      const pour = () => {
        while (!socket.destroyed && sent < 1e9 && socket.write("x".repeat(65_536))) sent += 65_536
      }
      socket.on("drain", pour)
      pour()
    })
    expect(await post(port)).toEqual({ status: 200, text: "x".repeat(1_024) })
    await closed.promise
    expect(sent).toBeLessThan(50_000_000)
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
    await expect(post(foreign.port)).rejects.toThrow("The response is not HTTP/1.1.")
    await expect(post(silent.port, {}, "/", stop.signal)).rejects.toThrow("no response")
    const unknown = async () => Promise.reject(new Error("ENOTFOUND"))
    await expect(post(1, { resolve: unknown })).rejects.toThrow(
      "The name shop.example could not be resolved.",
    )
    await Bun.sleep(200)
  })
})
