import { afterAll, beforeAll, expect, test } from "bun:test"
import { failuresIn, isCutOff, memoryOf, overload, type Outcome } from "../../scripts/faults/overload-run"
import { send, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let admin: Api
let outcome: Outcome
let slow: Promise<boolean[]>
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, each) => total + each, 0)

// One load for all tests: 500 idle sockets, 100 slow ones, 2,000 concurrent requests, 200 guessed passwords.
// `bun scripts/faults/overload.ts` runs five, and measures memory after an idle minute.
beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
  admin = await signIn(kontor)
  const head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  slow = Promise.all([
    isCutOff(kontor.url, "", ""),
    isCutOff(kontor.url, `${head}X-Slow: `, "x"),
    isCutOff(kontor.url, `${head}Content-Length: 1000\r\n\r\n{`, " "),
  ])
  outcome = await overload({
    url: kontor.url,
    headers: admin.credential,
    idle: 500,
    slow: 100,
    requests: 2_000,
    logins: 200,
  })
})
afterAll(cleanUp)

test("all of 2,000 concurrent requests get a response, with no error except 503", () => {
  expect(failuresIn(outcome)).toEqual([])
  expect(sum(outcome.answers)).toBe(2_000)
})

test("a client with normal use is served during the load", () => {
  expect(Object.keys(outcome.healthy).toSorted()).toEqual(["200", "201"])
  expect(sum(outcome.healthy)).toBeGreaterThan(5)
})

test("guessed passwords get 401, or 503 when too many wait, and the server keeps running", async () => {
  expect(sum(outcome.logins)).toBe(200)
  for (const status of Object.keys(outcome.logins)) expect(["401", "429", "503"]).toContain(status)
  expect((await send(`${kontor.url}/health`)).status).toBe(200)
})

test.skipIf(process.platform !== "linux")("its memory is bounded", () => {
  expect(memoryOf(kontor.process.pid).peak).toBeLessThan(400)
})

test("all writes acknowledged during the load are stored", async () => {
  const made = (outcome.answers["201"] ?? 0) + (outcome.healthy["201"] ?? 0)
  expect((await admin.get("/customers?perPage=1")).body.meta.total).toBe(made)
  expect(kontor.output.stderr).not.toContain('"level":"error"')
})

test("silent connections, and those with one character per second, are closed", async () => {
  expect(await slow).toEqual([true, true, true])
})
