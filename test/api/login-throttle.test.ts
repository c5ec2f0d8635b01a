import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, send, signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
})
afterAll(cleanUp)

const login = (email: string, password: string, address: string) =>
  send(`${kontor.url}/api/v1/auth/login`, {
    body: { email, password },
    headers: { "x-forwarded-for": address },
  })
const fail = async (times: number, email: string, address: string) => {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await login(email, "wrong password", address)).status)
  return seen
}

describe("after five wrong passwords for one mail from one address", () => {
  test("further tries are 429 with a wait that grows, even with the right password", async () => {
    expect(await fail(5, adminEmail, "192.0.2.1")).toEqual([401, 401, 401, 401, 401])
    const waits: number[] = []
    for (const password of ["wrong password", adminPassword, "wrong password"]) {
      const refused = await login(adminEmail, password, "192.0.2.1")
      expect(refusalOf(refused)).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" })
      waits.push(Number(refused.headers.get("retry-after")))
    }
    expect(waits[0]).toBeGreaterThan(0)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(new Set(waits).size).toBe(3)
  })

  test("the same person from another address, and another person from that address, are let in", async () => {
    expect((await login(adminEmail, adminPassword, "192.0.2.2")).status).toBe(200)
    expect(await fail(1, "someone@example.com", "192.0.2.1")).toEqual([401])
  })

  test("an unknown mail is slowed down just the same", async () => {
    expect(await fail(6, "nobody@example.com", "192.0.2.3")).toEqual([401, 401, 401, 401, 401, 429])
  })

  test("another spelling of the mail is the same mail", async () => {
    await fail(5, adminEmail, "192.0.2.4")
    expect((await login(` ${adminEmail.toUpperCase()}`, "wrong password", "192.0.2.4")).status).toBe(429)
  })
})

test("many tries at once are no way around it, nor are the addresses of one IPv6 network", async () => {
  const burst = await Promise.all(
    Array.from({ length: 20 }, () => login("burst@example.com", "wrong password", "192.0.2.20")),
  )
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(burst.filter(({ status }) => status === 429)).toHaveLength(15)
  const seen: number[] = []
  for (let i = 1; i <= 7; i++)
    seen.push((await login("six@example.com", "wrong password", `2001:db8:9:9::${i}`)).status)
  expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429])
})

test("a mail or password of a megabyte is simply wrong", async () => {
  expect((await login("m".repeat(400_000), "wrong password", "192.0.2.21")).status).toBe(401)
  expect((await login(adminEmail, "p".repeat(400_000), "192.0.2.22")).status).toBe(401)
})

test("a success forgets the failures of its pair", async () => {
  await fail(4, adminEmail, "192.0.2.5")
  expect((await login(adminEmail, adminPassword, "192.0.2.5")).status).toBe(200)
  expect(await fail(5, adminEmail, "192.0.2.5")).toEqual([401, 401, 401, 401, 401])
})

test("after thirty wrong passwords from one address, whoever is tried next is refused", async () => {
  for (let i = 0; i < 30; i++) await login(`guess${i}@example.com`, "wrong password", "192.0.2.6")
  expect((await login(adminEmail, adminPassword, "192.0.2.6")).status).toBe(429)
})

test("known and unknown mails get one answer also while many sign in at once", async () => {
  const flood = Array.from({ length: 120 }, (_, i) =>
    login(`flood${i}@example.com`, "wrong password", `198.51.100.${i}`),
  )
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status))
  for (const status of statuses) expect([401, 503]).toContain(status)
  const known = await login(adminEmail, "wrong password", "203.0.113.1")
  const unknown = await login("nobody@example.com", "wrong password", "203.0.113.2")
  expect([known.status, unknown.text]).toEqual([401, known.text])
})

test("a wrong present password in a change counts as a wrong password", async () => {
  const api = await signIn(kontor)
  const change = () =>
    api.put(
      "/auth/password",
      { currentPassword: "wrong password", newPassword: "long enough to do" },
      { "x-forwarded-for": "192.0.2.9" },
    )
  for (let i = 0; i < 5; i++) expect((await change()).status).toBe(422)
  expect((await change()).status).toBe(429)
})
