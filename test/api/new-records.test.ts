// The answer to a new record is made from what was stored, without reading it again. It must be what a read returns.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

describe("a new record is returned as it is stored", () => {
  let api: Api
  let customer = ""
  const items: { item: string; quantity: number }[] = []

  beforeAll(async () => {
    api = await signIn(await serve())
    customer = (await api.create("/customers", { name: "Buyer" })).id
    for (const itemCode of ["A", "B", "C"]) {
      const { id } = await api.create("/items", { itemCode, itemName: itemCode, sellingPrice: 9.5 })
      items.push({ item: id, quantity: 2 })
    }
  })
  afterAll(cleanUp)

  async function expectStored(path: string, body: object): Promise<void> {
    const made = await api.create(path, body)
    expect((await api.get(`${path}/${made.id}`)).body.data).toEqual(made)
  }

  const kinds: [itemType: string, reorderLevel: number, isActive: boolean][] = ["Product", "Service"].flatMap(
    (itemType) =>
      [0, 3].flatMap((level) => [true, false].map((isActive) => [itemType, level, isActive] as never)),
  )
  test.each(kinds)("an item: %s, reordered at %d, active: %p", (itemType, reorderLevel, isActive) =>
    expectStored("/items", {
      itemCode: `${itemType}-${reorderLevel}-${isActive}`,
      itemName: "x",
      itemType,
      reorderLevel,
      isActive,
    }),
  )

  test.each(["/sales-orders", "/quotations", "/invoices"])("%s", (path) =>
    expectStored(path, { customer, items }),
  )

  test("a customer", () => expectStored("/customers", { name: "Other", language: "de" }))
})
