import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, type Kontor, serve } from "../support/kontor"

let kontor: Kontor
let api: Api

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
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
    ["a negative credit limit", { creditLimit: -1 }, ["creditLimit"]],
    ["a type over 40 characters", { type: "x".repeat(41) }, ["type"]],
    [
      "figures that only the server sets",
      { outstandingBalance: 5, creditBalance: 1 },
      ["outstandingBalance", "creditBalance"],
    ],
    ["a number that the series will come to", { customerNumber: "CUST-09000" }, ["customerNumber"]],
    ["the same in small letters", { customerNumber: " cust-09000 " }, ["customerNumber"]],
    ["a number with letters outside of ASCII", { customerNumber: "KÄ-1" }, ["customerNumber"]],
    ["a number over 64 characters", { customerNumber: "9".repeat(65) }, ["customerNumber"]],
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

describe("The number of another system", () => {
  test("is kept in capital letters, once, and the series goes on beside it", async () => {
    const { customerNumber: before } = await api.create("/customers", { name: "Before" })
    const kept = await api.create("/customers", { name: "Kept", customerNumber: "kd-10001" })
    expect(kept.customerNumber).toBe("KD-10001")
    expect((await api.get("/customers/by/customerNumber/KD-10001")).body.data.id).toBe(kept.id)
    const twice = await api.post("/customers", { name: "Twice", customerNumber: "KD-10001" })
    expect(twice.body.error.details).toMatchObject([{ code: "DUPLICATE", existing: kept.id }])
    const next = await api.create("/customers", { name: "Next", customerNumber: null })
    expect(Number(next.customerNumber.slice(5))).toBe(Number(before.slice(5)) + 1)
    const ahead = `CUST-${String(Number(next.customerNumber.slice(5)) + 1).padStart(5, "0")}`
    const refused = await api.post("/customers", { name: "Ahead", customerNumber: ahead })
    expect(refused.body.error.details).toEqual([
      {
        field: "customerNumber",
        code: "RULE",
        message: `"${ahead}" is a number that Kontor will assign itself, because its numbers have the format CUST-{#####}: give another one, or leave it out`,
        params: { rule: "NUMBER_OF_FORMAT", value: ahead, format: "CUST-{#####}" },
      },
    ])
    // The series has passed this one, so it cannot come to it again.
    expect((await api.delete(`/customers/${next.id}`)).status).toBe(204)
    const free = await api.create("/customers", { name: "Free", customerNumber: next.customerNumber })
    expect(free.customerNumber).toBe(next.customerNumber)
    expect(
      (await api.patch(`/customers/${free.id}`, { customerNumber: "OTHER" })).body.data.customerNumber,
    ).toBe(next.customerNumber)
  })

  test("is given by managers and admins; for others the field is read-only", async () => {
    const password = "correct horse battery"
    for (const role of ["sales", "shop", "accountant", "manager"]) {
      const email = `${role}@numbers.example`
      await api.create("/users", { email, name: role, role, password })
      const by = await signIn(kontor, email, password)
      const answer = await by.post("/customers", { name: role, customerNumber: `N-${role}` })
      if (role === "manager") expect(answer).toMatchObject({ status: 201 })
      else expect(answer.body.error.details).toMatchObject([{ field: "customerNumber", code: "READ_ONLY" }])
    }
  })
})
