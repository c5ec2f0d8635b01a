import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { importer } from "../support/imports"
import { trade } from "../support/trade"
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
      invoiceEmail: null,
      phone: null,
      type: "Company",
      contactName: null,
      address: null,
      country: null,
      shippingAddress: null,
      language: null,
      creditLimit: null,
      paymentTerms: null,
      taxId: null,
      taxTreatment: "domestic",
      taxReason: null,
      buyerReference: null,
      pricesIncludeTax: null,
      remindersPausedUntil: null,
      notes: null,
      outstandingBalance: 0,
      creditBalance: 0,
      openOrdersValue: 0,
      creditAvailable: null,
      mergedInto: null,
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
      invoiceEmail: "invoices@example.com",
      buyerReference: "04011000-12345-03",
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

describe("the parts of an address", () => {
  const towns = [
    { name: "T1", address: { city: "Åhus", country: "SE" } },
    { name: "T2", address: { city: "Zwolle", street: "Markt 1" }, shippingAddress: { city: "Åhus" } },
    { name: "T3", address: { street: "Markt 2" } },
    { name: "T4" },
    { name: "T5", address: { city: "amsterdam", zipCode: "1011" } },
  ]
  const names = async (query: string, path = "/customers") =>
    (await api.get(`${path}?name[in]=T1,T2,T3,T4,T5&order=asc&${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    )

  test("are filters of lists and of exports, and fields to sort by", async () => {
    for (const customer of towns) await api.create("/customers", customer)
    expect(await names("address.city=Zwolle")).toEqual(["T2"])
    expect(await names("address.city[like]=AM")).toEqual(["T5"])
    expect(await names("address.city[ne]=Zwolle")).toEqual(["T1", "T3", "T4", "T5"])
    expect(await names("address.city[in]=Zwolle,amsterdam&address.street[null]=true")).toEqual(["T5"])
    expect(await names("address.city[null]=true")).toEqual(["T3", "T4"])
    expect(await names("address.country=SE")).toEqual(["T1"])
    expect(await names("shippingAddress.city=%C3%85hus")).toEqual(["T2"])
    expect(await names("sort=address.city,name")).toEqual(["T3", "T4", "T1", "T5", "T2"])
    const csv = await api.get("/customers/export?fields=name&address.zipCode[like]=10%25")
    expect(csv.text.trim().split("\r\n")).toEqual(["name", "T5"])
  })

  test("continue a list from a cursor", async () => {
    const query = "/customers?name[in]=T1,T2,T3,T4,T5&sort=address.city&order=desc&perPage=1&fields=name"
    const seen: string[] = []
    for (let cursor = ""; cursor !== "end";) {
      const { data, meta } = (await api.get(query + cursor)).body
      seen.push(data[0].name)
      cursor = meta.nextCursor ? `&cursor=${meta.nextCursor}` : "end"
    }
    expect(seen).toEqual(["T2", "T5", "T1", "T4", "T3"])
  })

  test("are filters of documents", async () => {
    const shop = trade(api)
    const { id: customer } = await api.create("/customers", { name: "Ships" })
    const { id: item } = await shop.item()
    const order = { customer, items: [{ item, quantity: 1 }], shippingAddress: { city: "Wedel" } }
    const { id } = await api.create("/sales-orders", order)
    const { body } = await api.get("/sales-orders?shippingAddress.city=Wedel&fields=id")
    expect(body.data).toEqual([{ id }])
    for (const query of ["address.town=x", "address.city[gte]=B"])
      expect((await api.get(`/customers?${query}`)).status).toBe(400)
  })
})

test("the search finds a customer by its contact", async () => {
  const { id } = await api.create("/customers", { name: "Contacted", contactName: "Zwetana Quitzow" })
  const hits = async (q: string) =>
    ((await api.get(`/search?q=${q}`)).body.data.customers ?? []).map(({ id }: any) => id)
  expect(await hits("quitzow")).toEqual([id])
  await api.put(`/customers/${id}`, { contactName: "Somebody else" })
  expect(await hits("quitzow")).toEqual([])
})

describe("customers that may be the same", () => {
  const found = async (query: object) => {
    const { status, body } = await api.get(`/customers/duplicates?${new URLSearchParams({ ...query })}`)
    expect(status).toBe(200)
    return body.data.map(({ name, matches }: any) => [name, ...matches])
  }
  const known = {
    name: "Café Nordwind",
    email: "Office@Nordwind.example",
    phone: "+49 (0)431 / 55 66-77",
    taxId: "DE 811.128-135",
    address: { city: "Kiel" },
  }

  test("are found by name, email address, phone number and tax ID, however they are written", async () => {
    const { id, customerNumber } = await api.create("/customers", known)
    for (const name of [" CAFE NORDWIND", "Nordwind-Café GmbH & Co. KG", "Cafe Nordwindt"])
      expect([name, await found({ name })]).toEqual([name, [["Café Nordwind", "name"]]])
    expect(await found({ email: "office@nordwind.EXAMPLE" })).toEqual([["Café Nordwind", "email"]])
    expect(await found({ phone: "0431 556677" })).toEqual([["Café Nordwind", "phone"]])
    expect(await found({ taxId: "de811128135" })).toEqual([["Café Nordwind", "taxId"]])
    expect(await found({ name: "Nordwind", phone: "6677", taxId: "-", email: "" })).toEqual([])
    expect(await found({ name: "x".repeat(5_000) })).toEqual([])
    const { name, phone } = known
    expect(await found({ name, phone, except: id })).toEqual([])
    const { data } = (await api.get(`/customers/duplicates?name=Caf%C3%A9%20Nordwind`)).body
    expect(data).toMatchObject([{ id, customerNumber, city: "Kiel", isActive: true }])
  })

  test("are found by the address: street and postcode, or else the town, also after it has changed", async () => {
    const address = { street: "Sophienblatt 12", zipCode: "24103", city: "Kiel", country: "DE" }
    const { id } = await api.create("/customers", { name: "Hafenladen", address })
    const at = (street: string, zipCode: string, city: string) =>
      found({ "address.street": street, "address.zipCode": zipCode, "address.city": city })
    const same = [["Hafenladen", "address"]]
    expect(await at("sophienblatt 12", "24103", "")).toEqual(same)
    expect(await at("Sophienblatt 12", "", "KIEL")).toEqual(same)
    expect(await at("Sophienblatt 12", "24114", "Kiel")).toEqual([])
    expect(await at("Sophienblatt", "24103", "Kiel")).toEqual([])
    expect(await at("x".repeat(5_000), "24103", "Kiel")).toEqual([])
    await api.patch(`/customers/${id}`, { address: { ...address, street: "Sophienblatt 13" } })
    expect(await at("Sophienblatt 12", "24103", "")).toEqual([])
    await api.patch(`/customers/${id}`, { address: null })
    expect(await at("Sophienblatt 13", "24103", "")).toEqual([])

    await api.patch(`/customers/${id}`, { address })
    const file =
      "name,street,zipCode,city\nSomebody Else,Sophienblatt 12,24103,Kiel\nFirst Floor,Am Markt 1,24340,Eckernförde\nSecond Floor,am markt 1,24340,\n"
    const { warnings } = await importer(api).run("kind=customers&mode=create&dryRun=true", file)
    expect(warnings).toMatchObject([
      { row: 2, column: "street", params: { name: "Hafenladen", fields: ["address"] } },
      { row: 4, column: "street", params: { row: 3, fields: ["address"] } },
    ])
  })

  test("are those with most in common first, and no merged ones", async () => {
    const [a, b] = [
      await api.create("/customers", { name: "Twin", email: "a@twin.example" }),
      await api.create("/customers", { name: "Twin", email: "b@twin.example" }),
    ]
    const query = { name: "Twin", email: "b@twin.example" }
    expect(await found(query)).toEqual([
      ["Twin", "name", "email"],
      ["Twin", "name"],
    ])
    expect((await api.post(`/customers/${a.id}/merge`, { from: b.id })).status).toBe(200)
    expect(await found(query)).toEqual([["Twin", "name"]])
  })

  test("are named in the check of an import, which imports them all the same", async () => {
    await api.create("/customers", { name: "Imported Before", email: "old@import.example" })
    const file =
      "name,email,phone\nimported before,other@import.example,\nNew One,new@import.example,0431 12345678\nNew Two,,+49 431 12345678\n"
    const ended = await importer(api).run("kind=customers&mode=create&dryRun=true", file)
    expect(ended).toMatchObject({ status: "finished", counts: { valid: 3, invalid: 0 }, warningCount: 2 })
    expect(ended.warnings).toMatchObject([
      { row: 2, code: "POSSIBLE_DUPLICATE", params: { name: "Imported Before", fields: ["name"] } },
      { row: 4, code: "POSSIBLE_DUPLICATE", params: { row: 3, fields: ["phone"] } },
    ])
    const written = await importer(api).run("kind=customers&mode=create", file)
    expect(written).toMatchObject({ status: "finished", counts: { created: 3 } })
  })

  test("are left out by an import or updated, if there is hardly a doubt", async () => {
    const fileOf = (street: string) =>
      [
        "Vorname,Name,Firma,E-Mail,USt-IdNr.,Zahlungsziel,Straße",
        `Anna,Twofold,,anna@twofold.example,,14,${street}`,
        `Ben,Twofold,Twofold GmbH,,DE136695976,,${street}`,
        `,,Twofold Ltd.,,,,${street}`,
      ].join("\n")
    const counts = async (query: string, file: string) =>
      (await importer(api).run(`kind=customers${query}`, file)).counts
    const all = async () =>
      (await api.get("/customers?name[like]=%25Twofold%25&sort=createdAt&order=asc")).body.data
    expect(await counts("&duplicates=skip", fileOf("A 1"))).toMatchObject({ created: 3, unchanged: 0 })
    const made = [
      { name: "Anna Twofold", contactName: null, paymentTerms: "Net 14" },
      { name: "Twofold GmbH", contactName: "Ben Twofold", paymentTerms: null },
      { name: "Twofold Ltd.", contactName: null },
    ]
    expect(await all()).toMatchObject(made)
    // The last row has nothing but a name, so it may be another customer.
    for (const query of ["&dryRun=true&duplicates=skip", "&duplicates=skip"])
      expect(await counts(query, fileOf("B 2"))).toMatchObject({ created: 1, updated: 0, unchanged: 2 })
    expect(await counts("&duplicates=update", fileOf("C 3"))).toMatchObject({ created: 1, updated: 2 })
    expect((await all()).map(({ address }: any) => address.street)).toEqual([
      "C 3",
      "C 3",
      "A 1",
      "B 2",
      "C 3",
    ])
    const checked = await importer(api).run("kind=customers&duplicates=skip&dryRun=true", fileOf("D 4"))
    expect(checked.warnings).toMatchObject([2, 3, 4].map((row) => ({ row, code: "POSSIBLE_DUPLICATE" })))
    expect(await counts("", fileOf("E 5"))).toMatchObject({ created: 3, unchanged: 0 })

    for (const query of ["kind=items&duplicates=skip", "kind=customers&mode=upsert&duplicates=skip"])
      expect((await importer(api).send(query, "name\nX\n")).status).toBe(400)
    const { key } = await api.create("/api-keys", { name: "Writes", scopes: ["write"] })
    const blind = apiWith(kontor, { "x-api-key": key })
    expect((await importer(blind).send("kind=customers&duplicates=skip", "name\nX\n")).status).toBe(403)
  })
})

test("a new document takes the buyer reference of its customer, unless its body has another", async () => {
  const reference = "04011000-12345-03"
  const shop = trade(api)
  const { id: customer } = await shop.customer({ buyerReference: reference, email: "office@buyer.example" })
  const other = await shop.customer({ buyerReference: "OTHER" })
  const items = [{ item: (await shop.item()).id, quantity: 1 }]
  const order = await shop.order({ customer, items, status: "submitted" })
  expect(order.buyerReference).toBe(reference)
  expect((await shop.order({ customer, items, buyerReference: "PO 7" })).buyerReference).toBe("PO 7")
  await api.put(`/customers/${customer}`, { invoiceEmail: "invoices@buyer.example" })
  const { body } = await shop.bill(order.id)
  expect(body.data).toMatchObject({
    buyerReference: reference,
    buyer: { email: "invoices@buyer.example" },
  })
  const draft = await api.create("/invoices", { customer, items })
  expect(draft.buyerReference).toBe(reference)
  const moved = await api.put(`/invoices/${draft.id}`, { customer: other.id })
  expect(moved.body.data.buyerReference).toBe("OTHER")
})

test("a draft without a buyer reference is checked and issued with the one that its customer has by then", async () => {
  const shop = trade(api)
  const customer = (await shop.customer()).id
  const items = [{ item: (await shop.item()).id, quantity: 1 }]
  const { id } = await api.create("/invoices", { customer, items })
  const lacks = async () => {
    const { body } = await api.get(`/invoices/${id}/e-invoice?profile=xrechnung`)
    return body.data.missing.some(({ field }: { field: string }) => field === "buyerReference")
  }
  expect(await lacks()).toBe(true)
  await api.put(`/customers/${customer}`, { buyerReference: "04011000-12345-03" })
  expect(await lacks()).toBe(false)
  const issued = await shop.status("invoices", id, "unpaid")
  expect(issued.body.data.buyerReference).toBe("04011000-12345-03")
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
