// Large lists are read over a connection of their own, in another thread.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

describe.skipIf(!isPostgresInstalled())("a large list on PostgreSQL", () => {
  let server: PostgresServer
  let api: Api

  beforeAll(async () => {
    server = await postgres()
    const kontor = await serve({ args: ["--db", server.createDatabase("shop")] })
    api = await signIn(kontor)
    await api.create("/items", { itemCode: "FIRST", itemName: "First" })
    // The table seems to have this many rows.
    inDatabase("shop", (db) => db.run("ALTER TABLE items ALTER COLUMN seq RESTART WITH 100000"))
    await api.create("/items", { itemCode: "LAST", itemName: "Last" })
  })
  afterAll(async () => {
    await cleanUp()
    server?.stop()
  })

  /** Runs work with a connection to a database, as another program. */
  const inDatabase = (name: string, work: (db: PostgresDatabase) => void): void => {
    const db = new PostgresDatabase(server.url(name))
    work(db)
    db.close()
  }
  const allowConnections = (isAllowed: boolean) =>
    inDatabase("postgres", (db) => db.run(`ALTER DATABASE shop ALLOW_CONNECTIONS ${isAllowed}`))

  test("and an export are answered with 503 while their connections cannot be opened, and the list with 200 later", async () => {
    allowConnections(false)
    const refused = await api.get("/items?perPage=1")
    expect(refusalOf(refused)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
    expect(refused.body.error.message).toBe("The database cannot be read at the moment. Try again later.")
    const file = await api.get("/items/export?format=csv")
    expect(refusalOf(file)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
    // The other connection is still open.
    expect((await api.post("/items", { itemCode: "MORE", itemName: "More" })).status).toBe(201)
    allowConnections(true)
    const found = await api.get("/items?perPage=1")
    expect([found.status, found.body.meta.total]).toEqual([200, 3])
  })
})
