// The client that `kontor client` prints reads the feed of events, and verifies webhooks.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHmac, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { signIn, type Api } from "../support/api"
import { feedOf, type FeedEvent } from "../support/events"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { lossyProxy } from "../support/lossy"
import { trade, type Trade } from "../support/trade"

const root = join(import.meta.dir, "../..")
let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>
let token: string
let folder: string
// The printed file is loaded when the tests run, so it has no types here.
let printed: any

beforeAll(async () => {
  kontor = await serve()
  await connect()
  token = api.credential.authorization?.slice("Bearer ".length) ?? ""
  mkdirSync(join(root, "dist"), { recursive: true })
  folder = emptyFolder(join(root, "dist"))
  const { stdout } = await run(["client"])
  await Bun.write(join(folder, "kontor.ts"), stdout)
  await Bun.write(join(folder, "kontor.mjs"), new Bun.Transpiler({ loader: "ts" }).transformSync(stdout))
  printed = await import(join(folder, "kontor.ts"))
})
afterAll(cleanUp)

async function connect(): Promise<void> {
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
}

/** A client of the server that runs at the moment of a request. */
const clientWith = (options: object = {}) =>
  printed.createClient({
    url: "http://kontor.example",
    token: () => token,
    fetch: (url: string, init: RequestInit) => fetch(url.replace("http://kontor.example", kontor.url), init),
    ...options,
  })
const idsOf = (events: FeedEvent[]) => events.map(({ id }) => id)
const idsAfter = async (position: string) => idsOf((await feed.readAll(position)).events)

/** Takes this many events of a feed. */
async function take(events: AsyncIterable<FeedEvent>, count: number): Promise<FeedEvent[]> {
  const taken: FeedEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => null,
    (error) => error,
  )

describe("events()", () => {
  test("with follow: false reads all pages and ends, with the position of the end", async () => {
    const start = await feed.latest()
    for (let i = 0; i < 9; i++) await shop.item()
    await shop.customer()
    const events = clientWith().events({ after: start, limit: 4, kinds: ["items"], follow: false })
    expect(events.position).toBe(start)
    const seen = await Array.fromAsync<FeedEvent>(events)
    expect(idsOf(seen)).toEqual(idsOf((await feed.readAll(start, "kinds=items")).events))
    expect(events.position).toBe(await feed.latest())
  })

  test("waits for events, and gives the position of each page that was handled", async () => {
    const events = clientWith().events({ after: "latest", types: ["customers.created"], include: "record" })
    const first = take(events, 1)
    await Bun.sleep(200)
    await shop.item()
    const customer = await shop.customer()
    expect((await first)[0]?.record).toEqual(customer)
    expect(events.position).toBe(await feed.latest())
    const second = take(events, 1)
    const other = await shop.customer()
    expect((await second)[0]?.recordId).toBe(other.id)
  })

  test("inside a page has the position of its beginning", async () => {
    const start = await feed.latest()
    for (let i = 0; i < 3; i++) await shop.item()
    const all = await idsAfter(start)
    const events = clientWith().events({ after: start, follow: false })
    expect(idsOf(await take(events, 2))).toEqual(all.slice(0, 2))
    expect(events.position).toBe(start)
    expect(idsOf(await take(events, 3))).toEqual(all)
    expect(events.position).toBe(await feed.latest())
  })

  test("goes on after the server was stopped and started again, and misses nothing", async () => {
    const start = await feed.latest()
    const seen = take(clientWith({ maxAttempts: 1 }).events({ after: start }), 4)
    await shop.item()
    await Bun.sleep(200)
    await kontor.stop()
    await Bun.sleep(300)
    kontor = await serve({ cwd: kontor.cwd, env: {} })
    await connect()
    for (let i = 0; i < 3; i++) await shop.item()
    expect(idsOf(await seen)).toEqual(await idsAfter(start))
  })

  test("misses nothing and repeats nothing when responses are lost, also that of latest", async () => {
    const proxy = await lossyProxy(kontor.url)
    proxy.next("lost", { status: 503, retryAfter: 0 }, { status: 502 }, "lost")
    const client = printed.createClient({ url: proxy.url, token, maxAttempts: 2 })
    const events = client.events({ after: "latest", limit: 2, wait: 1 })
    const seen = take(events, 5)
    while (proxy.seen.length < 6) await Bun.sleep(20)
    const start = await feed.latest()
    for (let i = 0; i < 5; i++) await shop.item()
    expect(idsOf(await seen)).toEqual(await idsAfter(start))
    proxy.stop()
  })

  test("ends with the error of an old position or a credential, and with the reason of a signal", async () => {
    const old = clientWith().events({ after: "0123456789abcdef-1" })
    expect(await failure(take(old, 1))).toMatchObject({ status: 410, code: "EVENTS_EXPIRED" })
    const wrong = clientWith({ token: "wrong" }).events()
    expect(await failure(take(wrong, 1))).toMatchObject({ status: 401 })
    const signal = AbortSignal.timeout(300)
    const ended = clientWith().events({ after: "latest" }, { signal })
    expect(await failure(take(ended, 1))).toMatchObject({ name: "TimeoutError" })
  })
})

test("the sample of the guide reacts to events and stores its position", async () => {
  const page = readFileSync(join(root, "docs/guide/events.md"), "utf8")
  const [, sample = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? []
  const { key } = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
  const code = sample.replace("http://127.0.0.1:7070", kontor.url).replace("YOUR_KEY", key)
  const start = await feed.latest()
  const script = `${code}\nawait react(${JSON.stringify(start)}, (position) => console.log(position))\n`
  await Bun.write(join(folder, "react.ts"), script)
  const items = [{ description: "Work", quantity: 1, rate: 10 }]
  const sale = { customer: (await shop.customer()).id, items, status: "unpaid" }
  const { invoiceNumber } = await api.create("/invoices", sale)
  const reader = Bun.spawn([process.execPath, join(folder, "react.ts")], {
    stdout: "pipe",
    stderr: "inherit",
  })
  const position = (await feed.readAll(start, "types=invoices.issued")).next
  let said = ""
  for await (const chunk of reader.stdout) {
    said += new TextDecoder().decode(chunk)
    if (said.endsWith(`${position}\n`)) break
  }
  reader.kill()
  expect(said).toBe(`Send ${invoiceNumber}\n${position}\n`)
})

describe("verifyWebhook", () => {
  const key = randomBytes(32)
  const secret = `whsec_${key.toString("base64")}`
  const body = JSON.stringify({ id: "evt_1", type: "items.created", recordId: "itm_ä" })
  const now = () => Math.floor(Date.now() / 1000)
  const sign = (text: string, at: number | string, by: Buffer = key, id = "evt_1") =>
    `v1,${createHmac("sha256", by).update(`${id}.${at}.${text}`).digest("base64")}`
  const headers = (at: number | string = now(), signature = sign(body, at)) => ({
    "webhook-id": "evt_1",
    "webhook-timestamp": String(at),
    "webhook-signature": signature,
  })
  const verify = (given: object, text: string | Uint8Array = body, by = secret) =>
    printed.verifyWebhook(text, given, by)

  test("returns the event of a signed request, by the headers of fetch or of Node.js, and by text or bytes", async () => {
    const event = JSON.parse(body)
    expect(await verify(headers())).toEqual(event)
    expect(await verify(new Headers(headers()))).toEqual(event)
    expect(await verify(headers(), new TextEncoder().encode(body))).toEqual(event)
  })

  test("accepts what the library of Standard Webhooks has signed", async () => {
    const at = now()
    const signature = new Webhook(secret).sign("evt_1", new Date(at * 1000), body)
    expect(await verify(headers(at, signature))).toEqual(JSON.parse(body))
  })

  test("accepts one of several signatures, as there are while a secret is rotated", async () => {
    const at = now()
    const other = sign(body, at, randomBytes(32))
    expect(await verify(headers(at, `${other} v2,abc ${sign(body, at)}`))).toMatchObject({ id: "evt_1" })
    expect(await failure(verify(headers(at, `${other} ${other}`)))).toMatchObject({ name: "WebhookError" })
  })

  test.each([
    ["another body", () => headers(now(), sign(`${body} `, now()))],
    ["another secret", () => headers(now(), sign(body, now(), randomBytes(32)))],
    ["another id", () => headers(now(), sign(body, now(), key, "evt_2"))],
    ["a signature of another time", () => headers(now(), sign(body, now() - 10))],
    ["an old timestamp", () => headers(now() - 301)],
    ["a timestamp of the future", () => headers(now() + 310)],
    ["a timestamp that is not a number", () => headers("soon")],
    ["a signature that is not Base64", () => headers(now(), "v1,%%%")],
    ["an empty signature", () => headers(now(), "v1,")],
    ["an unknown version", () => headers(now(), sign(body, now()).replace("v1", "v1a"))],
    ["no signature", () => ({ ...headers(), "webhook-signature": undefined })],
    ["no id", () => ({ ...headers(), "webhook-id": "" })],
  ])("refuses %s", async (_, given) => {
    expect(await failure(verify(given()))).toMatchObject({ name: "WebhookError" })
  })

  test("Node.js runs both", async () => {
    const script = `import { createClient, verifyWebhook } from "./kontor.mjs"
      const kontor = createClient({ url: ${JSON.stringify(kontor.url)}, token: ${JSON.stringify(token)} })
      let count = 0
      for await (const event of kontor.events({ follow: false })) count++
      const headers = ${JSON.stringify(headers())}
      const event = await verifyWebhook(${JSON.stringify(body)}, headers, ${JSON.stringify(secret)})
      console.log(count, event.id)`
    await Bun.write(join(folder, "node.mjs"), script)
    const { events } = await feed.readAll()
    const node = Bun.spawn(["node", join(folder, "node.mjs")], { stdout: "pipe", stderr: "inherit" })
    expect(await new Response(node.stdout).text()).toBe(`${events.length} evt_1\n`)
  })
})
