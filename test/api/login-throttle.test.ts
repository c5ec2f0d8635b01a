import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cheapHash } from "../support/admin"
import { logInFrom, refusalOf, signIn } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { withUsualPasswords } from "../support/passwords"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
})
afterAll(cleanUp)

const login = (email: string, password: string, address: string) =>
  logInFrom(kontor, email, password, address)
const fail = async (times: number, email: string, address: string) => {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await login(email, "wrong password", address)).status)
  return seen
}

/** Creates a user whose password takes little time to check. What counts here is only how often it was wrong. */
const createUser = async (email: string): Promise<void> => {
  const api = await signIn(kontor)
  const { id } = await api.create("/users", { email, name: "Owner", role: "viewer", password: adminPassword })
  inFile(kontor, (db) => db.query(`UPDATE passwords SET hash = ? WHERE "user" = ?`).run(cheapHash(), id))
}

describe("after five wrong passwords for one email from one address", () => {
  test("further attempts are 429 with a growing wait, even with the right password", async () => {
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

  test("the same user from another address, and another user from that address, can sign in", async () => {
    expect((await login(adminEmail, adminPassword, "192.0.2.2")).status).toBe(200)
    expect(await fail(1, "someone@example.com", "192.0.2.1")).toEqual([401])
  })

  test("an unknown email is slowed down in the same way", async () => {
    expect(await fail(6, "nobody@example.com", "192.0.2.3")).toEqual([401, 401, 401, 401, 401, 429])
  })

  test("another spelling of the email counts as the same email", async () => {
    await fail(5, adminEmail, "192.0.2.4")
    expect((await login(` ${adminEmail.toUpperCase()}`, "wrong password", "192.0.2.4")).status).toBe(429)
  })
})

test(
  "neither concurrent attempts nor many addresses of one IPv6 network bypass it",
  withUsualPasswords(async () => {
    const burst = await Promise.all(
      Array.from({ length: 20 }, () => login("burst@example.com", "wrong password", "192.0.2.20")),
    )
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(15)
    const seen: number[] = []
    for (let i = 1; i <= 7; i++)
      seen.push((await login("six@example.com", "wrong password", `2001:db8:9:9::${i}`)).status)
    expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429])
  }),
)

test("a success deletes the failures of its pair", async () => {
  await fail(4, adminEmail, "192.0.2.5")
  expect((await login(adminEmail, adminPassword, "192.0.2.5")).status).toBe(200)
  expect(await fail(5, adminEmail, "192.0.2.5")).toEqual([401, 401, 401, 401, 401])
})

test("after thirty wrong passwords from one address, every further attempt is refused", async () => {
  for (let i = 0; i < 30; i++) await login(`guess${i}@example.com`, "wrong password", "192.0.2.6")
  expect((await login(adminEmail, adminPassword, "192.0.2.6")).status).toBe(429)
})

test("a wrong current password in a password change counts as a wrong password", async () => {
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

describe("attempts from many networks for one email", () => {
  const login48 = (email: string, i: number, password = "wrong password") =>
    login(email, password, `2001:db8:48:${i.toString(16)}::1`)

  test("are slowed down together, for known and unknown emails", async () => {
    await createUser("owner@example.com")
    for (const email of ["owner@example.com", "ghost@example.com"]) {
      const seen: number[] = []
      for (let i = 0; i < 34; i++) seen.push((await login(email, "wrong password", `10.1.${i}.1`)).status)
      expect(seen.slice(0, 30)).toEqual(Array(30).fill(401))
      expect(seen.slice(30)).toEqual(Array(4).fill(429))
    }
  })

  test("are slowed down by their site, an IPv6 /48, for any emails", async () => {
    const seen: number[] = []
    for (let i = 0; i < 64; i++) seen.push((await login48(`site${i}@example.com`, i)).status)
    expect(seen.slice(0, 60)).toEqual(Array(60).fill(401))
    expect(seen.slice(60)).toEqual(Array(4).fill(429))
    expect((await login("other@example.com", "wrong password", "2001:db8:49::1")).status).toBe(401)
  })

  test("do not lock out the owner on a network where the owner has signed in before", async () => {
    const email = "owner48@example.com"
    await createUser(email)
    const home = "2001:db8:50:1::7"
    expect((await login(email, adminPassword, home)).status).toBe(200)
    for (let i = 0; i < 40; i++) await login(email, "wrong password", `2001:db8:51:${i.toString(16)}::1`)
    expect((await login(email, adminPassword, "198.51.100.77")).status).toBe(429)
    expect((await login(email, adminPassword, "2001:db8:50:1::9")).status).toBe(200)
    expect(await fail(6, email, home)).toEqual([401, 401, 401, 401, 401, 429])
  })

  test("count on a network where the owner signed in more than ninety days ago", async () => {
    const email = "away@example.com"
    await createUser(email)
    expect((await login(email, adminPassword, "192.0.2.90")).status).toBe(200)
    inFile(kontor, (db) =>
      db
        .query("UPDATE sign_in_places SET last_at = ? WHERE network = '192.0.2.90'")
        .run(new Date(Date.now() - 91 * 86_400_000).toISOString()),
    )
    for (let i = 0; i < 31; i++) await login(email, "wrong password", `10.2.${i}.1`)
    expect((await login(email, adminPassword, "192.0.2.90")).status).toBe(429)
  })
})
