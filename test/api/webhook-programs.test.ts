import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { importer } from "../support/imports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { browse, clientOf, connect, askUrl, pkce } from "../support/oauth"
import { allowLoopback, deliveriesOf, itemOf, receiver, stopReceivers, webhookOf } from "../support/receiver"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let made = 0
const password = "a fine password"

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  admin = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

/** A user who is signed in. */
async function userOf(role: string) {
  const user = await admin.create("/users", { email: `u${++made}@example.com`, name: "U", role, password })
  return { ...user, api: await signIn(kontor, user.email, password) }
}

const keyOf = async (api: Api, scopes: string[]) => {
  const { id, key } = await api.create("/api-keys", { name: "K", scopes })
  return { id, api: apiWith(kontor, { "x-api-key": key }) }
}

const newItem = () => itemOf(admin, `P-${++made}`)
const draft = () => ({ url: "https://8.8.8.8/", types: ["*"] })

describe("The webhooks of a user", () => {
  test("are managed by the user, by keys and apps with the scope, and by admins who signed in", async () => {
    const [sales, viewer] = [await userOf("sales"), await userOf("viewer")]
    const key = await keyOf(sales.api, ["webhooks"])
    const client = await clientOf(admin, { scopes: ["webhooks"] })
    const { tokens } = await connect(kontor, client, { scope: "webhooks", email: sales.email, password })
    const app = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
    const mine = await webhookOf(key.api, "https://8.8.8.8/")
    expect(mine).toMatchObject({ owner: sales.id, createdBy: sales.id, pausedReason: null })
    expect(mine.secret).toStartWith("whsec_")
    for (const api of [sales.api, key.api, app, admin]) {
      expect((await api.get(`/webhooks/${mine.id}`)).body.data).not.toHaveProperty("secret")
      expect((await api.get("/webhooks?perPage=100")).body.data.map(({ id }: any) => id)).toContain(mine.id)
      expect((await api.get(`/webhooks/${mine.id}/history`)).status).toBe(200)
      expect((await api.get("/webhooks/export?format=ndjson")).status).toBe(200)
    }
    const ofAdmin = await keyOf(admin, ["read", "write", "delete", "admin", "webhooks"])
    for (const api of [viewer.api, (await keyOf(viewer.api, ["webhooks"])).api, ofAdmin.api]) {
      expect((await api.get("/webhooks")).body.data.map(({ id }: any) => id)).not.toContain(mine.id)
      expect(JSON.stringify((await api.get("/webhooks/export?format=ndjson")).body)).not.toContain(mine.id)
      for (const answer of [
        await api.get(`/webhooks/${mine.id}`),
        await api.get(`/webhooks/${mine.id}/history`),
        await api.get(`/webhooks/${mine.id}/deliveries`),
        await api.patch(`/webhooks/${mine.id}`, { isActive: false }),
        await api.post(`/webhooks/${mine.id}/rotate`),
        await api.post(`/webhooks/${mine.id}/test`),
        await api.post(`/webhooks/${mine.id}/replay`, { since: "2026-01-01" }),
        await api.delete(`/webhooks/${mine.id}`),
      ])
        expect(answer.status).toBe(404)
    }
    expect((await sales.api.delete(`/webhooks/${mine.id}`)).status).toBe(204)
    expect((await viewer.api.get(`/webhooks/${mine.id}/history`)).status).toBe(404)
    expect((await admin.get(`/webhooks/${mine.id}/history`)).status).toBe(200)
  })

  test("are all that a key with the scope alone can read", async () => {
    const { api } = await keyOf((await userOf("manager")).api, ["webhooks"])
    for (const path of ["/items", "/events", "/auth/me", "/search?q=a", "/api-keys"])
      expect((await api.get(path)).status).toBe(403)
    expect((await api.post("/webhooks/resume")).status).toBe(403)
    expect((await (await keyOf(admin, ["read", "admin"])).api.get("/webhooks")).body.error.code).toBe(
      "INSUFFICIENT_SCOPE",
    )
  })

  test("are at most 10, except for an admin who signed in", async () => {
    const { api } = await userOf("sales")
    for (let i = 0; i < 10; i++) await webhookOf(api, "https://8.8.8.8/")
    const answer = await (await keyOf(api, ["webhooks"])).api.post("/webhooks", draft())
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["url"] })
    expect(answer.body.error.details[0].params).toEqual({ rule: "TOO_MANY", max: 10 })
  })

  test("lead to addresses on the internet only, whoever makes them", async () => {
    const { api } = await keyOf((await userOf("sales")).api, ["webhooks"])
    const answer = await api.post("/webhooks", { url: "https://10.0.0.1/", types: ["*"] })
    expect(refusalOf(answer)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["url"] })
  })
})

test("the page of the consent names what an app with the scope may do", async () => {
  const client = await clientOf(admin, { scopes: ["webhooks"] })
  const browser = browse(kontor)
  const { email } = await userOf("sales")
  const page = await browser.open(askUrl(client, pkce().challenge, { scope: "webhooks" }))
  const shown = await browser.submit(page, "sign-in", { email, password })
  expect(shown.text).toContain("Manage your webhooks")
})

describe("A webhook gets", () => {
  test("only events of kinds that its owner may read now, and in them only records that the owner may see", async () => {
    const manager = await userOf("manager")
    const [shop, control] = [receiver(), receiver()]
    const webhook = await webhookOf(manager.api, shop.url, { payload: "full" })
    const other = await webhookOf(admin, control.url, { payload: "full" })
    const import_ = async (api: Api) =>
      importer(api).run("kind=items", `itemCode,itemName,itemType\nW-${++made},A,Product\n`)
    await import_(admin)
    await import_(manager.api)
    const imports = (hits: any[]) => hits.filter(({ event }) => event.type === "imports.finished")
    await until(() => imports(shop.hits).length === 2)
    expect(imports(shop.hits).map(({ event }) => event.record === null)).toEqual([true, false])
    await until(() => imports(control.hits).length === 2)
    expect(imports(control.hits).map(({ event }) => event.record === null)).toEqual([false, false])

    const [delivery] = (await deliveriesOf(admin, webhook)).filter(
      ({ type }: any) => type === "imports.finished",
    )
    await admin.patch(`/users/${manager.id}`, { role: "viewer" })
    await import_(admin)
    const { id } = await newItem()
    await until(() => shop.hits.some(({ event }) => event.recordId === id))
    expect(imports(shop.hits)).toHaveLength(2)
    // Not even an admin can send that again for the owner.
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`
    expect((await admin.post(path)).status).toBe(403)
    for (const each of [webhook, other]) await admin.delete(`/webhooks/${each.id}`)
  })

  test("nothing that failed, when its owner may not read it any more", async () => {
    const manager = await userOf("manager")
    let status = 500
    const shop = receiver(() => new Response("", { status }))
    const webhook = await webhookOf(manager.api, shop.url, { types: ["imports.*", "items.created"] })
    await importer(admin).run("kind=items", `itemCode,itemName,itemType\nW-${++made},A,Product\n`)
    const of = async (type: string) =>
      (await deliveriesOf(admin, webhook)).find((each: any) => each.type === type)
    await until(async () => (await of("imports.finished")) && (await of("items.created")))
    await admin.patch(`/users/${manager.id}`, { role: "viewer" })
    const sent = shop.hits.filter(({ event }) => event.type === "imports.finished").length
    status = 200
    await newItem()
    await until(async () => (await of("imports.finished")).status === "failed")
    expect(await of("imports.finished")).toMatchObject({ errorCode: "NOT_ALLOWED", nextAttemptAt: null })
    await until(async () => (await of("items.created")).status === "succeeded")
    expect(shop.hits.filter(({ event }) => event.type === "imports.finished")).toHaveLength(sent)
    await admin.delete(`/webhooks/${webhook.id}`)
  })
})

describe("A webhook that a program has set up waits", () => {
  type Set = { api: Api; end: () => Promise<unknown> }
  const ways: [string, (api: Api, email: string) => Promise<Set>][] = [
    [
      "when its key is revoked",
      async (api) => {
        const key = await keyOf(api, ["webhooks"])
        return { api: key.api, end: () => api.delete(`/api-keys/${key.id}`) }
      },
    ],
    [
      "when its app is disconnected",
      async (api, email) => {
        const client = await clientOf(admin, { scopes: ["webhooks"] })
        const { tokens } = await connect(kontor, client, { scope: "webhooks", email, password })
        const app = apiWith(kontor, { authorization: `Bearer ${tokens.access_token}` })
        const [grant] = (await api.get("/auth/grants")).body.data
        return { api: app, end: () => api.delete(`/auth/grants/${grant.id}`) }
      },
    ],
  ]
  test.each(ways)("%s, until somebody takes it over", async (_, program) => {
    const user = await userOf("sales")
    const { api, end } = await program(user.api, user.email)
    const [shop, control] = [receiver(), receiver()]
    const webhook = await webhookOf(api, shop.url)
    const other = await webhookOf(admin, control.url)
    const sent = [(await newItem()).id]
    await until(() => shop.hits.length === 1)
    await end()
    sent.push((await newItem()).id)
    await until(() => control.hits.length === 2)
    expect(shop.hits).toHaveLength(1)
    expect((await user.api.get(`/webhooks/${webhook.id}`)).body.data).toMatchObject({
      isActive: true,
      pausedReason: "program",
      owner: user.id,
    })
    const taken = await user.api.patch(`/webhooks/${webhook.id}`, { isActive: true })
    expect(taken.body.data).toMatchObject({ pausedReason: null, version: 2 })
    await until(() => shop.hits.length === 2)
    expect(shop.hits.map(({ event }) => event.recordId)).toEqual(sent)
    for (const each of [webhook, other]) await admin.delete(`/webhooks/${each.id}`)
  })
})
