import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { networkInterfaces } from "node:os"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { openStream } from "../support/events"
import { readExposition, valueOf, type Metric } from "../support/exposition"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { allowLoopback, receiver, stopReceivers } from "../support/receiver"
import { trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let api: Api

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  api = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

const scrape = (url = kontor.url, headers: Record<string, string> = {}) => send(`${url}/metrics`, { headers })
const metricsOf = async (url = kontor.url): Promise<Metric[]> =>
  readExposition((await scrape(url)).text, "prometheus")

describe("the text", () => {
  test("is valid in the format of Prometheus, and in OpenMetrics for those who ask for it", async () => {
    const plain = await scrape()
    expect([plain.status, plain.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ])
    // As Prometheus 3 asks.
    const accept =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.2"
    const open = await scrape(kontor.url, { accept })
    expect(open.headers.get("content-type")).toBe(
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    )
    const names = (metrics: Metric[]) => metrics.map(({ name }) => name.replace(/_total$/, ""))
    const inPlain = names(readExposition(plain.text, "prometheus"))
    expect(names(readExposition(open.text, "openMetrics"))).toEqual(inPlain)
    expect(inPlain.length).toBeGreaterThan(15)
  })

  test("has the version, the processor, the memory and the database", async () => {
    const metrics = await metricsOf()
    const info = metrics.find(({ name }) => name === "kontor_build_info")?.samples[0]
    const { version } = await Bun.file(`${import.meta.dir}/../../package.json`).json()
    expect(info?.labels).toEqual({
      version,
      commit: expect.stringMatching(/^([0-9a-f]{12}(-changed)?|unknown)$/),
      schema: expect.stringMatching(/^\d+$/),
    })
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_start_time_seconds",
      "kontor_database_bytes",
    ])
      expect([name, valueOf(metrics, name) > 0]).toEqual([name, true])
    expect(valueOf(metrics, "kontor_database_up")).toBe(1)
  })
})

describe("requests", () => {
  const counted = async (labels: Record<string, string>) =>
    valueOf(await metricsOf(), "kontor_http_requests_total", labels)

  test("are counted by the pattern of their route, their method and the class of their status", async () => {
    const item = await trade(api).item()
    const route = { method: "GET", route: "/api/v1/items/{id}" }
    const before = {
      ok: await counted({ ...route, status: "2xx" }),
      missing: await counted({ ...route, status: "4xx" }),
    }
    for (let i = 0; i < 3; i++) expect((await api.get(`/items/${item.id}`)).status).toBe(200)
    expect((await api.get("/items/itm_none")).status).toBe(404)
    expect(await counted({ ...route, status: "2xx" })).toBe(before.ok + 3)
    expect(await counted({ ...route, status: "4xx" })).toBe(before.missing + 1)
    const { data } = (await api.get(`/items/by/itemCode/${item.itemCode}`)).body
    expect(data.id).toBe(item.id)
    const metrics = await metricsOf()
    expect(valueOf(metrics, "kontor_http_request_duration_seconds_count", route)).toBe(
      valueOf(metrics, "kontor_http_requests_total", route),
    )
    expect(valueOf(metrics, "kontor_http_requests_total", { method: "POST", status: "2xx" })).toBeGreaterThan(
      0,
    )
  })

  test("of any paths add no series", async () => {
    const seriesOf = (metrics: Metric[]) =>
      metrics
        .filter(({ name }) => name.startsWith("kontor_http_request"))
        .flatMap(({ samples }) => samples.map(({ name, labels }) => JSON.stringify([name, labels])))
    const paths = (mark: string) =>
      ["", "api/v1/", "api/v1/items/", "api/v1/invoices/by/invoiceNumber/", "console/", "oauth/"].map(
        (start) => `/${start}${mark}`,
      )
    const ask = async (mark: string) => {
      for (const path of paths(mark))
        for (const method of ["GET", "DELETE"])
          await send(kontor.url + path, { method, headers: api.credential })
      await send(`${kontor.url}/api/v1/items`, { headers: { host: `${mark}.example` } })
      await send(`${kontor.url}/api/v1/items`, { headers: { authorization: `Bearer ${mark}` } })
      return seriesOf(await metricsOf())
    }
    const first = await ask("first")
    const marks = Array.from({ length: 20 }, (_, i) => `other-${i}`)
    for (const mark of marks) expect(await ask(mark)).toEqual(first)
    expect(first.join("")).not.toMatch(/first|other-/)
    expect(await counted({ route: "none" })).toBeGreaterThan(marks.length)
  })

  test("that are open are in flight, also streams of events", async () => {
    const inFlight = async () => valueOf(await metricsOf(), "kontor_http_requests_in_flight")
    const stream = await openStream(api, kontor.url)
    // The scrape itself is one of them.
    expect(await inFlight()).toBe(2)
    stream.close()
    await until(async () => (await inFlight()) === 1)
  })
})

test("writes are counted with the time that they waited, and that the commit took", async () => {
  const read = async () => {
    const metrics = await metricsOf()
    return [
      "kontor_write_wait_seconds",
      "kontor_transaction_duration_seconds",
      "kontor_commit_duration_seconds",
    ].map((name) => valueOf(metrics, `${name}_count`))
  }
  const [writes = 0, transactions = 0, commits = 0] = await read()
  await Promise.all(Array.from({ length: 10 }, () => trade(api).item()))
  const [writesNow = 0, transactionsNow = 0, commitsNow = 0] = await read()
  expect(writesNow).toBeGreaterThanOrEqual(writes + 10)
  expect(commitsNow).toBeGreaterThan(commits)
  expect(transactionsNow - transactions).toBe(commitsNow - commits)
  await until(async () => valueOf(await metricsOf(), "kontor_write_queue_length") === 0)
})

test("the lag of the event loop is measured while nothing happens", async () => {
  const count = async () => valueOf(await metricsOf(), "kontor_event_loop_lag_seconds_count")
  const before = await count()
  await until(async () => (await count()) > before)
})

test("jobs are counted by their status", async () => {
  const finished = async () => valueOf(await metricsOf(), "kontor_jobs", { status: "finished" })
  const before = await finished()
  const item = await trade(api).item()
  const change = { filter: { itemCode: item.itemCode }, change: { percent: 10 } }
  const { status } = await api.post("/items/reprice", change)
  expect(status).toBe(202)
  await until(async () => (await finished()) === before + 1)
})

test("webhooks are counted by their state, with what they have not accepted", async () => {
  const failing = receiver(() => new Response("no", { status: 500 }))
  const made = (url: string, more = {}) => api.create("/webhooks", { url, types: ["customers.*"], ...more })
  await made(failing.url)
  await made(receiver().url)
  await made(receiver().url, { isActive: false })
  await trade(api).customer()
  const state = async (name: string) => valueOf(await metricsOf(), "kontor_webhooks", { state: name })
  await until(async () => (await state("failing")) === 1)
  expect([await state("active"), await state("disabled"), await state("paused")]).toEqual([1, 1, 0])
  const metrics = await metricsOf()
  expect(valueOf(metrics, "kontor_webhook_deliveries_waiting")).toBe(1)
  expect(valueOf(metrics, "kontor_webhook_attempts_total", { outcome: "failed" })).toBeGreaterThanOrEqual(1)
  await until(
    async () => valueOf(await metricsOf(), "kontor_webhook_attempts_total", { outcome: "succeeded" }) === 1,
  )
  expect(valueOf(metrics, "kontor_webhooks_sending")).toBe(1)
})

describe("without a token", () => {
  test("a credential of the API is neither needed nor enough", async () => {
    expect((await scrape()).status).toBe(200)
    const forwarded = { "x-forwarded-for": "127.0.0.1" }
    expect(refusalOf(await scrape(kontor.url, { ...api.credential, ...forwarded }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    })
  })

  test("what a proxy has forwarded is refused, also with trusted proxies and an address of this machine", async () => {
    const trusting = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
    for (const { url } of [kontor, trusting])
      for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-proto"])
        expect([header, (await scrape(url, { [header]: "127.0.0.1" })).status]).toEqual([header, 403])
    expect((await scrape(trusting.url)).status).toBe(200)
  })

  const [own] = Object.values(networkInterfaces()).flatMap(
    (all) => all?.filter(({ internal, family }) => !internal && family === "IPv4") ?? [],
  )
  test.skipIf(!own)("a connection from another address is refused", async () => {
    const open = await serve({ args: ["--host", "0.0.0.0"] })
    const { port } = new URL(open.url)
    expect((await scrape(`http://127.0.0.1:${port}`)).status).toBe(200)
    expect(refusalOf(await scrape(`http://${own?.address}:${port}`))).toMatchObject({ status: 403 })
    expect((await send(`http://${own?.address}:${port}/health`)).status).toBe(200)
  })
})

describe("with a token", () => {
  const token = "a-token-for-the-scraper-1"
  let guarded: Kontor
  beforeAll(async () => {
    guarded = await serve({ args: ["--metrics-token", token] })
  })

  test("only the token is enough, from any address", async () => {
    const key = await (await signIn(guarded)).create("/api-keys", { name: "Key", scopes: ["read", "admin"] })
    const wrong = [
      {},
      { authorization: `Bearer ${token}x` },
      { authorization: token },
      { "x-api-key": key.key },
    ]
    for (const headers of [...wrong, (await signIn(guarded)).credential]) {
      const refused = await scrape(guarded.url, headers as Record<string, string>)
      expect(refusalOf(refused)).toMatchObject({ status: 401, code: "UNAUTHORIZED" })
      expect(refused.headers.get("www-authenticate")).toStartWith("Bearer")
      expect(refused.text).not.toContain("kontor_")
    }
    const right = { authorization: `Bearer ${token}` }
    expect((await scrape(guarded.url, right)).status).toBe(200)
    expect((await scrape(guarded.url, { ...right, "x-forwarded-for": "203.0.113.9" })).status).toBe(200)
  })

  test("the token opens nothing else, and is in no log", async () => {
    const asToken = apiWith(guarded, { authorization: `Bearer ${token}` })
    expect((await asToken.get("/items")).status).toBe(401)
    expect(guarded.output.stderr + guarded.output.stdout).not.toContain(token)
  })
})

test("metrics are not in the API document", async () => {
  const { body } = await send(`${kontor.url}/openapi.json`)
  expect(Object.keys(body.paths).filter((path) => path.includes("metrics"))).toEqual([])
})
