import { describe, expect, test } from "bun:test"
import type { Client } from "../../core/http/answer/download"
import { Refusal } from "../../core/lib/refusal"
import { receiving, type ExportThread, type FromThread, type ToThread } from "./receiving"
import { sending } from "./sending"

/** A thread that runs in this one. */
function threadHere() {
  const { send, taken } = sending((message: FromThread) =>
    thread.onmessage?.({ data: message } as MessageEvent),
  )
  let isEnded = false
  const thread: ExportThread = {
    onmessage: null,
    onerror: null,
    postMessage(message: ToThread) {
      if ("taken" in message) taken(message.taken)
    },
    terminate() {
      isEnded = true
    },
  }
  return { thread, send, isEnded: () => isEnded }
}

/** A client that may read the file and must not be silent for longer than this, in milliseconds. */
const clientWith = (longestPause: number, assertStillMay = () => {}): Client => ({
  signal: new AbortController().signal,
  assertStillMay,
  pace: { slowest: 1e12, longestPause },
})

async function* pieces(count: number, size: number, made: { count: number }) {
  for (made.count = 0; made.count < count; made.count++) yield "x".repeat(size)
}

describe("an export", () => {
  test("arrives as it was sent, and ends its thread", async () => {
    const { thread, send, isEnded } = threadHere()
    const output = receiving(thread, clientWith(1_000))
    void send(pieces(1_000, 1_001, { count: 0 }))
    const text = await new Response(await output.begin()).text()
    expect(text).toBe("x".repeat(1_001_000))
    expect(await output.ended).toBeNull()
    expect(isEnded()).toBe(true)
  })

  test("is written no faster than it is taken", async () => {
    const { thread, send } = threadHere()
    const made = { count: 0 }
    const output = receiving(thread, clientWith(1_000))
    void send(pieces(1_000, 100_000, made))
    const reader = (await output.begin()).getReader()
    await Bun.sleep(20)
    expect(made.count).toBeLessThan(10)
    for (let chunk = 0; chunk < 5; chunk++) await reader.read()
    await Bun.sleep(20)
    expect(made.count).toBeLessThan(15)
    await reader.cancel()
  })

  test("whose client takes nothing for too long ends with an error", async () => {
    const { thread, send, isEnded } = threadHere()
    const output = receiving(thread, clientWith(30))
    void send(pieces(100, 100_000, { count: 0 }))
    const reader = (await output.begin()).getReader()
    await reader.read()
    expect(await output.ended).toMatchObject({ message: "The client is too slow." })
    expect(isEnded()).toBe(true)
    expect(await reader.read().catch((error: Error) => error.message)).toContain("too slow")
  })

  test("whose client may no longer read it ends before the next part, with an error", async () => {
    const { thread, send, isEnded } = threadHere()
    let mayRead = true
    const assertStillMay = () => {
      if (!mayRead) throw new Refusal("TOKEN_REVOKED", "The session has ended.")
    }
    const output = receiving(thread, clientWith(600_000, assertStillMay))
    void send(pieces(100, 100_000, { count: 0 }))
    const reader = (await output.begin()).getReader()
    await reader.read()
    mayRead = false
    expect(await reader.read().catch((error: Error) => error.message)).toBe("The session has ended.")
    expect(await output.ended).toMatchObject({ code: "TOKEN_REVOKED" })
    expect(isEnded()).toBe(true)
  })

  test("whose client disconnects ends", async () => {
    const { thread, send, isEnded } = threadHere()
    const connection = new AbortController()
    const output = receiving(thread, { ...clientWith(600_000), signal: connection.signal })
    void send(pieces(100, 100_000, { count: 0 }))
    await output.begin()
    connection.abort()
    expect(await output.ended).toMatchObject({ message: "The client has disconnected." })
    expect(isEnded()).toBe(true)
  })

  test("that is never read ends too", async () => {
    const { thread, send, isEnded } = threadHere()
    const output = receiving(thread, clientWith(30))
    void send(pieces(100, 100_000, { count: 0 }))
    await output.begin()
    await output.ended
    expect(isEnded()).toBe(true)
  })

  test("that waits for its thread does not end by itself", async () => {
    const { thread, isEnded } = threadHere()
    const output = receiving(thread, clientWith(10))
    thread.onmessage?.({ data: { chunk: new Uint8Array(1) } } as MessageEvent)
    const reader = (await output.begin()).getReader()
    await reader.read()
    const next = reader.read()
    await Bun.sleep(50)
    expect(isEnded()).toBe(false)
    thread.onmessage?.({ data: { isDone: true } } as MessageEvent)
    expect((await next).done).toBe(true)
  })

  test("whose thread fails before the first byte does not begin", async () => {
    const { thread, isEnded } = threadHere()
    const output = receiving(thread, clientWith(1_000))
    thread.onmessage?.({ data: { error: "no such table" } } as MessageEvent)
    expect(await output.begin().catch((error: Error) => error.message)).toBe("no such table")
    expect(isEnded()).toBe(true)
  })
})
