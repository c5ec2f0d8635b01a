import { expect, test } from "bun:test"
import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { receive } from "./receive"

/** A request whose body is what a source sends. */
const requestOf = (source: UnderlyingDefaultSource<Uint8Array>, signal?: AbortSignal): Request =>
  new Request("http://localhost/", { method: "POST", body: new ReadableStream(source), signal })

/** Counts the pieces that are stored. */
function store() {
  const stored: number[] = []
  const insert = { run: (_: string, position: number) => void stored.push(position) }
  const db = { query: () => insert } as unknown as Database
  const write = async (work: (tx: Tx) => void) => work({} as Tx)
  return { stored, deps: { db, write } }
}

const line = new TextEncoder().encode("itemCode,itemName\n")

test("an upload that is silent for too long is refused", async () => {
  let isCancelled = false
  const request = requestOf({
    start: (controller) => controller.enqueue(line),
    cancel: () => void (isCancelled = true),
  })
  const { stored, deps } = store()
  await expect(receive(deps, request, "imp_1", { silent: 1, whole: 3_600_000 })).rejects.toThrow("too slowly")
  while (!isCancelled) await Bun.sleep(1)
  expect(stored).toEqual([])
})

test("an upload that sends a little again and again is refused when it has taken too long", async () => {
  let isCancelled = false
  const request = requestOf({
    async pull(controller) {
      await Bun.sleep(1)
      if (!isCancelled) controller.enqueue(line)
    },
    cancel: () => void (isCancelled = true),
  })
  const { deps } = store()
  await expect(receive(deps, request, "imp_1", { silent: 3_600_000, whole: 20 })).rejects.toThrow(
    "too slowly",
  )
})

test("an upload whose client disconnects is refused, even if its body never ends", async () => {
  const client = new AbortController()
  const request = requestOf({ start: (controller) => controller.enqueue(line) }, client.signal)
  const { stored, deps } = store()
  const received = receive(deps, request, "imp_1")
  client.abort()
  await expect(received).rejects.toThrow("incomplete")
  expect(stored).toEqual([])
})

test("a body is stored in pieces of the same size, whatever the sizes in which it arrives", async () => {
  const chunks = [1, 300_000, 5, 700_000, 262_144].map((size) => new Uint8Array(size).fill(97))
  const request = requestOf({
    pull(controller) {
      const next = chunks.shift()
      if (next) controller.enqueue(next)
      else controller.close()
    },
  })
  const { stored, deps } = store()
  const sha256 = await receive(deps, request, "imp_1")
  expect(stored).toEqual([0, 1, 2, 3, 4])
  expect(sha256).toBe(new Bun.CryptoHasher("sha256").update("a".repeat(1_262_150)).digest("hex"))
})
