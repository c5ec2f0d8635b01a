// Writes that wait for another server have the rights that their caller has when they run.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { signIn, type Api } from "../support/api"
import { cleanUp } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"
import { until } from "../support/until"

const atOnce = 6
const clerk = { email: "clerk@example.com", name: "Clerk", password: "a long enough password" }

describe.skipIf(!isPostgresInstalled())("writes that wait for another server", () => {
  let shop: Several
  let one: Member
  let api: Api
  let made = 0

  beforeAll(async () => {
    shop = await several(1)
    one = shop.members[0] as Member
    await one.api.create("/users", { ...clerk, role: "admin" })
    api = await signIn(one, clerk.email, clerk.password)
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  /** The number of writes that wait. */
  async function queued(): Promise<number> {
    const text = await (await fetch(`${one.url}/metrics`)).text()
    return Number(/^kontor_write_queue_length (\d+)/m.exec(text)?.[1])
  }

  /** Sends writes while another server writes. Returns their statuses. */
  async function writeDuring(sql: string): Promise<number[]> {
    const other = new PostgresDatabase(shop.url)
    try {
      other.run("BEGIN")
      other.query("SELECT writer FROM write_lock WHERE id = 1 FOR UPDATE").get()
      const waiting = Array.from({ length: atOnce }, () =>
        api.post("/items", { itemCode: `WAIT-${++made}`, itemName: "Waits" }),
      )
      await until(async () => (await queued()) >= atOnce)
      other.run(sql)
      other.run("UPDATE write_lock SET writer = 1 WHERE id = 1")
      other.run("COMMIT")
      return (await Promise.all(waiting)).map(({ status }) => status)
    } finally {
      other.close()
    }
  }

  test("run if it has not changed their rights", async () => {
    expect(await writeDuring("UPDATE settings SET version = version + 1")).toEqual(
      Array.from({ length: atOnce }, () => 201),
    )
  })

  test("are all refused if it has taken their rights", async () => {
    const statuses = await writeDuring(`UPDATE users SET role = 'viewer' WHERE email = '${clerk.email}'`)
    expect(statuses).toEqual(Array.from({ length: atOnce }, () => 403))
    expect((await one.api.get("/items?search=WAIT&perPage=1")).body.meta.total).toBe(atOnce)
  })
})
