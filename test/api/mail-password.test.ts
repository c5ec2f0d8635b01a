import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { codesOf } from "../support/authenticator"
import { type Api, refusalOf, send, signIn } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, type Kontor, serve } from "../support/kontor"
import { setMail } from "../support/mail"
import { type MailServer, mailServer, readMail, stopMailServers } from "../support/mail-server"
import { isPostgres } from "../support/engine"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let server: MailServer
const publicUrl = "https://shop.example"

beforeAll(async () => {
  kontor = await serve({ args: ["--public-url", publicUrl] })
  admin = await signIn(kontor)
  server = await mailServer()
})
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const forgot = (email: string, headers = {}) =>
  send(`${kontor.url}/api/v1/auth/forgot`, { body: { email }, headers })
const reset = (token: string, newPassword: string) =>
  send(`${kontor.url}/api/v1/auth/reset`, { body: { token, newPassword } })

/** Waits for the next message, and returns the link in it. */
async function nextLink(before: number): Promise<{ link: string; token: string; to: string[] }> {
  await until(() => server.taken.length > before)
  const taken = server.taken[before]
  const mail = await readMail(taken as never)
  const link = /https?:\S+/.exec(mail.text ?? "")?.[0] ?? ""
  return { link, token: link.split("#token=")[1] ?? "", to: taken?.to ?? [] }
}

test("without a mail server, a password cannot be reset by mail", async () => {
  expect(refusalOf(await forgot(adminEmail)).code).toBe("MAIL_NOT_SET_UP")
})

describe("a forgotten password", () => {
  beforeAll(() => setMail(admin, server.port))

  test("is replaced with a link that works once, and all sessions end", async () => {
    const user = await admin.create("/users", {
      email: "sales@shop.example",
      name: "Sal",
      role: "sales",
      password: "the first password",
    })
    const session = await signIn(kontor, user.email, "the first password")
    const before = server.taken.length
    const answer = await forgot("Sales@shop.example", { "x-forwarded-host": "evil.example" })
    expect([answer.status, answer.body.data]).toEqual([202, {}])
    const { link, token, to } = await nextLink(before)
    expect(to).toEqual(["sales@shop.example"])
    expect(link).toStartWith(`${publicUrl}/console/reset#token=`)
    expect(refusalOf(await reset(token, "short")).fields).toEqual(["newPassword"])
    expect((await reset(token, "the second password")).status).toBe(204)
    expect((await session.get("/auth/me")).status).toBe(401)
    expect(refusalOf(await reset(token, "the third password"))).toMatchObject({
      status: 401,
      code: "INVALID_TOKEN",
    })
    await signIn(kontor, user.email, "the second password")
    const { data } = (await admin.get(`/messages?record=${user.id}`)).body
    expect(data).toMatchObject([{ kind: "users", status: "sent", to: ["sales@shop.example"] }])
    // The stored text has no secret.
    expect(data[0].message).toContain("{link}")
    expect(JSON.stringify(data)).not.toContain(token)
    const own = await signIn(kontor, user.email, "the second password")
    expect((await own.get(`/messages/${data[0].id}`)).status).toBe(404)
    expect((await own.get("/messages")).body.data).toEqual([])
    const history = (await admin.get(`/users/${user.id}/history`)).body.data.map((each: any) => each.action)
    expect(history).toContain("users.reset-password")
  })

  test("has one link that works: the last one, for a while", async () => {
    await admin.create("/users", {
      email: "viewer@shop.example",
      name: "Vi",
      role: "viewer",
      password: "the first password",
    })
    const before = server.taken.length
    await forgot("viewer@shop.example")
    const first = await nextLink(before)
    await forgot("viewer@shop.example")
    const second = await nextLink(before + 1)
    expect((await reset(first.token, "the second password")).status).toBe(401)
    if (!isPostgres) {
      inFile(kontor, (db) => db.run("UPDATE password_resets SET expires_at = '2020-01-01T00:00:00.000Z'"))
      expect((await reset(second.token, "the second password")).status).toBe(401)
    }
    await signIn(kontor, "viewer@shop.example", "the first password")
  })

  test("is not replaced without the second factor, whose codes nobody can try one by one", async () => {
    const password = "the first password"
    const email = "factor@shop.example"
    await admin.create("/users", { email, name: "Fac", role: "sales", password })
    const session = await signIn(kontor, email, password)
    const begun = await session.post("/auth/factors", { type: "totp", name: "P", currentPassword: password })
    const { id, secret } = begun.body.data
    const next = codesOf(secret)
    await session.post(`/auth/factors/${id}/confirm`, { code: next() })
    const before = server.taken.length
    await forgot(email)
    const { token } = await nextLink(before)
    const to = (code?: string) =>
      send(`${kontor.url}/api/v1/auth/reset`, { body: { token, newPassword: "a newer password", code } })
    expect(refusalOf(await to())).toMatchObject({ status: 401, code: "SECOND_FACTOR_REQUIRED" })
    for (let i = 0; i < 5; i++) expect(refusalOf(await to(String(100_000 + i))).fields).toEqual(["code"])
    expect((await to(next())).status).toBe(429)
    inFile(kontor, (db) => db.run("DELETE FROM sign_in_tries"))
    expect((await session.get("/auth/me")).status).toBe(200)
  })

  test("tells nothing about who is a user, and sends little", async () => {
    const before = server.taken.length
    await admin.create("/users", {
      email: "gone@shop.example",
      name: "Gone",
      role: "viewer",
      password: "the first password",
      isActive: false,
    })
    const answers = [await forgot("nobody@shop.example"), await forgot("gone@shop.example")]
    for (let i = 0; i < 6; i++) answers.push(await forgot(adminEmail))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(8).fill([202, answers[0]?.text]))
    const waiting = async () => (await admin.get("/messages?status[in]=queued,sending")).body.data.length
    await until(async () => server.taken.length >= before + 3 && (await waiting()) === 0)
    expect(server.taken.slice(before).map(({ to }) => to)).toEqual(Array(3).fill([adminEmail]))
    await signIn(kontor, adminEmail, adminPassword)
    expect(refusalOf(await forgot("no address")).fields).toEqual(["email"])
  })
})
