import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
let n = 0
const draft = () => ({ itemCode: `I-${++n}`, itemName: "Idempotent" })
const under = (key: string) => ({ "idempotency-key": key })

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

test("the same request with the same key gets the same response, and has no second effect", async () => {
  const body = draft()
  const first = await api.post("/items", body, under("a"))
  const again = await api.post("/items", body, under("a"))
  expect(first.headers.get("idempotent-replayed")).toBeNull()
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers.get("idempotent-replayed")).toBe("true")
  expect(again.headers.get("location")).toBe(first.headers.get("location"))
  expect(again.headers.get("etag")).toBe(first.headers.get("etag"))
  expect((await api.get(`/items?itemCode=${body.itemCode}`)).body.meta.total).toBe(1)
})

test("the replay is the original response, even if the record was updated since", async () => {
  const body = draft()
  const first = await api.post("/items", body, under("then"))
  await api.put(`/items/${first.body.data.id}`, { itemName: "Changed" })
  expect((await api.post("/items", body, under("then"))).text).toBe(first.text)
})

test("fifty concurrent requests create one record and get fifty equal responses", async () => {
  const body = draft()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.post("/items", body, under("parallel"))),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.every(({ status }) => status === 201)).toBeTrue()
  expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(49)
})

describe("another request with a used key is refused", () => {
  test.each([
    ["another body", "/items", { itemCode: "OTHER", itemName: "Other" }],
    ["another path", "/customers", { itemCode: "BASE", itemName: "Base" }],
  ])("%s", async (_, path, body) => {
    await api.post("/items", { itemCode: "BASE", itemName: "Base" }, under("base"))
    expect(refusalOf(await api.post(path, body, under("base")))).toEqual({
      status: 422,
      code: "IDEMPOTENCY_KEY_REUSED",
      fields: ["Idempotency-Key"],
    })
  })
})

test("only successes are stored: after a refusal the key can be used again", async () => {
  expect((await api.post("/items", {}, under("retry"))).status).toBe(422)
  expect((await api.post("/items", draft(), under("retry"))).status).toBe(201)
})

test("keys belong to a caller: the same key of another caller is independent", async () => {
  const { key } = await api.create("/api-keys", { name: "I", scopes: ["read", "write"] })
  const first = await api.post("/items", draft(), under("shared"))
  const other = await apiWith(kontor, { "x-api-key": key }).post("/items", draft(), under("shared"))
  expect(other.status).toBe(201)
  expect(other.body.data.id).not.toBe(first.body.data.id)
})

test.each([
  ["empty", ""],
  ["over 255 characters", "x".repeat(256)],
  ["with a control character", "a\tb"],
  ["not ASCII", "é"],
])("a key that is %s is 400", async (_, key) => {
  expect(refusalOf(await api.post("/items", draft(), under(key)))).toEqual({
    status: 400,
    code: "INVALID_IDEMPOTENCY_KEY",
    fields: ["Idempotency-Key"],
  })
})

test("a key may have 255 characters", async () => {
  expect((await api.post("/items", draft(), under("y".repeat(255)))).status).toBe(201)
})

test("a response with a secret is replayed without it, and the database never contains it", async () => {
  const body = { name: "Secret", scopes: ["read"] }
  const first = await api.post("/api-keys", body, under("secret"))
  const again = await api.post("/api-keys", body, under("secret"))
  expect(first.body.data.key).toStartWith("kon_")
  expect([again.status, again.body.data.key, again.body.data.id]).toEqual([
    201,
    undefined,
    first.body.data.id,
  ])
  const kept = inFile(kontor, (db) => JSON.stringify(db.query("SELECT * FROM idempotency_keys").all()))
  expect(kept).not.toContain(first.body.data.key)
})

test("a rotation runs once per key", async () => {
  const { id, key } = await api.create("/api-keys", { name: "R", scopes: ["read"] })
  const first = await api.post(`/api-keys/${id}/rotate`, undefined, under("rotate"))
  const again = await api.post(`/api-keys/${id}/rotate`, undefined, under("rotate"))
  expect(first.body.data.key).not.toBe(key)
  expect([again.status, again.body.data.key]).toEqual([200, undefined])
  expect((await apiWith(kontor, { "x-api-key": first.body.data.key }).get("/items")).status).toBe(200)
})

test("a different password is a different request, and the first leaves no plain digest", async () => {
  const person = { email: "idem@example.com", name: "Idem", role: "sales" }
  const made = await api.post("/users", { ...person, password: "one fine password" }, under("user"))
  const again = await api.post("/users", { ...person, password: "another password" }, under("user"))
  expect([made.status, again.body.error.code]).toEqual([201, "IDEMPOTENCY_KEY_REUSED"])
  const kept = inFile(kontor, (db) =>
    db
      .query<{ fingerprint: string }, []>("SELECT fingerprint FROM idempotency_keys WHERE key = 'user'")
      .get(),
  )
  const plain = JSON.stringify(["POST", "/api/v1/users", "", { ...person, password: "one fine password" }])
  for (const encoding of ["hex", "base64url"] as const)
    expect(kept?.fingerprint).not.toBe(new Bun.CryptoHasher("sha256").update(plain).digest(encoding))
})

test("after a day the key can be used again", async () => {
  const body = draft()
  await api.post("/items", body, under("day"))
  inFile(kontor, (db) =>
    db.run("UPDATE idempotency_keys SET created_at = '2020-01-01T00:00:00.000Z' WHERE key = 'day'"),
  )
  expect(refusalOf(await api.post("/items", body, under("day")))).toMatchObject({
    status: 422,
    fields: ["itemCode"],
  })
  const fresh = await api.post("/items", draft(), under("day"))
  expect([fresh.status, fresh.headers.get("idempotent-replayed")]).toEqual([201, null])
})

test("the key is ignored on sign-in, and on methods other than POST", async () => {
  const login = () =>
    send(`${kontor.url}/api/v1/auth/login`, {
      body: { email: adminEmail, password: adminPassword },
      headers: under("login"),
    })
  const [first, second] = [await login(), await login()]
  expect(second.body.data.refreshToken).not.toBe(first.body.data.refreshToken)
  const { id } = await api.create("/items", draft())
  expect((await api.put(`/items/${id}`, { itemName: "A" }, under(""))).status).toBe(200)
})

test("after a kill, the response is stored if its effect is", async () => {
  const body = draft()
  const first = await api.post("/items", body, under("kill"))
  await kontor.stop("SIGKILL")
  kontor = await serve({ cwd: kontor.cwd })
  const again = await apiWith(kontor, api.credential).post("/items", body, under("kill"))
  expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"])
})
