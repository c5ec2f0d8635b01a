import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { manyRecords } from "../support/engine"
import { faultsOf, importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

const kontor = await serve()
const api = await signIn(kontor)
const shop = trade(api)
const imports = importer(api)
afterAll(cleanUp)

describe("The number of a customer in a file", () => {
  const customersBy = async (query: string) => (await api.get(`/customers?${query}`)).body.data

  test("of another system is kept, and finds the customer in the next import", async () => {
    const file = "Kd-Nr;Name\n10001;Alt GmbH\nk-77b;Zwei\n"
    expect(await imports.run("kind=customers", file)).toMatchObject({ faults: [], counts: { created: 2 } })
    expect((await customersBy("customerNumber[in]=10001,K-77B")).length).toBe(2)
    const changed = "customerNumber,name\n10001,Alt AG\nK-77b,Zwei\n"
    expect(await imports.run("kind=customers&mode=upsert", changed)).toMatchObject({
      counts: { updated: 1, unchanged: 1 },
    })
    const again = await imports.run("kind=customers", file)
    expect(faultsOf(again)).toEqual([
      [2, "customerNumber", 'customerNumber "10001" is already used by another customer.'],
      [3, "customerNumber", 'customerNumber "K-77B" is already used by another customer.'],
    ])
    const missing = await imports.run("kind=customers&mode=update", "customerNumber,name\n10009,Neu\n")
    expect(faultsOf(missing)).toEqual([[2, "customerNumber", 'customerNumber "10009" does not exist.']])
  })

  test("that Kontor will assign itself is not kept: the row gets the next one, and the column says so", async () => {
    const file = "customerNumber,name\nCUST-05000,Drittes\n"
    const dry = await imports.run("kind=customers&dryRun=true", file)
    expect(dry.columns[0]).toMatchObject({ field: "customerNumber", note: "NUMBER_ASSIGNED" })
    await imports.run("kind=customers", file)
    const [customer] = await customersBy("name=Drittes")
    expect(customer.customerNumber).toMatch(/^CUST-0000\d$/)
    const upsert = await imports.run("kind=customers&mode=upsert", file.replace("05000", "05001"))
    expect(faultsOf(upsert)).toEqual([
      [
        2,
        "customerNumber",
        'customerNumber "CUST-05001" does not exist. Numbers of this form are assigned by Kontor: map this column to externalId instead, or leave the cell empty.',
      ],
    ])
    expect(upsert.faults[0]).toMatchObject({ code: "RULE", params: { rule: "NUMBER_ASSIGNED" } })
    const known = "customerNumber,name,externalId\nCUST-05002,Viertes,old-4\n"
    expect(await imports.run("kind=customers&mode=upsert", known)).toMatchObject({ counts: { created: 1 } })
    expect(await imports.run("kind=customers&mode=upsert", known)).toMatchObject({ counts: { unchanged: 1 } })
  })
})

describe("A key that a file has twice", () => {
  test("is a fault of all its rows, and none of them is written when faults are skipped", async () => {
    const item = await shop.item({ itemCode: "TW-1" })
    await shop.item({ itemCode: "TW-2" })
    await shop.receive(item.id, 10)
    const file = "itemCode,counted\nTW-1,3\nTW-2,5\ntw-1,4\nTW-1 ,2\n"
    const dry = await imports.run("kind=stock-counts&dryRun=true", file)
    expect(dry.counts).toMatchObject({ rows: 4, valid: 1, invalid: 3, updated: 1 })
    const ended = await imports.run("kind=stock-counts&skipInvalid=true", file)
    expect(ended).toMatchObject({ status: "finished", counts: { valid: 1, invalid: 3, updated: 1 } })
    expect(faultsOf(ended)).toEqual([
      [2, "itemCode", 'itemCode "TW-1" is in row 4 too.'],
      [4, "itemCode", 'itemCode "tw-1" is in row 2 too.'],
      [5, "itemCode", 'itemCode "TW-1" is in row 2 too.'],
    ])
    expect((await shop.get("items", item.id)).currentStock).toBe(10)
  })

  test("is found in rows that are far apart", async () => {
    const count = manyRecords(3_000)
    const rows = Array.from({ length: count }, (_, i) => `FAR-${i % (count - 1)},x`)
    const ended = await imports.run("kind=items&skipInvalid=true", `itemCode,itemName\n${rows.join("\n")}\n`)
    expect(ended).toMatchObject({ counts: { rows: count, valid: count - 2, invalid: 2, created: count - 2 } })
    expect(ended.faults.map(({ row }: { row: number }) => row)).toEqual([2, count + 1])
  })
})

describe("A stock count by file", () => {
  test("takes a barcode in the column of the item code, and counts no item twice", async () => {
    const [lamp, desk] = [
      await shop.item({ itemCode: "BC-1", externalId: "4006381333931" }),
      await shop.item({ itemCode: "BC-2", externalId: "4006381333948" }),
    ]
    const file = "itemCode,counted\n4006381333931,6\n4006381333948,2\nbc-2,3\n4006381333955,1\n"
    const ended = await imports.run("kind=stock-counts&skipInvalid=true", file)
    expect(faultsOf(ended)).toEqual([
      [3, "itemCode", 'itemCode "4006381333948" is in row 4 too.'],
      [4, "itemCode", 'itemCode "bc-2" is in row 3 too.'],
      [5, "itemCode", 'itemCode "4006381333955" does not exist.'],
    ])
    expect((await shop.get("items", lamp.id)).currentStock).toBe(6)
    expect((await shop.get("items", desk.id)).currentStock).toBe(0)
  })
})

describe("An opening invoice", () => {
  test("cannot have a date in the future, but can be due in the future", async () => {
    const { customerNumber } = await shop.customer()
    const file = `invoiceNumber,customerNumber,invoiceDate,dueDate,balance\nFU/1,${customerNumber},2099-01-01,2099-02-01,5\nFU/2,${customerNumber},2025-01-01,2099-02-01,5\n`
    const ended = await imports.run("kind=opening-invoices&dryRun=true", file)
    expect(ended.counts).toMatchObject({ valid: 1, invalid: 1 })
    expect(faultsOf(ended)).toEqual([[2, "invoiceDate", "invoiceDate must not be in the future."]])
    expect(ended.faults[0].params).toMatchObject({ rule: "NOT_AFTER_TODAY" })
  })
})

describe("The columns of a file", () => {
  test("that are missing are all named at once", async () => {
    const ended = await imports.run("kind=opening-invoices", "invoiceNumber,other\nMI/1,x\n")
    expect(ended.error).toMatchObject({
      message:
        "No column was found for invoiceDate, balance, customerNumber or customerExternalId or customer. Name them with mapping=invoiceDate:COLUMN,balance:COLUMN,customerNumber:COLUMN. The columns are invoiceNumber, other.",
      params: {
        reason: "COLUMN_MISSING",
        fields: "invoiceDate, balance, customerNumber or customerExternalId or customer",
      },
    })
    const named = await imports.run("kind=items&mapping=itemCode:Nr,itemName:Text", "A,B\n1,2\n")
    expect(named.error.message).toBe('The file has no columns "Nr", "Text". Its columns are A, B.')
    const one = await imports.run("kind=items&mapping=itemCode:Nr", "A,itemName\n1,2\n")
    expect(one.error.message).toBe('The file has no column "Nr". Its columns are A, itemName.')
  })

  test.each([
    ["Belegnr;Debitor", ["invoiceNumber", "customerNumber"]],
    ["Belegnummer;Debitorennummer", ["invoiceNumber", "customerNumber"]],
    ["Beleg-Nr.;Debitoren-Nr.", ["invoiceNumber", "customerNumber"]],
    ["Kreditor;Kreditorennummer", [null, null]],
  ])("%s are recognized as accountants in Germany title them", async (titles, fields) => {
    const { columns } = await imports.run("kind=opening-invoices&dryRun=true", `${titles};Saldo\nA;B;1\n`)
    expect(columns.map(({ field }: { field: string }) => field)).toEqual([...fields, "balance"])
  })
})
