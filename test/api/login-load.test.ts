// Passwords take long to check. Neither many nor long ones keep others from signing in, or tell which emails exist.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { logInFrom, refusalOf, signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
})
afterAll(cleanUp)

const login = (email: string, password: string, address: string) =>
  logInFrom(kontor, email, password, address)

test("an email or password of 400,000 characters gets the same 401 as any wrong one", async () => {
  expect((await login("m".repeat(400_000), "wrong password", "192.0.2.21")).status).toBe(401)
  expect((await login(adminEmail, "p".repeat(400_000), "192.0.2.22")).status).toBe(401)
})

test("known and unknown emails get the same response, even when many sign in at the same time", async () => {
  const flood = Array.from({ length: 120 }, (_, i) =>
    login(`flood${i}@example.com`, "wrong password", `198.51.100.${i}`),
  )
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status))
  for (const status of statuses) expect([401, 503]).toContain(status)
  const known = await login(adminEmail, "wrong password", "203.0.113.1")
  const unknown = await login("nobody@example.com", "wrong password", "203.0.113.2")
  expect([known.status, unknown.text]).toEqual([401, known.text])
})

describe("PUT /auth/password", () => {
  test("many concurrent changes of one user leave capacity for other users to sign in", async () => {
    const api = await signIn(kontor)
    const email = "busy@example.com"
    await api.create("/users", { email, name: "Busy", role: "viewer", password: adminPassword })
    const busy = await signIn(kontor, email)
    const flood = Array.from({ length: 56 }, (_, i) =>
      busy.put(
        "/auth/password",
        { currentPassword: adminPassword, newPassword: `long enough to do ${i}` },
        { "x-forwarded-for": `10.3.0.${i}` },
      ),
    )
    await Bun.sleep(20)
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, i) => login(adminEmail, adminPassword, `10.4.0.${i}`)),
    )
    expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const changed = (await Promise.all(flood)).map(({ status }) => status)
    expect(changed.filter((status) => status === 200)).toHaveLength(1)
    for (const status of changed) expect([200, 401, 422, 429, 503]).toContain(status)
  })

  test("checks the current password before it hashes the new one", async () => {
    const api = await signIn(kontor)
    const faulty = await api.put(
      "/auth/password",
      { currentPassword: "wrong password", newPassword: "short" },
      { "x-forwarded-for": "10.5.0.1" },
    )
    expect(refusalOf(faulty)).toMatchObject({ status: 422, fields: ["newPassword"] })
  })
})
