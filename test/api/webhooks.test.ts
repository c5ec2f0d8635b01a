import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let admin: Api

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
})
afterAll(cleanUp)

const draft = (more: object = {}) => ({ url: "https://8.8.8.8/hooks", types: ["invoices.*"], ...more })
const made = (more: object = {}) => admin.create("/webhooks", draft(more))

describe("POST /webhooks", () => {
  test("returns 201 with the webhook, its defaults, and its secret once", async () => {
    const answer = await admin.post("/webhooks", draft({ description: "Web shop" }))
    const { secret, ...webhook } = answer.body.data
    expect(answer.status).toBe(201)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect({ ...webhook }).toMatchObject({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      url: "https://8.8.8.8/hooks",
      description: "Web shop",
      types: ["invoices.*"],
      payload: "thin",
      isActive: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastSuccessAt: null,
      createdBy: expect.stringMatching(/^usr_/),
      owner: webhook.createdBy,
      pausedReason: null,
      version: 1,
    })
    expect(answer.headers.get("location")).toBe(`/api/v1/webhooks/${webhook.id}`)
    for (const path of [
      `/webhooks/${webhook.id}`,
      "/webhooks",
      `/webhooks/${webhook.id}/history`,
      "/audit-logs",
    ])
      expect((await admin.get(path)).text).not.toContain(secret)
    expect((await admin.get(`/webhooks/${webhook.id}`)).body.data).toEqual(webhook)
  })

  test("repeated with its Idempotency-Key, it returns the same webhook without the secret", async () => {
    const key = { "idempotency-key": crypto.randomUUID() }
    const first = await admin.post("/webhooks", draft(), key)
    const again = await admin.post("/webhooks", draft(), key)
    const { secret, ...webhook } = first.body.data
    expect(secret).toStartWith("whsec_")
    expect([again.status, again.body.data]).toEqual([201, webhook])
  })

  test("is audited with the URL", async () => {
    const { id } = await made()
    const [entry] = (await admin.get(`/audit-logs?recordId=${id}`)).body.data
    expect(entry).toMatchObject({ action: "webhooks.create", changes: { url: { to: draft().url } } })
  })

  const wrong: [string, object, string[]][] = [
    ["without fields", { url: undefined, types: undefined }, ["url", "types"]],
    ["without types", { types: [] }, ["types"]],
    ["with an unknown type", { types: ["invoices.*", "invoices.lost"] }, ["types[1]"]],
    ["with events of users", { types: ["users.created"] }, ["types[0]"]],
    ["with events of webhooks", { types: ["webhooks.*"] }, ["types[0]"]],
    ["with another payload", { payload: "fat" }, ["payload"]],
    ["with a secret", { secret: "whsec_x" }, ["secret"]],
    ["with a reason for disabling", { disabledReason: "gone" }, ["disabledReason"]],
    ["with text that is no URL", { url: "shop" }, ["url"]],
    ["with a user name in the URL", { url: "https://a:b@shop.example/" }, ["url"]],
    ["with a very long URL", { url: `https://shop.example/${"x".repeat(2_048)}` }, ["url"]],
  ]
  test.each(wrong)("%s is refused with 422", async (_, more, fields) => {
    expect(refusalOf(await admin.post("/webhooks", draft(more)))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
  })

  test("a name that cannot be resolved yet is accepted", async () => {
    expect((await made({ url: "https://shop.invalid/hooks" })).url).toBe("https://shop.invalid/hooks")
  })

  test("repeated types are stored once, and * is accepted", async () => {
    expect((await made({ types: ["*", "items.low-stock", "*"] })).types).toEqual(["*", "items.low-stock"])
  })
})

const private_ = [
  ..."https://localhost/ https://LOCALHOST:8443/ https://127.0.0.1/".split(" "),
  ..."https://127.0.0.2/ https://127.1/ https://2130706433/ https://0177.0.0.1/ https://0x7f.1/".split(" "),
  ..."https://0x7f000001/ https://017700000001/ https://0/ https://0.0.0.0/ https://[::1]/ https://[::]/".split(
    " ",
  ),
  ..."https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::ffff:10.0.0.1]/".split(" "),
  ..."https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/ https://[2001:0:7f00:1::]/".split(" "),
  ..."https://10.0.0.1/ https://172.16.5.4/ https://192.168.1.1/ https://169.254.169.254/latest/".split(" "),
  ..."https://100.64.0.1/ https://192.0.0.1/ https://198.18.0.1/ https://224.0.0.1/ https://255.255.255.255/".split(
    " ",
  ),
  ..."https://[fe80::1]/ https://[fc00::1]/ https://[fd12::1]/ https://[ff02::1]/ https://①②⑦.⓪.⓪.①/".split(
    " ",
  ),
  ..."http://shop.example/ http://8.8.8.8/ http://127.0.0.1/".split(" "),
]

describe("A URL that leads to a private address", () => {
  test.each(private_)("%s is refused", async (url) => {
    const answer = await admin.post("/webhooks", draft({ url }))
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["url"] })
    expect(answer.body.error.details[0]).toMatchObject({ code: "RULE", params: { rule: "ADDRESS" } })
  })

  test("it is refused in an update too, and the stored one can be sent back", async () => {
    const { id } = await made()
    expect(refusalOf(await admin.patch(`/webhooks/${id}`, { url: "https://127.0.0.1/" })).fields).toEqual([
      "url",
    ])
    inFile(kontor, (db) => db.run("UPDATE webhooks SET url = 'https://10.0.0.1/' WHERE id = ?", [id]))
    const answer = await admin.patch(`/webhooks/${id}`, { url: "https://10.0.0.1/", description: "x" })
    expect([answer.status, answer.body.data.description]).toEqual([200, "x"])
  })

  test("the option --allow-private-webhooks allows its networks only", async () => {
    const other = await signIn(await serve({ args: ["--allow-private-webhooks", "10.1.0.0/16,fd00::/8"] }))
    const statusOf = async (url: string) => (await other.post("/webhooks", draft({ url }))).status
    for (const url of [
      "http://10.1.2.3/",
      "https://10.1.2.3/",
      "http://[fd00::1]:81/",
      "http://[::ffff:10.1.0.1]/",
    ])
      expect([url, await statusOf(url)]).toEqual([url, 201])
    for (const url of ["http://10.2.0.1/", "https://10.2.0.1/", "https://127.0.0.1/", "http://8.8.8.8/"])
      expect([url, await statusOf(url)]).toEqual([url, 422])
  })
})

describe("A webhook", () => {
  test("is updated, rotated and deleted by its version", async () => {
    const { id, secret } = await made()
    const changed = await admin.put(
      `/webhooks/${id}`,
      { types: ["items.*"], payload: "full" },
      { "if-match": '"1"' },
    )
    expect(changed.body.data).toMatchObject({ types: ["items.*"], payload: "full", version: 2 })
    expect((await admin.put(`/webhooks/${id}`, { types: ["*"] }, { "if-match": '"1"' })).status).toBe(412)
    expect((await admin.post(`/webhooks/${id}/rotate`, {}, { "if-match": '"1"' })).status).toBe(412)
    const rotated = await admin.post(`/webhooks/${id}/rotate`)
    expect(rotated.status).toBe(200)
    expect(rotated.body.data.secret).toStartWith("whsec_")
    expect(rotated.body.data.secret).not.toBe(secret)
    expect((await admin.delete(`/webhooks/${id}`)).status).toBe(204)
    for (const path of ["", "/deliveries"])
      expect((await admin.get(`/webhooks/${id}${path}`)).status).toBe(404)
    for (const path of ["rotate", "test", "deliveries/whd_x/redeliver"])
      expect((await admin.post(`/webhooks/${id}/${path}`)).status).toBe(404)
    const actions = (await admin.get(`/audit-logs?recordId=${id}`)).body.data.map(
      (entry: { action: string }) => entry.action,
    )
    expect(actions.toSorted()).toEqual(
      ["create", "delete", "rotate", "update"].map((each) => `webhooks.${each}`),
    )
  })

  test("is not an event, and neither is a test of it", async () => {
    const before = (await admin.get("/events?after=latest")).body.meta.next
    const { id } = await made()
    await admin.patch(`/webhooks/${id}`, { description: "x" })
    await admin.delete(`/webhooks/${id}`)
    expect((await admin.get(`/events?after=${before}`)).body.data).toEqual([])
  })

  test("there are at most 100", async () => {
    const { meta } = (await admin.get("/webhooks?perPage=1")).body
    for (let i = meta.total; i < 100; i++) await made()
    const answer = await admin.post("/webhooks", draft())
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["url"] })
    expect(answer.body.error.details[0].params).toEqual({ rule: "TOO_MANY", max: 100 })
  })
})
