import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let api: Api

beforeAll(async () => {
  api = await signIn(await serve())
})
afterAll(cleanUp)

describe("POST /customers", () => {
  test("needs only a name; numbers start at CUST-00001 and a refused body uses none", async () => {
    const first = await api.create("/customers", { name: "Nordlicht GmbH" })
    expect((await api.post("/customers", { name: "" })).status).toBe(422)
    const second = await api.create("/customers", { name: "Zweite" })
    expect([first.customerNumber, second.customerNumber]).toEqual(["CUST-00001", "CUST-00002"])
    expect(first).toEqual({
      id: expect.stringMatching(/^cus_[0-9a-z]{26}$/),
      customerNumber: "CUST-00001",
      name: "Nordlicht GmbH",
      email: null,
      phone: null,
      type: "Company",
      contactName: null,
      address: null,
      shippingAddress: null,
      language: null,
      creditLimit: null,
      paymentTerms: null,
      taxId: null,
      taxTreatment: "domestic",
      taxReason: null,
      pricesIncludeTax: null,
      notes: null,
      outstandingBalance: 0,
      creditBalance: 0,
      openOrdersValue: 0,
      creditAvailable: null,
      externalId: null,
      metadata: {},
      isActive: true,
      status: "active",
      version: 1,
      createdAt: expect.any(String),
      updatedAt: first.createdAt,
    })
  })

  test("accepts every field of the specification", async () => {
    const given = {
      name: "Full",
      email: "office@example.com",
      phone: "+49 40 1",
      type: "Cooperative",
      address: { street: "Weg 1", city: "Kiel", state: "SH", zipCode: "24103", country: "de" },
      creditLimit: 1000.5,
      paymentTerms: "Net 30",
      taxId: "DE1",
      contactName: "Anna Petersen",
      shippingAddress: { street: "Lager 2", city: "Husum", state: null, zipCode: null, country: "DE" },
      language: "de",
      taxTreatment: "intra-community",
      notes: "Rings\ntwice.",
    }
    const data = await api.create("/customers", given)
    expect(data).toMatchObject({
      ...given,
      address: { ...given.address, country: "DE" },
      creditAvailable: 1000.5,
    })
  })

  test.each([
    ["no name", { name: null }, ["name"]],
    ["an invalid email address", { email: "not-an-address" }, ["email"]],
    ["a country that does not exist", { address: { country: "QQ" } }, ["address.country"]],
    ["a country of three letters", { address: { country: "DEU" } }, ["address.country"]],
    ["a letter that becomes two capital letters", { address: { country: "ß" } }, ["address.country"]],
    ["an unknown part of the address", { address: { planet: "Earth" } }, ["address.planet"]],
    ["an address as text", { address: "Weg 1" }, ["address"]],
    [
      "a country of the shipping address that does not exist",
      { shippingAddress: { country: "QQ" } },
      ["shippingAddress.country"],
    ],
    ["an unknown language", { language: "it" }, ["language"]],
    ["an unknown treatment", { taxTreatment: "foreign" }, ["taxTreatment"]],
    ["an exempt customer without a reason", { taxTreatment: "exempt" }, ["taxReason"]],
    ["an empty reason", { taxTreatment: "exempt", taxReason: " " }, ["taxReason"]],
    ["gross prices of an export", { taxTreatment: "export", pricesIncludeTax: true }, ["pricesIncludeTax"]],
    ["a negative credit limit", { creditLimit: -1 }, ["creditLimit"]],
    ["a type over 40 characters", { type: "x".repeat(41) }, ["type"]],
    [
      "figures that only the server sets",
      { outstandingBalance: 5, customerNumber: "X" },
      ["customerNumber", "outstandingBalance"],
    ],
  ])("refuses %s and names the field", async (_, over, fields) => {
    expect(refusalOf(await api.post("/customers", { name: "X", ...over }))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields,
    })
  })
})

describe("PUT /customers/{id}", () => {
  test("an exempt customer needs a reason, which may stay when the treatment changes", async () => {
    const { id } = await api.create("/customers", { name: "Exempt" })
    const put = (change: object) => api.put(`/customers/${id}`, change)
    expect((await put({ taxTreatment: "exempt" })).body.error.details).toMatchObject([
      { field: "taxReason", code: "REQUIRED" },
    ])
    const exempt = { taxTreatment: "exempt", taxReason: "Embassy" }
    expect(await put(exempt)).toMatchObject({ status: 200, body: { data: exempt } })
    expect(refusalOf(await put({ taxReason: null }))).toMatchObject({ fields: ["taxReason"] })
    expect(await put({ name: "Still exempt" })).toMatchObject({ status: 200 })
    expect((await put({ taxTreatment: null })).body.data).toMatchObject({
      taxTreatment: "domestic",
      taxReason: "Embassy",
    })
    expect(await put({ taxReason: null })).toMatchObject({ status: 200, body: { data: { taxReason: null } } })
  })

  test("gross prices need domestic sales, and end with another treatment", async () => {
    const { id } = await api.create("/customers", { name: "Gross", pricesIncludeTax: true })
    const put = (change: object) => api.put(`/customers/${id}`, change)
    const { data } = (await api.get(`/customers/${id}`)).body
    expect(data.pricesIncludeTax).toBeTrue()
    // Also if the record is sent back as it was read.
    const abroad = await put({ ...data, taxTreatment: "export" })
    expect(abroad.body.data).toMatchObject({ taxTreatment: "export", pricesIncludeTax: null })
    expect((await put({ pricesIncludeTax: true })).body.error.details).toMatchObject([
      { field: "pricesIncludeTax", code: "RULE", params: { rule: "TREATMENT" } },
    ])
    const home = { taxTreatment: "domestic", pricesIncludeTax: true }
    expect(await put(home)).toMatchObject({ status: 200, body: { data: home } })
  })

  test("merges the fields of the address", async () => {
    const { id } = await api.create("/customers", {
      name: "Merge",
      address: { city: "Kiel", zipCode: "24103" },
    })
    const moved = await api.put(`/customers/${id}`, { address: { city: "Husum", zipCode: null } })
    expect(moved.body.data.address).toEqual({
      street: null,
      city: "Husum",
      state: null,
      zipCode: null,
      country: null,
    })
    const cleared = await api.put(`/customers/${id}`, { address: { city: null } })
    expect(cleared.body.data.address).toBeNull()
    await api.put(`/customers/${id}`, { address: { country: "FR" } })
    expect((await api.put(`/customers/${id}`, { address: null })).body.data.address).toBeNull()
  })

  test("deactivates a customer, and its status follows", async () => {
    const { id } = await api.create("/customers", { name: "Sleeping" })
    const answer = await api.put(`/customers/${id}`, { isActive: false })
    expect(answer.body.data).toMatchObject({ isActive: false, status: "inactive" })
    expect(
      (await api.get("/customers?status=inactive")).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([id])
  })
})

test("concurrent creates get numbers without gaps or duplicates", async () => {
  const before = (await api.get("/customers")).body.meta.total
  await Promise.all(Array.from({ length: 30 }, (_, i) => api.create("/customers", { name: `Parallel ${i}` })))
  const { data } = (await api.get("/customers?perPage=100&sort=customerNumber&order=asc")).body
  expect(data.map(({ customerNumber }: { customerNumber: string }) => customerNumber)).toEqual(
    Array.from({ length: before + 30 }, (_, i) => `CUST-${String(i + 1).padStart(5, "0")}`),
  )
})

test("the search finds a customer by its contact", async () => {
  const { id } = await api.create("/customers", { name: "Contacted", contactName: "Zwetana Quitzow" })
  const hits = async (q: string) =>
    ((await api.get(`/search?q=${q}`)).body.data.customers ?? []).map(({ id }: any) => id)
  expect(await hits("quitzow")).toEqual([id])
  await api.put(`/customers/${id}`, { contactName: "Somebody else" })
  expect(await hits("quitzow")).toEqual([])
})
