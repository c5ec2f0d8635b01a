import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, send, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
let made = 0

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

const marks = (count: number) => `a${"\u0316\u0301".repeat(Math.ceil(count / 2)).slice(0, count)}`
const item = (over: object) => api.post("/items", { itemCode: `TR-${++made}`, itemName: "Thing", ...over })

describe("combining marks", () => {
  test("up to eight in a row are accepted", async () => {
    const answer = await item({ itemName: marks(8), description: `${marks(8)} ${marks(8)}` })
    expect(answer.status).toBe(201)
  })

  test.each(["itemCode", "itemName", "category", "uom", "description"])(
    "nine in a row are refused in %s",
    async (field) => {
      expect(refusalOf(await item({ [field]: marks(9) }))).toEqual({
        status: 422,
        code: "VALIDATION_ERROR",
        fields: [field],
      })
    },
  )

  test("nine in a row are refused in an address, a note, a reason and a setting", async () => {
    expect(refusalOf(await api.post("/customers", { name: "C", address: { city: marks(9) } }))).toMatchObject(
      {
        status: 422,
        fields: ["address.city"],
      },
    )
    const stock = await item({})
    const movement = { item: stock.body.data.id, quantity: 1, reason: "receipt", note: marks(9) }
    expect(refusalOf(await api.post("/stock-movements", movement))).toMatchObject({ fields: ["note"] })
    expect(refusalOf(await api.put("/settings", { companyName: marks(9) }))).toMatchObject({
      fields: ["companyName"],
    })
  })

  test("nine in a row in a query are refused, and the error names the parameter", async () => {
    for (const [path, field] of [
      [`/items?itemName=${encodeURIComponent(marks(9))}`, "itemName"],
      [`/items?search=${encodeURIComponent(marks(9))}`, "search"],
      [`/search?q=${encodeURIComponent(marks(9))}`, "q"],
    ] as const)
      expect(refusalOf(await api.get(path))).toEqual({
        status: 422,
        code: "VALIDATION_ERROR",
        fields: [field],
      })
  })

  test("an email with many thousands of them gets the same 401 as any wrong one", async () => {
    const answer = await send(`${kontor.url}/api/v1/auth/login`, {
      body: { email: marks(30_000), password: "wrong password" },
    })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: "INVALID_CREDENTIALS" })
  })
})

describe("the length of a text", () => {
  test("is counted in characters, regardless of their bytes", async () => {
    expect((await item({ itemName: "🔩".repeat(200) })).status).toBe(201)
    expect(refusalOf(await item({ itemName: "🔩".repeat(201) }))).toMatchObject({ fields: ["itemName"] })
  })

  test("over twice the limit is refused before any other check", async () => {
    const answer = await item({ itemName: marks(100_000), description: "x".repeat(400_000) })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["itemName", "description"] })
    expect(answer.body.error.details[0].message).toBe("must be at most 200 characters long")
  })

  test("of a password is counted in characters too, and the longest one can sign in", async () => {
    const password = "🔩".repeat(256)
    const email = "emoji@example.com"
    await api.create("/users", { email, name: "E", role: "viewer", password })
    expect((await signIn(kontor, email, password)).credential).toBeDefined()
  })
})

describe("invisible characters", () => {
  test.each([
    ["a zero-width space", "AB\u200b1"],
    ["a joiner", "AB\u200d1"],
    ["a direction mark", "AB\u202e1"],
    ["a soft hyphen", "AB\u00ad1"],
    ["a byte order mark", "AB\ufeff1"],
  ])("are refused in an item code: %s", async (_, itemCode) => {
    expect(refusalOf(await item({ itemCode }))).toMatchObject({ status: 422, fields: ["itemCode"] })
  })

  test("are removed from a name, and stay where a script needs them", async () => {
    const shown = await item({ itemName: "\u202eDe\u200bsk\u2066\ufeff \u200f120\u061c" })
    expect(shown.body.data.itemName).toBe("Desk 120")
    const persian = "می\u200cخواهم"
    expect((await item({ itemName: persian })).body.data.itemName).toBe(persian)
  })

  test("alone are not a name", async () => {
    expect(refusalOf(await item({ itemName: "\u200b\u202e" }))).toMatchObject({ fields: ["itemName"] })
  })

  test("stay in notes", async () => {
    expect((await item({ description: "a\u200eb" })).body.data.description).toBe("a\u200eb")
  })
})

describe("a value that was stored under earlier rules", () => {
  test("is accepted when it is sent back unchanged, and is not rewritten", async () => {
    const { id } = (await item({ description: "x" })).body.data
    const { id: customer } = await api.create("/customers", { name: "Old", address: { city: "Rome" } })
    const old = { code: "OLD\u200b1", name: `Old\u202e ${marks(20)}`, text: marks(30) }
    inFile(kontor, (db) => {
      db.query(
        "UPDATE items SET item_code = ?, item_code_key = ?, item_name = ?, description = ? WHERE id = ?",
      ).run(old.code, old.code.toLowerCase(), old.name, old.text, id)
      db.query("UPDATE customers SET address = replace(address, 'Rome', ?) WHERE id = ?").run(
        old.name,
        customer,
      )
    })
    const before = (await api.get(`/items/${id}`)).body.data
    expect(before).toMatchObject({ itemCode: old.code, itemName: old.name, description: old.text })
    const same = await api.put(`/items/${id}`, before)
    expect([same.status, same.body.data.version]).toEqual([200, before.version])
    const other = await api.put(`/items/${id}`, { ...before, sellingPrice: 7 })
    expect(other.body.data).toMatchObject({ itemCode: old.code, itemName: old.name, sellingPrice: 7 })
    const moved = await api.put(`/customers/${customer}`, { address: { city: old.name, zipCode: "1" } })
    expect(moved.body.data.address).toMatchObject({ city: old.name, zipCode: "1" })
    expect(refusalOf(await api.put(`/items/${id}`, { itemName: `${old.name}!` }))).toMatchObject({
      fields: ["itemName"],
    })
  })
})

describe("codes and email addresses", () => {
  test("are found in any case, because they are unique ignoring case", async () => {
    await item({ itemCode: "MiXed-1" })
    await api.create("/customers", { name: "Mail", email: "Office@Example.com" })
    const codes = async (query: string) =>
      (await api.get(`/items?fields=itemCode&${query}`)).body.data.map(
        (each: { itemCode: string }) => each.itemCode,
      )
    expect(await codes("itemCode=mixed-1")).toEqual(["MiXed-1"])
    expect(await codes("itemCode[in]=none,MIXED-1")).toEqual(["MiXed-1"])
    expect(await codes("itemCode[ne]=mixed-1")).not.toContain("MiXed-1")
    expect((await api.get("/customers?email=OFFICE@example.com")).body.data).toMatchObject([{ name: "Mail" }])
    const mails = async (query: string) =>
      (await api.get(`/customers?fields=name&${query}`)).body.data.map((each: { name: string }) => each.name)
    expect(await mails("email[in]=none@example.com,office@EXAMPLE.com")).toEqual(["Mail"])
    expect(await mails("email[ne]=OFFICE@EXAMPLE.COM")).not.toContain("Mail")
    expect((await api.get("/users?email=ADMIN@example.com")).body.data).toHaveLength(1)
    const others = (await api.get("/users?email[ne]=ADMIN@example.com")).body.data
    expect(others.map((each: { email: string }) => each.email)).not.toContain("admin@example.com")
  })
})

describe("very many errors", () => {
  test("are reported up to a hundred, with the number of the others", async () => {
    const fields = Object.fromEntries(Array.from({ length: 105_000 }, (_, i) => [`x${i.toString(36)}`, 1]))
    const answer = await api.post("/items", { itemCode: "MANY", itemName: "Many", ...fields })
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
    const { details } = answer.body.error
    expect(details).toHaveLength(101)
    expect(details[0]).toEqual({ field: "x0", code: "UNKNOWN_FIELD", message: "is not a known field" })
    expect(details[100]).toEqual({
      field: "",
      code: "RULE",
      message: "104900 more errors are not shown",
      params: { rule: "OMITTED", omitted: 104_900 },
    })
    expect(answer.text.length).toBeLessThan(20_000)
  })

  test("in lines and in a nested object are reported in the same way", async () => {
    const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`f${i}`, 1]))
    for (const body of [
      { name: "A", address: fields },
      { customer: "cus_x", items: [fields] },
    ]) {
      const answer = await api.post("items" in body ? "/sales-orders" : "/customers", body)
      expect(answer.status).toBe(422)
      expect(answer.body.error.details).toHaveLength(101)
      expect(answer.body.error.details[100].message).toMatch(/^399\d\d more errors are not shown$/)
    }
  })

  test("of five hundred lines without an item are a hundred and one", async () => {
    const customer = (await api.create("/customers", { name: "Lines" })).id
    const items = Array.from({ length: 500 }, () => ({ item: "itm_none", quantity: 1 }))
    const answer = await api.post("/sales-orders", { customer, items })
    expect(answer.body.error.details).toHaveLength(101)
    expect(answer.body.error.details[100].message).toBe("400 more errors are not shown")
  })

  test("a body with too many fields is refused completely, so that no field is used without the others", async () => {
    const repeated = Array(1_000).fill('"name":"Alpha"').join(",")
    for (const [more, status] of [
      ['"name":"Omega"', 422],
      ['"creditLimit":5', 422],
      ['"nonsense":1', 422],
      [" this is not : json at all", 422],
    ] as const) {
      const answer = await api.post("/customers", `{${repeated},${more}}`, {
        "content-type": "application/json",
      })
      expect([answer.status, more]).toEqual([status, more])
      expect(answer.body.error.details[0]).toEqual({
        field: "body",
        code: "TOO_LONG",
        message: "has more fields or entries than any record",
        params: { max: 1_000, maxEntries: 5_000 },
      })
    }
    const passwords = Array(1_000).fill(`"password":"${adminPassword}"`).join(",")
    const login = await send(`${kontor.url}/api/v1/auth/login`, {
      headers: { "content-type": "application/json" },
      body: `{"email":"${adminEmail}",${passwords},"password":"wrong"}`,
      method: "POST",
    })
    expect(login.status).toBe(422)
    expect((await api.get("/customers?name=Alpha")).body.data).toEqual([])
  })

  test("a list of very many entries and a body that never ends are refused", async () => {
    const json = { "content-type": "application/json" }
    const long = (entry: string, count: number) => Array(count).fill(entry).join(",")
    for (const body of [`{"name":"A","phone":[${long("0", 500_000)}]}`, `{"name":[${long("{}", 300_000)}]}`])
      expect((await api.post("/customers", body, json)).status).toBe(422)
    const wide = Array.from({ length: 90_000 }, (_, i) => `"a${i}":1`).join(",")
    expect(refusalOf(await api.post("/customers", `{${wide}`, json))).toMatchObject({
      status: 400,
      code: "INVALID_JSON",
    })
  })

  test("a field with a name of a megabyte is reported by its beginning", async () => {
    const answer = await api.post("/items", { ["x".repeat(900_000)]: 1 })
    expect(answer.status).toBe(422)
    expect(answer.text.length).toBeLessThan(2_000)
  })
})
