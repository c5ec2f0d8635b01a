import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { faultsOf, importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"

const kontor = await serve()
const api = await signIn(kontor)
const imports = importer(api)
afterAll(cleanUp)

const itemsBy = async (query: string) => (await api.get(`/items?${query}`)).body.data
const set = (change: object) => api.patch("/settings", change)

/** A price list as a shop has it: a title, signs, a sum at the end. */
const priceList = [
  "Preisliste Hafen & Söhne",
  "Stand 1. März 2026",
  "",
  "Art.-Nr.;Bezeichnung;VK brutto;EK;MwSt;Lagernd;Aktiv",
  'F-1;"Lampe, groß";1.190,00 €;500,00 €;19 %;3;ja',
  "F-2;Buch;10,70 €;5,- €;7 %;4;sì",
  "Summe;;1.200,70 €;505,00 €;;7;",
  "",
].join("\r\n")

describe("A price list with a title, signs of currencies and a sum", () => {
  test("is read as it is meant: the titles are found, the sum is left out and listed, gross becomes net", async () => {
    expect((await set({ currency: "EUR", pricesIncludeTax: false })).status).toBe(200)
    const ended = await imports.run("kind=items", priceList)
    expect(ended).toMatchObject({
      status: "finished",
      faults: [],
      counts: { rows: 2, created: 2 },
      format: { delimiter: ";", decimal: ",", headingRow: 4 },
      skippedRows: [{ row: 7, text: "Summe · 1.200,70 € · 505,00 € · 7" }],
    })
    expect(ended.beginning.map(({ row }: { row: number }) => row)).toEqual([1, 2, 4, 5, 6, 7])
    expect(ended.columns[2]).toMatchObject({
      field: "sellingPrice",
      prices: "gross",
      isConverted: true,
      number: { decimal: ",", signs: ["€"], example: { text: "1.190,00 €", value: 1190 } },
    })
    expect(ended.columns[3]).toMatchObject({ field: "costPrice", prices: "net", isConverted: false })
    expect(ended.columns[4]).toMatchObject({ field: "taxRate", number: { signs: ["%"] } })
    expect(ended.columns[0]).not.toHaveProperty("number")
    expect(await itemsBy("itemCode[in]=F-1,F-2&sort=itemCode&order=asc")).toMatchObject([
      { itemName: "Lampe, groß", sellingPrice: 1000, costPrice: 500, taxRate: 19, isActive: true },
      { itemName: "Buch", sellingPrice: 10, costPrice: 5, taxRate: 7, isActive: true },
    ])
  })

  test("can be read in another way: another row of titles, the sum as a row, the prices as they are", async () => {
    const sums = await imports.run("kind=items&mode=upsert&dryRun=true&skipTotals=false", priceList)
    expect(sums).toMatchObject({ counts: { rows: 3, invalid: 1 }, skippedRows: [] })
    const title = await imports.run("kind=items&dryRun=true&headingRow=1", priceList)
    expect(title).toMatchObject({ status: "failed", error: { params: { reason: "COLUMN_MISSING" } } })
    const net = await imports.run("kind=items&mode=upsert&prices=sellingPrice:net", priceList)
    expect(net.columns[2]).toMatchObject({ prices: "net", isConverted: false })
    expect(await itemsBy("itemCode=F-2")).toMatchObject([{ sellingPrice: 10.7 }])
  })

  test.each([
    ["headingRow=0", "headingRow"],
    ["headingRow=1001", "headingRow"],
    ["headingRow=x", "headingRow"],
    ["skipTotals=no", "skipTotals"],
    ["prices=sellingPrice:brutto", "prices"],
    ["prices=itemName:gross", "prices"],
    ["prices=sellingPrice:gross,sellingPrice:net", "prices"],
    ["prices=x:net,y:gross", "prices"],
  ])("is refused with the query %p", async (query, field) => {
    const answer = await imports.send(`kind=items&${query}`, "itemCode,itemName\nQ,q\n")
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field])
    expect(answer.text.length).toBeLessThan(2_000)
  })
})

describe("The numbers of a file", () => {
  test("are read column by column, and a price of another currency is a fault", async () => {
    const file =
      'itemCode,itemName,sellingPrice,costPrice\nN-1,a,"1.234,50",1.25\nN-2,b,"2,50","1,234.50"\nN-3,c,$5.00,1.00\n'
    const ended = await imports.run("kind=items&skipInvalid=true", file)
    expect(faultsOf(ended)).toEqual([
      [4, "sellingPrice", '"$5.00" is in another currency: $ is not EUR, the currency of the company.'],
    ])
    expect(ended.columns[2].number).toMatchObject({ decimal: ",", signs: ["$"] })
    expect(ended.columns[3].number).toMatchObject({ decimal: ".", isDecimalGuessed: false })
    expect(await itemsBy("itemCode[in]=N-1,N-2&sort=itemCode&order=asc")).toMatchObject([
      { sellingPrice: 1234.5, costPrice: 1.25 },
      { sellingPrice: 2.5, costPrice: 1234.5 },
    ])
  })
})

describe("Gross and net prices", () => {
  test("become those of the shop with the rate of the row, of its tax code, of the item or of the default code", async () => {
    const code = await api.create("/tax-codes", { code: "G19", name: "Standard", category: "S", rate: 19 })
    await imports.run("kind=items", "itemCode,itemName,sellingPrice,taxRate\nGN-3,c,1,7\n")
    const file = [
      "itemCode,itemName,VK brutto,taxRate,taxCode",
      "GN-1,a,119,19,",
      "GN-2,b,9.99,,G19",
      "GN-3,c,10.70,,",
    ]
    expect((await imports.run("kind=items&mode=upsert", file.join("\n"))).faults).toEqual([])
    const prices = async () =>
      (await itemsBy("itemCode[like]=GN-%25&sort=itemCode&order=asc")).map(
        (item: { sellingPrice: number }) => item.sellingPrice,
      )
    expect(await prices()).toEqual([100, 8.395, 10])
    const without = await imports.run("kind=items", "itemCode,itemName,VK brutto\nGN-4,d,119\n")
    expect(faultsOf(without)).toEqual([
      [
        2,
        "taxRate",
        "taxRate is needed to convert the gross price of sellingPrice to a net one: add a column with the tax rate, or set a default tax code.",
      ],
    ])
    await set({ defaultTaxCode: code.id })
    expect(await imports.run("kind=items", "itemCode,itemName,VK brutto\nGN-4,d,119\n")).toMatchObject({
      status: "finished",
    })
    expect(await prices()).toEqual([100, 8.395, 10, 100])
    await set({ pricesIncludeTax: true })
    const gross = "itemCode,VK netto,VK brutto,EK brutto\nGN-1,9.99,11.89,119\nGN-2,0.01,0.02,1.19\n"
    const both = await imports.run("kind=items&mode=update", gross)
    expect(both.columns.map(({ field }: { field: string }) => field)).toEqual([
      "itemCode",
      null,
      "sellingPrice",
      "costPrice",
    ])
    expect(await itemsBy("itemCode=GN-1")).toMatchObject([{ sellingPrice: 11.89, costPrice: 100 }])
    const net = "itemCode,VK netto\nGN-1,9.99\n"
    expect((await imports.run("kind=items&mode=update", net)).faults).toEqual([])
    expect(await itemsBy("itemCode=GN-1")).toMatchObject([{ sellingPrice: 11.89 }])
    await set({ pricesIncludeTax: false, defaultTaxCode: null })
  })
})

describe("Words in a file of customers", () => {
  test("are countries, languages and titles of six languages", async () => {
    const rows = [
      ["Deutschland", "Deutsch"],
      ["D", "allemand"],
      ["Tyskland", ""],
      ["Alemania", "alemán"],
      ["Austria", "English"],
      ["Oostenrijk", "Engels"],
      ["Zwitserland", "französisch"],
      ["Großbritannien", "en-GB"],
      ["United States of America", "inglese"],
    ]
    const file = `Kd.-Nr.;Raison sociale;País;Lingua\n${rows.map((row, i) => `W${i};Firma ${i};${row.join(";")}\n`).join("")}`
    const ended = await imports.run("kind=customers&skipInvalid=true", file)
    expect(faultsOf(ended).map(([row]) => row)).toEqual([4])
    const found = (await api.get("/customers?customerNumber[like]=W%25&sort=createdAt&order=asc")).body.data
    expect(
      found.map((each: { address: { country: string }; language: string }) => [
        each.address.country,
        each.language,
      ]),
    ).toEqual([
      ["DE", "de"],
      ["DE", "de"],
      ["DE", "de"],
      ["AT", "en"],
      ["AT", "en"],
      ["CH", "fr"],
      ["GB", "en"],
      ["US", "en"],
    ])
  })
})

test("New items get the unit of the shop and the tax code of their rate, and existing ones keep theirs.", async () => {
  await api.put("/settings", { defaultUnit: "Stk" })
  const { id } = await api.create("/tax-codes", { code: "RATE17", name: "17 %", category: "S", rate: 17 })
  await api.create("/items", { itemCode: "OLD-17", itemName: "Old", uom: "kg" })
  const file = "itemCode,itemName,taxRate\nNEW-17,New,17\nNEW-18,Other,18\nOLD-17,Older,17\n"
  await importer(api).run("kind=items&mode=upsert", file)
  const { data } = (await api.get("/items?itemCode[in]=NEW-17,NEW-18,OLD-17&sort=itemCode&order=asc")).body
  expect(data).toMatchObject([
    { itemCode: "NEW-17", uom: "Stk", taxCode: id, taxRate: 17 },
    { itemCode: "NEW-18", uom: "Stk", taxCode: null, taxRate: 18 },
    { itemCode: "OLD-17", uom: "kg", taxCode: null, taxRate: 17 },
  ])
  await api.put("/settings", { defaultUnit: null })
})
