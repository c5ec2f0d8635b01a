// Records that are created together, whose rows and numbers PostgreSQL gets with the commit.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { cleanUp, run } from "../support/kontor"
import { isPostgresInstalled } from "../support/postgres"
import { several, type Member, type Several } from "../support/several"

describe.skipIf(!isPostgresInstalled())("on PostgreSQL", () => {
  let shop: Several
  let one: Member
  let customer = ""
  const items: string[] = []

  beforeAll(async () => {
    shop = await several(1)
    one = shop.members[0] as Member
    customer = (await one.api.create("/customers", { name: "Buyer" })).id
    for (const itemCode of ["A", "B", "C"])
      items.push((await one.api.create("/items", { itemCode, itemName: itemCode, reorderLevel: 2 })).id)
    await order()
    await order()
  })
  afterAll(async () => {
    await cleanUp()
    shop?.server.stop()
  })

  const order = () =>
    one.api.create("/sales-orders", { customer, items: items.map((item) => ({ item, quantity: 2 })) })

  test("new orders get the next numbers", async () => {
    const [first, second] = [await order(), await order()]
    const counterOf = ({ orderNumber }: { orderNumber: string }) => Number(orderNumber.split("-").at(-1))
    expect(counterOf(second)).toBe(counterOf(first) + 1)
  })

  test("a value that is taken refuses one of the writes that came together, and numbers have no gap", async () => {
    const codes = ["X1", "X2", "X1", "X3", "X1", "X2"]
    const answers = await Promise.all([
      ...codes.map((itemCode) => one.api.post("/items", { itemCode, itemName: "x" })),
      order(),
      one.api.post("/sales-orders", { customer, items: [{ item: "itm_none", quantity: 1 }] }),
      order(),
    ])
    const statuses = answers.slice(0, codes.length).map((answer) => ("status" in answer ? answer.status : 0))
    expect(statuses.toSorted()).toEqual([201, 201, 201, 422, 422, 422])
    const refused = answers[7] as { status: number; body: { error: { details: unknown[] } } }
    expect([refused.status, refused.body.error.details.length]).toEqual([422, 1])
    const listed = await one.api.get("/sales-orders?perPage=100")
    const counters = (listed.body.data as { orderNumber: string }[]).map((each) =>
      Number(each.orderNumber.split("-").at(-1)),
    )
    expect(counters.toSorted((a, b) => a - b)).toEqual(counters.map((_, i) => i + 1))
  })

  test("the same is true of so many that PostgreSQL gets the first ones before the last ones are computed", async () => {
    const codes = Array.from({ length: 120 }, (_, i) => `M${i % 100}`)
    const answers = await Promise.all(
      codes.map((itemCode) => one.api.post("/items", { itemCode, itemName: "many" })),
    )
    const created = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 422)
    expect([created.length, refused.length]).toEqual([100, 20])
    expect(refused[0]?.body.error.details[0]).toMatchObject({ field: "itemCode", code: "DUPLICATE" })
    expect((await one.api.get("/items?itemName=many")).body.meta.total).toBe(100)
    const orders = await Promise.all(Array.from({ length: 60 }, order))
    const counters = orders.map(({ orderNumber }) => Number(orderNumber.split("-").at(-1)))
    const first = Math.min(...counters)
    expect(counters.toSorted((a, b) => a - b)).toEqual(counters.map((_, i) => first + i))
    expect(await run(["check", "--db", shop.url], {})).toMatchObject({ code: 0 })
  })
})
