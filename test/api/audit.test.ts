import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn, type Api } from "../support/api"
import { copyTo } from "../support/copies"
import { isPostgres } from "../support/engine"
import { inFile } from "../support/file"
import { adminPassword, cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { clientOf, connect } from "../support/oauth"

let kontor: Kontor
let admin: Api
type Entry = Record<string, unknown> & { changes: Record<string, { from: unknown; to: unknown }> }

beforeAll(async () => {
  kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
  admin = await signIn(kontor)
})
afterAll(cleanUp)

const entries = async (query: string): Promise<Entry[]> => {
  const answer = await admin.get(`/audit-logs?${query}`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data
}
/** Signs in as a new user, whose name is that of the role. */
async function userOf(role: string): Promise<Api> {
  const email = `${role}.audit@example.com`
  await admin.create("/users", { email, name: role, role, password: adminPassword })
  return signIn(kontor, email)
}
const check = () => run(["check", "--json"], { cwd: kontor.cwd })

test("an update is logged with who, when, from where, and the values before and after", async () => {
  const { id } = await admin.create("/items", { itemCode: "A-1", itemName: "Audited", sellingPrice: 5 })
  await admin.put(
    `/items/${id}`,
    { sellingPrice: 6, category: "Tools" },
    { "x-request-id": "my-request", "user-agent": "Test/1", "x-forwarded-for": "192.0.2.7" },
  )
  await admin.delete(`/items/${id}`)
  const me = (await admin.get("/auth/me")).body.data
  const [deleted, updated, created] = await entries(`recordId=${id}`)
  expect(updated).toEqual({
    id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
    requestId: "my-request",
    actorType: "user",
    actor: me.id,
    actorName: me.name,
    action: "items.update",
    kind: "items",
    recordId: id,
    ip: "192.0.2.7",
    userAgent: "Test/1",
    outcome: "success",
    changes: { sellingPrice: { from: 5, to: 6 }, category: { from: null, to: "Tools" } },
    via: null,
    tool: null,
    client: null,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    createdAt: expect.any(String),
  })
  expect(created).toMatchObject({ action: "items.create", changes: { itemCode: { from: null, to: "A-1" } } })
  expect(deleted).toMatchObject({ action: "items.delete", changes: { itemCode: { from: "A-1", to: null } } })
})

test("a refused request and an update without changes leave no entry", async () => {
  const { id } = await admin.create("/items", { itemCode: "A-2", itemName: "Quiet" })
  await admin.put(`/items/${id}`, { itemName: "" })
  await admin.put(`/items/${id}`, { itemName: "Quiet" })
  await admin.put(`/items/${id}`, { itemName: "Late" }, { "if-match": '"9"' })
  expect((await entries(`recordId=${id}`)).map(({ action }) => action)).toEqual(["items.create"])
})

test("the actions of an API key are found by the key", async () => {
  const { id, key } = await admin.create("/api-keys", { name: "Robot", scopes: ["read", "write"] })
  await apiWith(kontor, { "x-api-key": key }).create("/customers", { name: "By robot" })
  expect(await entries(`actor=${id}`)).toMatchObject([
    { actorType: "apiKey", actor: id, actorName: "Robot", action: "customers.create" },
  ])
})

test("sign-ins, sign-outs, keys, users, settings and refusals are all logged", async () => {
  const made = await admin.create("/users", {
    email: "told@example.com",
    name: "Told",
    role: "viewer",
    password: "a fine password",
  })
  const viewer = await signIn(kontor, "told@example.com", "a fine password")
  expect((await viewer.post("/items", {})).status).toBe(403)
  await viewer.post("/auth/logout")
  await admin.put(`/users/${made.id}`, { role: "sales", password: "another password" })
  const { id } = await admin.create("/api-keys", { name: "Told", scopes: ["read"] })
  await admin.post(`/api-keys/${id}/rotate`)
  await admin.delete(`/api-keys/${id}`)
  await admin.put("/settings", { companyName: "Told" })
  const told = (await entries("perPage=20")).map(({ action, outcome }) => `${action} ${outcome}`)
  for (const wanted of [
    "users.create success",
    "auth.login success",
    "access.refused refused",
    "auth.logout success",
    "users.update success",
    "users.set-password success",
    "api-keys.create success",
    "api-keys.rotate success",
    "api-keys.delete success",
    "settings.update success",
  ])
    expect(told).toContain(wanted)
  const [refused] = await entries("action=access.refused&perPage=1")
  expect(refused).toMatchObject({
    actor: made.id,
    changes: { request: { to: "POST /api/v1/items" }, code: { to: "FORBIDDEN" } },
  })
})

test("the command line is logged as the system", async () => {
  await run(["users", "create", "--email", "cli@example.com", "--role", "viewer"], { cwd: kontor.cwd })
  expect(await entries("action=users.create&perPage=1")).toMatchObject([
    { actorType: "system", actorName: "kontor", ip: null },
  ])
})

test("wrong passwords are summed by address and minute", async () => {
  const attempt = (i: number) =>
    send(`${kontor.url}/api/v1/auth/login`, {
      body: { email: `guess${i}@example.com`, password: "wrong password" },
      headers: { "x-forwarded-for": "192.0.2.66" },
    })
  for (let i = 0; i < 12; i++) await attempt(i)
  expect(await entries("ip=192.0.2.66")).toMatchObject([
    {
      actorType: "anonymous",
      action: "auth.login",
      outcome: "failure",
      changes: { attempts: { from: null, to: 1 } },
    },
  ])
  await kontor.stop()
  kontor = await serve({ cwd: kontor.cwd, args: ["--trusted-proxies", "127.0.0.1"] })
  admin = await signIn(kontor)
  const sums = (await entries("ip=192.0.2.66")).map(({ changes }) => changes.attempts?.to)
  expect(sums).toEqual([11, 1])
})

test("no entry or log line contains a password, hash, token or key", async () => {
  const password = "sesame open please"
  await admin.create("/users", { email: "secret@example.com", name: "S", role: "viewer", password })
  const login = await send(`${kontor.url}/api/v1/auth/login`, {
    body: { email: "secret@example.com", password },
  })
  const { key } = await admin.create("/api-keys", { name: "S", scopes: ["read"] })
  const rows = inFile(kontor, (db) => JSON.stringify(db.query("SELECT * FROM audit_logs").all()))
  for (const secret of [
    password,
    login.body.data.token,
    login.body.data.refreshToken,
    key,
    key.slice(13),
    "argon2",
  ]) {
    expect(rows).not.toContain(secret)
    expect(kontor.output.stderr).not.toContain(secret)
  }
})

describe("GET /{kind}/{id}/history", () => {
  test("returns a record's entries to callers who may read it, without addresses", async () => {
    const { id } = await admin.create("/customers", { name: "Historic" })
    await admin.put(`/customers/${id}`, { name: "Renamed" })
    await admin.create("/users", {
      email: "reader@example.com",
      name: "R",
      role: "viewer",
      password: "a fine password",
    })
    const viewer = await signIn(kontor, "reader@example.com", "a fine password")
    const answer = await viewer.get(`/customers/${id}/history`)
    expect(answer.status).toBe(200)
    expect(answer.body.meta.total).toBe(2)
    expect(answer.body.data.map(({ action }: Entry) => action)).toEqual([
      "customers.update",
      "customers.create",
    ])
    expect(answer.text).not.toMatch(/"ip"|"userAgent"|127\.0\.0\.1/)
    expect(refusalOf(await viewer.get(`/customers/${id}/history?ip=127.0.0.1`))).toMatchObject({
      status: 400,
    })
    expect((await viewer.get("/audit-logs")).status).toBe(403)
  })

  test("stays after the record is deleted, and is 404 if there never was a record", async () => {
    const { id } = await admin.create("/items", { itemCode: "H-1", itemName: "Gone" })
    await admin.delete(`/items/${id}`)
    expect((await admin.get(`/items/${id}/history`)).body.meta.total).toBe(2)
    expect((await admin.get("/items/itm_never/history")).status).toBe(404)
    expect((await admin.get(`/customers/${id}/history`)).status).toBe(404)
  })
})

describe("the log itself", () => {
  test("pages by cursor and filters like any list", async () => {
    const { data, meta } = (await admin.get("/audit-logs?perPage=2&actorType=user")).body
    expect(data).toHaveLength(2)
    const next = await admin.get(`/audit-logs?perPage=2&actorType=user&cursor=${meta.nextCursor}`)
    expect(next.body.data[0].id < data[1].id).toBeTrue()
    expect((await admin.get(`/audit-logs/${data[0].id}`)).body.data).toEqual(data[0])
  })

  test("cannot be updated or deleted, not even in the database", () => {
    for (const sql of [
      "UPDATE audit_logs SET actor = 'x'",
      "DELETE FROM audit_logs",
      `INSERT ${isPostgres ? "" : "OR REPLACE"} INTO audit_logs SELECT * FROM audit_logs WHERE seq = 3`,
    ])
      expect(() => inFile(kontor, (db) => db.run(sql))).toThrow("only grows")
  })

  test("has no route that writes to it", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await admin.call(method, "/audit-logs")).status).toBe(405)
  })

  test("is complete after concurrent writes of two processes", async () => {
    await Promise.all([
      ...Array.from({ length: 30 }, (_, i) =>
        admin.create("/items", { itemCode: `P-${i}`, itemName: "Parallel" }),
      ),
      ...Array.from({ length: 4 }, (_, i) =>
        run(["users", "create", "--email", `p${i}@example.com`, "--role", "viewer"], { cwd: kontor.cwd }),
      ),
    ])
    expect(await check()).toMatchObject({ code: 0 })
  })

  describe("a copy of the file is sound, but", () => {
    let untouched: Pick<Kontor, "cwd" | "file">
    beforeAll(async () => {
      const cwd = emptyFolder()
      untouched = { cwd, file: `${cwd}/kontor.db` }
      await copyTo(untouched.file, kontor)
      const before = await run(["check", "--db", untouched.file, "--json"])
      expect(before.code).toBe(0)
      expect(JSON.parse(before.stdout)).toEqual({
        ok: true,
        faults: [],
        notes: [],
        auditHead: expect.stringMatching(/^[0-9a-f]{64}$/),
        auditLength: expect.any(Number),
      })
    })

    test.each([
      ["a changed row", "UPDATE audit_logs SET actor_name = 'Somebody else' WHERE seq = 3"],
      ["a deleted row", "DELETE FROM audit_logs WHERE seq = 3"],
      [
        "two rows exchanged",
        "UPDATE audit_logs SET seq = -1 WHERE seq = 3; UPDATE audit_logs SET seq = 3 WHERE seq = 4; UPDATE audit_logs SET seq = 4 WHERE seq = -1",
      ],
    ])("%s breaks the chain, and check reports where", async (_, sql) => {
      const copy = `${kontor.cwd}/tampered-${Math.random()}.db`
      await copyTo(copy, untouched)
      inFile({ file: copy }, (db) => {
        db.run(
          isPostgres
            ? "ALTER TABLE audit_logs DISABLE TRIGGER USER"
            : "DROP TRIGGER audit_logs_no_update; DROP TRIGGER audit_logs_no_delete",
        )
        db.run(sql)
      })
      const after = await run(["check", "--db", copy])
      expect(after.code).toBe(1)
      expect(after.stdout).toContain("The audit log was changed: entry 3")
    })
  })
})

test("a user sees that somebody's API key did something, but neither its name nor its ID, and cannot search for them", async () => {
  const { id } = await admin.create("/items", { itemCode: "KEYS", itemName: "Keys" })
  const manager = await userOf("manager")
  const viewer = await userOf("viewer")
  const keyOf = async (owner: Api, name: string) => {
    const made = await owner.create("/api-keys", { name, scopes: ["read", "write"] })
    await apiWith(kontor, { "x-api-key": made.key }).put(`/items/${id}`, { description: name })
    return made.id as string
  }
  const [bank, till] = [await keyOf(admin, "Bank robot"), await keyOf(manager, "Till robot")]
  const gone = await keyOf(manager, "Old robot")
  expect((await manager.delete(`/api-keys/${gone}`)).status).toBe(204)
  const actorsFor = async (as: Api) =>
    (await as.get(`/items/${id}/history?order=asc`)).body.data
      .slice(1)
      .map(({ actor, actorName }: { actor: string; actorName: string }) => [actor, actorName])
  const hidden = (name: string) => [null, name]
  expect(await actorsFor(admin)).toEqual([
    [bank, "Bank robot"],
    [till, "Till robot"],
    [gone, "Old robot"],
  ])
  expect(await actorsFor(manager)).toEqual([
    hidden("an API key of admin"),
    [till, "Till robot"],
    hidden("an API key"),
  ])
  expect(await actorsFor(viewer)).toEqual([
    hidden("an API key of admin"),
    hidden("an API key of manager"),
    hidden("an API key"),
  ])
  for (const query of ["actorName[like]=robot", "sort=actorName", `actor=${bank}`])
    expect((await viewer.get(`/items/${id}/history?${query}`)).status).toBe(400)
  const found = async (as: Api) => (await as.get(`/items/${id}/history?search=robot`)).body.data.length
  expect([await found(viewer), await found(admin)]).toEqual([0, 3])
})

test("a connected app does not see the names of keys and other apps, and cannot search for them", async () => {
  const { id } = await admin.create("/items", { itemCode: "HIDE", itemName: "Hide" })
  const { key } = await admin.create("/api-keys", { name: "Bank robot", scopes: ["read", "write"] })
  await apiWith(kontor, { "x-api-key": key }).put(`/items/${id}`, { sellingPrice: 2 })
  const connected = async (name: string) => {
    const client = await clientOf(admin, { name, scopes: ["read", "write"] })
    const { tokens } = await connect(kontor, client, { scope: "read write" })
    return apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
  }
  const [one, two] = [await connected("App one"), await connected("App two")]
  await two.put(`/items/${id}`, { sellingPrice: 3 })
  await one.put(`/items/${id}`, { sellingPrice: 4 })
  const namesFor = async (as: Api) =>
    (await as.get(`/items/${id}/history?order=asc`)).body.data.map(
      (entry: { actorName: string }) => entry.actorName,
    )
  const [maker, robot, second, first] = await namesFor(admin)
  expect([robot, second, first]).toEqual([
    "Bank robot",
    expect.stringContaining("App two"),
    expect.stringContaining("App one"),
  ])
  expect(await namesFor(one)).toEqual([maker, null, null, first])
  for (const query of ["actorName[like]=robot", "sort=actorName", "actor=x", "fields=actorName"])
    expect((await one.get(`/items/${id}/history?${query}`)).status).toBe(400)
})
