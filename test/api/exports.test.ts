import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { download } from "../support/downloads"
import { exportsOf, type Exports } from "../support/exports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { clientOf } from "../support/oauth"
import { trade } from "../support/trade"

const kinds = [
  "items",
  "tax-codes",
  "customers",
  "sales-orders",
  "invoices",
  "credit-notes",
  "payments",
  "stock-movements",
  "users",
  "api-keys",
  "oauth-clients",
  "audit-logs",
]
const odd = 'Löffel, "klein"; 5 € 日本 👍🏽'
const formula = '=HYPERLINK("http://evil.example","x")'

let kontor: Kontor
let api: Api
let viewer: Api
let files: Exports
let ofViewer: Exports

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  files = exportsOf(kontor, api)
  await api.put("/settings", { currency: "EUR" })
  const taxCode = (await api.create("/tax-codes", { code: "S19", name: "19 %", category: "S", rate: 19 })).id
  const shop = trade(api)
  const chair = await shop.item({
    itemCode: "CHAIR",
    itemName: "Chair",
    barcode: "4006381333931",
    category: "Furniture",
    sellingPrice: 80.5,
    costPrice: 1234.5678,
    taxCode,
    images: ["https://example.com/a.jpg", "https://example.com/b.jpg"],
    metadata: { channel: "web" },
  })
  await shop.item({
    itemCode: "ODD",
    itemName: odd,
    description: "two\nlines\n_x0041_",
    externalId: "'quoted",
  })
  await shop.item({ itemCode: "-FORMULA", itemName: formula, category: "@cmd", isActive: false })
  const customer = await shop.customer({
    name: "Nordlicht",
    phone: "+49 40 1234567",
    address: { street: "Kai 7", city: "Bremen", zipCode: "01067", country: "DE" },
    creditLimit: 5000,
  })
  await shop.receive(chair.id, 40)
  await api.create("/stock-movements", { item: chair.id, quantity: -2.5, reason: "adjustment" })
  const invoice = await shop.invoice({
    customer: customer.id,
    items: [
      { item: chair.id, quantity: 2 },
      { description: "Delivery", quantity: 1, rate: 10 },
    ],
  })
  await shop.pay(invoice.id, 50)
  await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Scratched" })
  await clientOf(api, { scopes: ["read"] })
  const password = "a fine password"
  await api.create("/users", { email: "viewer@example.com", name: "Viewer", role: "viewer", password })
  viewer = await signIn(kontor, "viewer@example.com", password)
  ofViewer = exportsOf(kontor, viewer)
  await api.create("/api-keys", { name: "Of the admin", scopes: ["read"] })
  await viewer.create("/api-keys", { name: "Of the viewer", scopes: ["read"] })
})
afterAll(cleanUp)

const listed = async (kind: string, query = ""): Promise<Record<string, unknown>[]> =>
  (await api.get(`/${kind}?perPage=100&order=asc&${query}`)).body.data

/** The values of one column. */
const column = ([titles = [], ...rows]: string[][], title: string) =>
  rows.map((row) => row[titles.indexOf(title)])

describe.each(kinds.map((kind) => [kind] as const))("%s", (kind) => {
  test("as NDJSON are the records of the list, the oldest first", async () => {
    const records = await listed(kind)
    expect(records.length).toBeGreaterThan(0)
    expect(await files.records(kind)).toEqual(records)
  })

  test("as CSV and as XLSX are the same table, with a row per record", async () => {
    const records = await listed(kind)
    const rows = await files.rows(kind, "fields=*")
    const [titles = []] = rows
    expect(rows).toHaveLength(records.length + 1)
    expect(titles).toContain("id")
    const [sheet] = await files.sheets(kind, "fields=*")
    expect(sheet?.name).toBe(kind)
    const shown = sheet?.rows.map((row) => titles.map((_, i) => textOf(row[i] ?? null)))
    expect(shown).toEqual(rows)
  })

  test("is a file with a name, of the type of its format", async () => {
    const types = {
      csv: "text/csv; charset=utf-8",
      xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      ndjson: "application/x-ndjson",
    }
    for (const [format, type] of Object.entries(types)) {
      const { headers, status } = await api.call("HEAD", `/${kind}/export?format=${format}`)
      const name = `${kind}-${new Date().toISOString().slice(0, 10)}.${format}`
      expect(status).toBe(200)
      expect(headers.get("content-type")).toBe(type)
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`)
    }
  })
})

/** A cell of a sheet as a CSV file has it. */
const textOf = (cell: string | number | boolean | Date | null): string =>
  cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? "")

describe("the table", () => {
  test("of items has the columns that an import can set, and the code of the tax code", async () => {
    const [titles = [], chair = []] = await files.rows("items")
    expect(titles.join(" ")).toBe(
      "itemCode itemName barcode category itemType uom sellingPrice costPrice taxCode taxRate reorderLevel reorderQty description images externalId metadata isActive",
    )
    expect(chair).toEqual([
      "CHAIR",
      "Chair",
      "4006381333931",
      "Furniture",
      "Product",
      "Nos",
      "80.5",
      "1234.5678",
      "S19",
      "19",
      "0",
      "0",
      "",
      '["https://example.com/a.jpg","https://example.com/b.jpg"]',
      "",
      '{"channel":"web"}',
      "true",
    ])
  })

  test("of customers has their number, and the parts of addresses", async () => {
    const rows = await files.rows("customers")
    expect(column(rows, "customerNumber")).toEqual(["CUST-00001"])
    expect(column(rows, "address.zipCode")).toEqual(["01067"])
    expect(column(rows, "shippingAddress.city")).toEqual([""])
    expect(rows[0]).not.toContain("outstandingBalance")
  })

  test("of stock movements and payments names items and invoices", async () => {
    const movements = await files.rows("stock-movements", "fields=item,quantity&reason=receipt")
    const [chair] = await listed("items", "itemCode=CHAIR")
    expect(movements).toEqual([
      ["item", "quantity"],
      [String(chair?.id), "40"],
    ])
    const named = await files.rows("stock-movements", "reason=receipt")
    expect([column(named, "itemCode"), column(named, "itemName")]).toEqual([["CHAIR"], ["Chair"]])
    const [invoice] = await listed("invoices")
    expect(column(await files.rows("payments"), "invoiceNumbers")).toEqual([String(invoice?.invoiceNumber)])
  })

  test("as XLSX shows money with the decimals of the currency, and dates as dates", async () => {
    expect(await files.formats("invoices")).toMatchObject({
      total: "#,##0.00",
      balance: "#,##0.00",
      invoiceDate: "yyyy-mm-dd",
    })
    const { sellingPrice, costPrice, reorderLevel, itemCode } = await files.formats("items")
    expect([sellingPrice, costPrice]).toEqual(["#,##0.00##", "#,##0.00##"])
    expect([reorderLevel, itemCode]).toEqual([undefined, undefined])
    expect(await files.formats("customers", "fields=creditLimit,outstandingBalance")).toEqual({
      creditLimit: "#,##0.00##",
      outstandingBalance: "#,##0.00",
    })
    const [, row = []] = (await files.sheets("invoices", "fields=total,invoiceDate"))[0]?.rows ?? []
    expect([typeof row[0], row[1] instanceof Date]).toEqual(["number", true])
  })

  test("of documents has a row for each line, if asked for, with the columns of the document repeated", async () => {
    const [invoice] = await listed("invoices")
    const { invoiceNumber, total, items } = invoice as {
      invoiceNumber: string
      total: number
      items: Record<string, unknown>[]
    }
    const query = "lines=rows&fields=invoiceNumber,total,items.itemCode,items.description,items.quantity"
    expect(await files.rows("invoices", query)).toEqual([
      query.split("fields=")[1]?.split(",") ?? [],
      [invoiceNumber, String(total), "CHAIR", "", "2"],
      [invoiceNumber, String(total), "", "Delivery", "1"],
    ])
    const [plain = []] = await files.rows("invoices")
    const rows = await files.rows("invoices", "lines=rows")
    expect(rows[0]).toEqual([...plain, ...Object.keys(items[0] ?? {}).map((name) => `items.${name}`)])
    expect(column(rows, "items.id")).toEqual(items.map(({ id }) => String(id)))
    const [sheet] = await files.sheets("invoices", "lines=rows&fields=*")
    expect(sheet?.rows).toHaveLength(1 + items.length)
    expect(await files.formats("invoices", "lines=rows&fields=items.amount,items.quantity")).toEqual({
      "items.amount": "#,##0.00",
      "items.quantity": undefined,
    })
    expect(await files.rows("credit-notes", "lines=rows&titles=de&fields=items.itemName,items")).toHaveLength(
      3,
    )
    expect((await files.rows("credit-notes", "lines=rows&titles=de&fields=items.itemName"))[0]).toEqual([
      "Positionen: Bezeichnung",
    ])
  })

  test.each([
    ["invoices", "lines=rows&format=ndjson", "lines"],
    ["invoices", "lines=cells", "lines"],
    ["invoices", "fields=items.itemCode", "fields"],
    ["items", "lines=rows", "lines"],
  ])("of %s with %s is refused on its name", async (kind, query, field) => {
    expect(refusalOf(await api.get(`/${kind}/export?${query}`))).toMatchObject({
      status: 400,
      fields: [field],
    })
  })

  test("of documents has no lists", async () => {
    const [titles = []] = await files.rows("invoices")
    expect(titles).toContain("billingAddress.city")
    expect(titles).toContain("total")
    for (const list of ["items", "payments", "taxes", "seller", "metadata"])
      expect(titles).not.toContain(list)
  })

  test("has the chosen fields in their order, also parts of objects and lists", async () => {
    expect(await files.rows("customers", "fields=address.city,name,address.city")).toEqual([
      ["address.city", "name"],
      ["Bremen", "Nordlicht"],
    ])
    const [titles, row] = await files.rows("customers", "fields=address")
    expect(titles).toEqual(["street", "city", "state", "zipCode", "country"].map((part) => `address.${part}`))
    expect(row).toEqual(["Kai 7", "Bremen", "", "01067", "DE"])
    const [, lines] = await files.rows("invoices", "fields=items")
    expect(JSON.parse(lines?.[0] ?? "")).toMatchObject([{ itemCode: "CHAIR" }, { description: "Delivery" }])
    expect(await files.records("customers", "fields=name,address")).toEqual([
      { name: "Nordlicht", address: expect.objectContaining({ city: "Bremen" }) },
    ])
  })
})

describe("titles", () => {
  test("are in the language that is asked for, and the values stay as they are", async () => {
    const fields = "fields=itemCode,sellingPrice,isActive&itemCode=CHAIR"
    expect(await files.rows("items", `${fields}&titles=de`)).toEqual([
      ["Artikelnummer", "Verkaufspreis", "Aktiv"],
      ["CHAIR", "80.5", "true"],
    ])
    expect((await files.rows("items", `${fields}&titles=fr`))[0]).toEqual([
      "Code article",
      "Prix de vente",
      "Actif",
    ])
    const [sheet] = await files.sheets("items", `${fields}&titles=en`)
    expect(sheet?.rows[0]).toEqual(["Item code", "Selling price", "Active"])
    expect(await files.csv("items", `${fields}&titles=names`)).toBe(await files.csv("items", fields))
  })

  test("name both parts of an address, and what a field means in its kind", async () => {
    expect((await files.rows("customers", "fields=address.city&titles=de"))[0]).toEqual(["Adresse: Ort"])
    expect((await files.rows("tax-codes", "fields=code,rate&titles=de"))[0]).toEqual([
      "Steuerschlüssel",
      "Steuersatz",
    ])
    expect((await files.rows("stock-movements", "fields=itemCode,note&titles=en"))[0]).toEqual([
      "Item code",
      "Note",
    ])
  })

  test("of all fields of all kinds are different from each other", async () => {
    for (const kind of kinds)
      for (const language of ["en", "de", "fr"]) {
        const [titles = []] = await files.rows(kind, `fields=*&titles=${language}`)
        expect([kind, language, new Set(titles).size]).toEqual([kind, language, titles.length])
      }
  })
})

describe("the list's", () => {
  test("filters apply, with their operators", async () => {
    const codes = async (query: string) => column(await files.rows("items", query), "itemCode")
    expect(await codes("category=Furniture")).toEqual(["CHAIR"])
    expect(await codes("isActive=true")).toEqual(["CHAIR", "ODD"])
    expect(await codes("sellingPrice[gte]=80")).toEqual(["CHAIR"])
    expect(await codes("category[null]=true&itemName[like]=L%C3%B6ffel%25")).toEqual(["ODD"])
    expect(column(await files.rows("invoices", "status=overdue"), "status")).toEqual([])
  })

  test("search applies, also where it scans", async () => {
    expect(column(await files.rows("items", "search=cha"), "itemCode")).toEqual(["CHAIR"])
    expect(column(await files.rows("items", "search=%22"), "itemCode")).toEqual([])
    expect(column(await files.rows("users", "search=view"), "email")).toEqual(["viewer@example.com"])
  })

  test("order applies", async () => {
    const codes = async (query: string) => column(await files.rows("items", query), "itemCode")
    expect(await codes("sort=itemName&order=desc")).toEqual(
      (await listed("items", "sort=itemName")).map(({ itemCode }) => escaped(itemCode)).toReversed(),
    )
    expect(await codes("order=desc")).toEqual((await codes("order=asc")).toReversed())
    expect(await codes("sort=description")).toHaveLength(3)
  })

  test("deprecation of comparing long texts is told", async () => {
    const { headers } = await download(kontor, api, "/items/export?sort=description")
    expect(headers.get("deprecation")).toStartWith("@")
  })

  test("errors are the errors of the export", async () => {
    for (const query of [
      "nope=1",
      "sort=nope",
      "order=up",
      "sellingPrice[gte]=x",
      "search=a&search=b",
      "%zz=1",
    ])
      expect(refusalOf(await api.get(`/items/export?${query}`))).toEqual(
        refusalOf(await api.get(`/items?${query}`)),
      )
  })
})

const escaped = (text: unknown) => (/^[=+\-@'\t\r]/.test(String(text)) ? `'${text}` : String(text))

describe("text", () => {
  test("that a spreadsheet would take for a formula begins with an apostrophe in a table", async () => {
    const rows = await files.rows("items", "fields=itemCode,itemName,category,externalId")
    expect(rows[2]).toEqual(["ODD", odd, "", "''quoted"])
    expect(rows[3]).toEqual(["'-FORMULA", `'${formula}`, "'@cmd", ""])
    const [sheet] = await files.sheets("items", "fields=itemCode,itemName,category,externalId")
    expect(sheet?.rows[3]?.slice(0, 3)).toEqual(["'-FORMULA", `'${formula}`, "'@cmd"])
    expect(column(await files.rows("customers"), "phone")).toEqual(["'+49 40 1234567"])
  })

  test("and negative numbers stay as they are in NDJSON; numbers do everywhere", async () => {
    const records = await files.records("items", "fields=itemName")
    expect(records[2]).toEqual({ itemName: formula })
    expect(column(await files.rows("stock-movements"), "quantity")).toContain("-2.5")
    const [sheet] = await files.sheets("stock-movements", "fields=quantity")
    expect(sheet?.rows.flat()).toContain(-2.5)
  })

  test("with line breaks, quotes and codes of characters arrives", async () => {
    expect(column(await files.rows("items"), "description")).toContain("two\nlines\n_x0041_")
    const [sheet] = await files.sheets("items", "fields=description")
    expect(sheet?.rows.flat()).toContain("two\nlines\n_x0041_")
  })
})

describe("a CSV file", () => {
  test("has the delimiter and the decimal sign that are asked for, and lines that end with CR LF", async () => {
    const fields = "fields=itemCode,sellingPrice,costPrice&itemCode=CHAIR"
    expect(await files.csv("items", fields)).toBe(
      "itemCode,sellingPrice,costPrice\r\nCHAIR,80.5,1234.5678\r\n",
    )
    expect(await files.csv("items", `${fields}&delimiter=;&decimal=,`)).toBe(
      "itemCode;sellingPrice;costPrice\r\nCHAIR;80,5;1234,5678\r\n",
    )
    expect(await files.csv("items", `${fields}&delimiter=tab&decimal=,`)).toBe(
      "itemCode\tsellingPrice\tcostPrice\r\nCHAIR\t80,5\t1234,5678\r\n",
    )
    expect(await files.csv("items", `${fields}&decimal=,`)).toContain('CHAIR,"80,5","1234,5678"')
  })

  test("begins with a byte order mark if that is asked for", async () => {
    expect((await files.csv("items", "bom=true&fields=itemCode")).charCodeAt(0)).toBe(0xfeff)
    expect((await files.csv("items", "bom=false&fields=itemCode")).charCodeAt(0)).toBe("i".charCodeAt(0))
  })

  test("of one column has a line for each record, also for one without a value", async () => {
    expect(await files.csv("items", "fields=category")).toBe('category\r\nFurniture\r\n""\r\n\'@cmd\r\n')
  })
})

test("the export of an empty list has only titles, or nothing", async () => {
  expect(await files.csv("items", "itemCode=NONE&fields=itemCode,itemName")).toBe("itemCode,itemName\r\n")
  expect(await files.sheets("items", "itemCode=NONE&fields=itemCode")).toEqual([
    { name: "items", rows: [["itemCode"]] },
  ])
  expect(await files.records("items", "itemCode=NONE")).toEqual([])
})

test("the headers of a file are those of its HEAD", async () => {
  const { headers, status } = await download(kontor, api, "/items/export?format=ndjson")
  const head = await api.call("HEAD", "/items/export?format=ndjson")
  expect([status, head.status, head.text]).toEqual([200, 200, ""])
  for (const name of ["content-type", "content-disposition", "cache-control"])
    expect(headers.get(name)).toBe(head.headers.get(name))
})

test("an export of a search without words is that of the list", async () => {
  expect(await files.records("items", "search=")).toEqual(await listed("items"))
})

describe("invalid parameters", () => {
  const refusal = async (query: string) => refusalOf(await api.get(`/items/export?${query}`))

  test("of the file are named", async () => {
    for (const name of ["format", "delimiter", "decimal", "bom", "titles"])
      expect(await refusal(`${name}=x`)).toEqual({ status: 400, code: "INVALID_QUERY", fields: [name] })
    expect(await refusal("fields=")).toMatchObject({ status: 422, fields: ["fields"] })
    expect(await refusal("fields=itemCode,")).toMatchObject({ status: 422, fields: ["fields"] })
  })

  test("of pages and unknown fields are refused", async () => {
    for (const name of ["page", "perPage", "cursor", "sum", "expand"])
      expect(await refusal(`${name}=1`)).toMatchObject({ status: 400, fields: [name] })
    expect(await refusal("fields=itemCode,nope")).toMatchObject({ status: 400, fields: ["fields"] })
    expect(await refusal("fields=nope&format=ndjson")).toMatchObject({ status: 400, fields: ["fields"] })
    expect(await refusal("fields=address.city")).toMatchObject({ status: 400, fields: ["fields"] })
  })
})

describe("rights", () => {
  test("are those of the list", async () => {
    expect((await viewer.get("/items/export")).status).toBe(200)
    for (const kind of ["users", "oauth-clients", "audit-logs"])
      expect((await viewer.get(`/${kind}/export`)).status).toBe(403)
    expect((await viewer.get("/export.zip")).status).toBe(403)
  })

  test("restrict API keys to one's own; an admin gets all", async () => {
    expect(column(await ofViewer.rows("api-keys"), "name")).toEqual(["Of the viewer"])
    expect(column(await ofViewer.rows("api-keys", "name=Of+the+admin"), "name")).toEqual([])
    expect(column(await files.rows("api-keys"), "name")).toEqual(["Of the admin", "Of the viewer"])
  })
})
