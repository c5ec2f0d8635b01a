// What requests read while a write is committed: before PostgreSQL has stored it, and before the server knows that.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { holdingProxy } from "../support/holding-proxy"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { until } from "../support/until"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

const moments = [
  ["before it is stored", "commit"],
  ["before it is answered", "answer"],
] as const

describe.skipIf(!isPostgresInstalled())("while a write is committed", () => {
  let server: PostgresServer
  let proxy: Awaited<ReturnType<typeof holdingProxy>>
  let kontor: Kontor
  let api: Api

  beforeAll(async () => {
    server = await postgres()
    server.createDatabase("shop")
    proxy = await holdingProxy(server.port)
    kontor = await serve({ args: ["--db", server.tcpUrl("shop", proxy.port)] })
    api = await signIn(kontor)
    await api.create("/items", { itemCode: "FIRST", itemName: "First", category: "desks" })
  })
  afterAll(async () => {
    await cleanUp()
    proxy?.stop()
    server?.stop()
  })

  const totalOf = async (query: string) => (await api.get(`/items?${query}`)).body.meta.total
  const totals = () => Promise.all([totalOf(""), totalOf("category=desks"), totalOf("category=lamps")])

  /** Keeps back the commit of a write that sends a text, or the answer to it. */
  async function hold(moment: "commit" | "answer", text: string, write: () => Promise<unknown>) {
    const reached = proxy.hold(moment, text)
    const written = write()
    await reached
    return async () => {
      proxy.release()
      await written
    }
  }

  test("/ready tells if that takes long, and a list is answered", async () => {
    const goOn = await hold("answer", "LONG", () =>
      api.create("/items", { itemCode: "LONG", itemName: "Long" }),
    )
    const { status } = await fetch(`${kontor.url}/ready`)
    const total = await totalOf("")
    await goOn()
    expect([status, total]).toEqual([503, 2])
    await until(async () => (await fetch(`${kontor.url}/ready`)).status === 200)
  })

  describe.each(moments)("%s", (_, moment) => {
    /** Sends a write, and does something before its commit goes on. */
    async function held(
      text: string,
      write: () => Promise<unknown>,
      meanwhile: () => Promise<unknown>,
    ): Promise<void> {
      const goOn = await hold(moment, text, write)
      await meanwhile().finally(goOn)
    }

    test("requests are answered, and no record is counted twice afterwards", async () => {
      const [all = 0, desks = 0, lamps] = await totals()
      await held(
        `${moment}-new`,
        () => api.create("/items", { itemCode: `${moment}-new`, itemName: "Next", category: "desks" }),
        async () => {
          expect((await fetch(`${kontor.url}/health`)).status).toBe(200)
          await totals()
        },
      )
      expect(await totals()).toEqual([all + 1, desks + 1, lamps])
    })

    test("a change is seen afterwards in every list that was read meanwhile", async () => {
      const [all, desks = 0, lamps = 0] = await totals()
      const { id } = (await api.get(`/items/by/itemCode/${moment}-new`)).body.data
      await held(id, () => api.patch(`/items/${id}`, { category: "lamps" }), totals)
      expect(await totals()).toEqual([all, desks - 1, lamps + 1])
    })

    test("settings that were read meanwhile are those of the write afterwards", async () => {
      const nameOf = async () => (await api.get("/settings")).body.data.companyName
      const companyName = `Nordlicht ${moment}`
      await held(companyName, () => api.put("/settings", { companyName }), nameOf)
      expect(await nameOf()).toBe(`Nordlicht ${moment}`)
    })

    test("a key that is revoked is refused as soon as that is answered", async () => {
      const { id, key } = await api.create("/api-keys", { name: "Till", scopes: ["read"] })
      const ask = async () =>
        (await fetch(`${kontor.url}/api/v1/items`, { headers: { "x-api-key": key } })).status
      expect(await ask()).toBe(200)
      await held(id, () => api.delete(`/api-keys/${id}`), ask)
      expect(await ask()).toBe(401)
    })
  })
})
