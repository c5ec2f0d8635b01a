import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, send, signIn } from "../support/api"
import { cleanUp, serve } from "../support/kontor"
import { agree, ask, askUrl, browse, clientOf, credentials, pkce, redirectUri } from "../support/oauth"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"
import { until } from "../support/until"

/** PostgreSQL notifies the other server a moment after the commit, so what is cached there may be older for a moment. */
describe.skipIf(!isPostgresInstalled())("what one server writes, another one knows", () => {
  let shop: Several
  let [one, two]: Member[] = []

  beforeAll(async () => {
    shop = await several(2, ["--public-url", "http://127.0.0.1:7070"])
    ;[one, two] = shop.members
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  test("a token of one is valid at the other, until the session ends", async () => {
    const session = await signIn(one!)
    const there = apiWith(two!, session.credential)
    expect((await there.get("/items")).status).toBe(200)
    expect((await session.post("/auth/logout")).status).toBe(204)
    await until(async () => (await there.get("/items")).status === 401)
  })

  test("a revoked key no longer works; a write with it is refused at once", async () => {
    const { id, key } = await one!.api.create("/api-keys", { name: "Revoked", scopes: ["read", "write"] })
    const there = apiWith(two!, { "x-api-key": key })
    expect((await there.get("/items")).status).toBe(200)
    expect((await one!.api.delete(`/api-keys/${id}`)).status).toBe(204)
    // The right is checked again inside the write, which knows that the other server has written.
    expect((await there.post("/items", { itemCode: "REVOKED", itemName: "x" })).status).toBe(401)
    await until(async () => (await there.get("/items")).status === 401)
  })

  test("a role that was changed has its new rights", async () => {
    const user = { email: "role@example.com", name: "Role", password: "a long enough password" }
    const { id } = await one!.api.create("/users", { ...user, role: "admin" })
    const there = await signIn(two!, user.email, user.password)
    expect((await there.get("/users")).status).toBe(200)
    expect((await one!.api.patch(`/users/${id}`, { role: "viewer" })).status).toBe(200)
    await until(async () => (await there.get("/users")).status === 403)
  })

  test("a setting", async () => {
    expect((await two!.api.get("/settings")).body.data.companyName).not.toBe("New name")
    expect((await one!.api.patch("/settings", { companyName: "New name" })).status).toBe(200)
    await until(async () => (await two!.api.get("/settings")).body.data.companyName === "New name")
  })

  test("the total of a list, with a filter and without", async () => {
    const paths = ["/items?perPage=1", "/items?perPage=1&category=Counted"]
    const totals = async (member: Member) =>
      Promise.all(paths.map(async (path) => (await member.api.get(path)).body.meta.total))
    const before = await totals(two!)
    const { id } = await one!.api.create("/items", {
      itemCode: "COUNT-1",
      itemName: "x",
      category: "Counted",
    })
    await until(async () =>
      Bun.deepEquals(
        await totals(two!),
        before.map((total) => total + 1),
      ),
    )
    await one!.api.delete(`/items/${id}`)
    await until(async () => Bun.deepEquals(await totals(two!), before))
  })

  test("a report", async () => {
    const figure = async () => JSON.stringify((await two!.api.get("/reports/summary")).body.data)
    const before = await figure()
    const customer = await one!.api.create("/customers", { name: "Reported" })
    const item = await one!.api.create("/items", { itemCode: "REPORT", itemName: "x", sellingPrice: 7 })
    await one!.api.create("/sales-orders", { customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
    await until(async () => (await figure()) !== before)
  })

  const hitsOf = async (member: Member, typed: string): Promise<string[]> =>
    (await member.api.get(`/search?q=${typed}`)).body.data.items.map(({ name }: { name: string }) => name)

  test("a new word is found, also with a typing error, and after an update", async () => {
    expect(await hitsOf(two!, "lantern")).toEqual([])
    const item = await one!.api.create("/items", { itemCode: "WORD-1", itemName: "Lantern" })
    await until(async () => (await hitsOf(two!, "lantern")).length === 1)
    await until(async () => (await hitsOf(two!, "lantren")).length === 1)
    await one!.api.patch(`/items/${item.id}`, { itemName: "Chandelier" })
    await until(async () => (await hitsOf(two!, "chandeleir")).length === 1)
    // Letters inside a word are searched for only if a known word has them.
    await until(async () => (await hitsOf(two!, "andelie")).length === 1)
    expect(await hitsOf(two!, "lantern")).toEqual([])
  })

  test("a word stays known when one server deletes what another one has created", async () => {
    const own = await one!.api.create("/items", { itemCode: "TWICE-1", itemName: "Binocular" })
    const started = await shop.start()
    await until(async () => (await hitsOf(started, "binoculra")).length === 1)
    const made = await one!.api.create("/items", { itemCode: "TWICE-2", itemName: "Binocular" })
    // This server has not learned the words of the record that it deletes.
    expect((await started.api.delete(`/items/${made.id}`)).status).toBe(204)
    expect(await hitsOf(started, "binoculra")).toEqual([own.itemName])
    expect(await started.stop()).toBe(0)
  })

  test("an ETag of one server is checked by the other", async () => {
    const item = await one!.api.create("/items", { itemCode: "ETAG", itemName: "First" })
    const read = await two!.api.get(`/items/${item.id}`)
    const match = { "if-match": read.headers.get("etag") ?? "" }
    expect((await one!.api.patch(`/items/${item.id}`, { itemName: "Second" }, match)).status).toBe(200)
    const late = await two!.api.patch(`/items/${item.id}`, { itemName: "Third" }, match)
    expect(refusalOf(late)).toMatchObject({ status: 412, code: "PRECONDITION_FAILED" })
    expect((await two!.api.get(`/items/${item.id}`)).body.data.itemName).toBe("Second")
  })

  test("the same Idempotency-Key at both at the same time makes one record and one answer", async () => {
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(
        [one, two, one, two].map((member) =>
          apiWith(member!, one!.api.credential).post(
            "/items",
            { itemCode: `ONCE-${i}`, itemName: "Once" },
            { "idempotency-key": `once-${i}` },
          ),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }
    expect((await one!.api.get("/items?itemCode[like]=ONCE-%25")).body.meta.total).toBe(20)
  })

  test("numbers of orders have no gaps and no duplicates, also after refused ones", async () => {
    const item = await one!.api.create("/items", { itemCode: "NUMBER", itemName: "x", sellingPrice: 1 })
    const customer = await one!.api.create("/customers", { name: "Numbers" })
    const order = (member: Member, i: number) =>
      member.api.post("/sales-orders", {
        customer: customer.id,
        items: [{ item: i % 5 === 0 ? "itm_none" : item.id, quantity: 1 }],
      })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => order([one, two][i % 2]!, i)))
    const numbers = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => Number(/\d+$/.exec(body.data.orderNumber)?.[0]))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 48 }, (_, i) => i + Math.min(...numbers)),
    )
  })

  test("a refresh token is replaced once, whichever server gets it", async () => {
    const login = { email: "admin@example.com", password: "correct horse battery" }
    const first = (await send(`${one!.url}/api/v1/auth/login`, { body: login })).body.data
    const refresh = (member: Member, refreshToken: string) =>
      send(`${member.url}/api/v1/auth/refresh`, { body: { refreshToken } })
    const second = (await refresh(two!, first.refreshToken)).body.data
    const third = await refresh(one!, second.refreshToken)
    expect(third.status).toBe(200)
    expect(third.body.data.refreshToken).not.toBe(second.refreshToken)
    expect((await refresh(two!, third.body.data.refreshToken)).status).toBe(200)
  })

  test("a code of OAuth is exchanged once, and its tokens work and are refreshed at both", async () => {
    const client = await clientOf(one!.api)
    const codeOf = async () => {
      const { verifier, challenge } = pkce()
      const { searchParams } = await agree(browse(one!), askUrl(client, challenge))
      return {
        grant_type: "authorization_code",
        code: searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
    }
    const tokenAt = (member: Member, fields: Record<string, string>) =>
      ask(member, "token", { ...fields, ...credentials(client) })
    const fields = await codeOf()
    const tried = await Promise.all([one, two, one, two].map((member) => tokenAt(member!, fields)))
    expect(tried.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    const granted = (await tokenAt(two!, await codeOf())).body
    const bearer = { authorization: `Bearer ${granted.access_token}` }
    for (const member of [one, two]) expect((await apiWith(member!, bearer).get("/items")).status).toBe(200)
    let token = granted.refresh_token
    for (const member of [one, two, one]) {
      const { status, body } = await tokenAt(member!, { grant_type: "refresh_token", refresh_token: token })
      expect(status).toBe(200)
      expect(body.refresh_token).not.toBe(token)
      token = body.refresh_token
    }
  })

  test("a setup link works once, at any server", async () => {
    const url = shop.server.createDatabase("setup")
    const args = ["--db", url]
    const first = await serve({ args, env: {} })
    const second = await serve({ args, env: {} })
    // The link that was printed last is valid.
    const token = /token=(\S+)/.exec(second.output.stdout)?.[1]
    const setUp = (at: { url: string }, email: string) =>
      send(`${at.url}/api/v1/setup`, {
        body: { token, email, name: "Admin", password: "a long enough password" },
      })
    const tried = await Promise.all([setUp(first, "a@example.com"), setUp(second, "b@example.com")])
    expect(tried.map(({ status }) => status).toSorted()).toEqual([200, 404])
    await Promise.all([first.stop(), second.stop()])
  })
})
