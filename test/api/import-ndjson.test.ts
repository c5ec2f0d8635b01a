import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { faultsOf, importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

const api = await signIn(await serve())
const imports = importer(api)
afterAll(cleanUp)

describe("NDJSON", () => {
  const type = { "content-type": "application/x-ndjson" }
  const run = (query: string, ...lines: (object | string)[]) =>
    imports.run(
      query,
      lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
      type,
    )
  const shop = trade(api)

  test("has its keys as columns, the parts of objects too, and its lines as rows", async () => {
    const found = await run(
      "kind=customers&dryRun=true",
      { name: "One", address: { city: "Ulm" }, metadata: { a: "1" }, colour: "red" },
      "",
      { name: "Two", address: null, email: null, "address.city": "Bonn", creditLimit: 5 },
    )
    expect(found).toMatchObject({
      status: "finished",
      counts: { rows: 2, valid: 2, created: 2 },
      format: { type: "ndjson", encoding: "utf-8", delimiter: null, headingRow: 0 },
    })
    expect(found.columns.map(({ column, field }: Record<string, string>) => [column, field])).toEqual([
      ["name", "name"],
      ["address.city", "address.city"],
      ["metadata", "metadata"],
      ["colour", null],
      ["address.city (2)", null],
      ["creditLimit", "creditLimit"],
    ])
  })

  test("names each wrong line, and imports the others", async () => {
    const found = await run(
      "kind=items&skipInvalid=true",
      {
        itemCode: "ND-1",
        itemName: "Summe",
        sellingPrice: 1.5,
        isActive: false,
        images: ["https://a.example/1"],
      },
      "{itemCode: 1}",
      "[1]",
      { itemCode: "ND-2", itemName: "Wrong", sellingPrice: "many" },
      { itemCode: "ND-3", itemName: "'=Total", metadata: { "=a": "'b" } },
      `{"itemCode":"ND-4","itemName":${"[".repeat(50)}${"]".repeat(50)}}`,
      "{}",
      { itemCode: "ND-5", itemName: "Total" },
    )
    expect(found).toMatchObject({ status: "finished", counts: { rows: 7, created: 3, invalid: 4 } })
    expect(faultsOf(found).map(([row, field]) => `${row} ${field}`)).toEqual([
      "2 null",
      "3 null",
      "4 sellingPrice",
      "6 null",
    ])
    expect(found.faults[0]).toMatchObject({ code: "NOT_AN_OBJECT", params: { value: "{itemCode: 1}" } })
    const { data } = (await api.get("/items?itemCode[like]=ND-%25&sort=itemCode&order=asc")).body
    expect(data).toMatchObject([
      { itemCode: "ND-1", sellingPrice: 1.5, isActive: false, images: ["https://a.example/1"] },
      { itemName: "'=Total", metadata: { "=a": "'b" } },
      { itemCode: "ND-5", itemName: "Total" },
    ])
    for (const { id } of data) await api.delete(`/items/${id}`)
  })

  test("changes what its lines name, and leaves what they do not or what is null", async () => {
    const { id } = await shop.item({ itemCode: "ND-U", category: "Old", metadata: { a: "1" } })
    const line = { itemCode: "nd-u", itemName: "New", category: null, id: "itm_other", version: 99 }
    expect(await run("kind=items&mode=update", line)).toMatchObject({ counts: { updated: 1 } })
    expect((await api.get(`/items/${id}`)).body.data).toMatchObject({
      itemName: "New",
      category: "Old",
      metadata: { a: "1" },
    })
    await api.delete(`/items/${id}`)
  })

  test("with a line that never ends is refused", async () => {
    const long = await run("kind=items", { itemCode: "L", itemName: "x".repeat(1_000_001) })
    expect(long).toMatchObject({ status: "failed", error: { params: { reason: "ROW_TOO_LONG" } } })
    expect((await api.get("/items")).body.meta.total).toBe(0)
  })
})
