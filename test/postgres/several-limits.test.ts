import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, logInFrom, refusalOf, type Answer } from "../support/api"
import { adminEmail, adminPassword, cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"
import { until } from "../support/until"

describe.skipIf(!isPostgresInstalled())("servers that share a database count together", () => {
  let shop: Several
  let [one, two]: Member[] = []

  beforeAll(async () => {
    // A person has the plan of the settings, a key has its own.
    shop = await several(2, [
      "--plans",
      "free=1000:60,anonymous=1000:unlimited",
      "--trusted-proxies",
      "127.0.0.1",
    ])
    ;[one, two] = shop.members
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  test("the requests of a day", async () => {
    const { key } = await one!.api.create("/api-keys", { name: "Shared", scopes: ["read"], plan: "free" })
    const [onOne, onTwo] = [one, two].map((each) => apiWith(each!, { "x-api-key": key }))
    const leftOf = (answer: Answer) => Number(answer.headers.get("x-ratelimit-remaining"))
    for (let i = 0; i < 20; i++) await onOne!.get("/items")
    for (let i = 0; i < 20; i++) expect((await onTwo!.get("/items")).status).toBe(200)
    // Each server stores what it has counted every five seconds, and learns the sum.
    const stored = "SELECT count FROM rate_days WHERE subject LIKE '%key%'"
    await until(() => shop.inDatabase((db) => db.query<{ count: number }, []>(stored).get()?.count === 40))
    await until(async () => leftOf(await onOne!.get("/items")) < 21)
    await until(async () => leftOf(await onTwo!.get("/items")) < 21)
    await until(async () => (await onOne!.get("/items")).status === 429)
    await until(async () => (await onTwo!.get("/items")).status === 429)
  })

  const signIn = (member: Member, password: string, from: string): Promise<Answer> =>
    logInFrom(member, adminEmail, password, from)

  test("wrong passwords, also at the same time", async () => {
    const tried = await Promise.all(
      Array.from({ length: 12 }, (_, i) => signIn([one, two][i % 2]!, "wrong", "192.0.2.1")),
    )
    expect(tried.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 401),
      ...Array.from({ length: 7 }, () => 429),
    ])
    for (const member of [one, two])
      expect(refusalOf(await signIn(member!, adminPassword, "192.0.2.1")).code).toBe("RATE_LIMIT_EXCEEDED")
    expect((await signIn(one!, adminPassword, "192.0.2.2")).status).toBe(200)
  })

  test("a right password deletes the failures for all of them", async () => {
    for (let i = 0; i < 4; i++) await signIn(one!, "wrong", "192.0.2.3")
    expect((await signIn(two!, adminPassword, "192.0.2.3")).status).toBe(200)
    for (let i = 0; i < 4; i++) expect((await signIn(one!, "wrong", "192.0.2.3")).status).toBe(401)
    expect((await signIn(two!, adminPassword, "192.0.2.3")).status).toBe(200)
  })

  test("counters that no longer count are deleted when a leader starts", async () => {
    const insert = "INSERT INTO sign_in_tries (scope, key, failures, waits, blocked_until, last_at)"
    shop.inDatabase((db) => db.run(`${insert} VALUES ('wide', 'old', 60, 9, 0, ${Date.now() - 16 * 60_000})`))
    await Promise.all([one!.stop(), two!.stop()])
    await shop.start()
    await until(() =>
      shop.inDatabase((db) => db.query("SELECT 1 FROM sign_in_tries WHERE key = 'old'").get() === null),
    )
  })
})
