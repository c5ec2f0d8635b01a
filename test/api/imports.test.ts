import { afterAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn } from "../support/api"
import { manyRecords } from "../support/engine"
import { inFile } from "../support/file"
import { copyImport, faultsOf, importer } from "../support/imports"
import { adminEmail, cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

const kontor = await serve()
const api = await signIn(kontor)
const shop = trade(api)
const imports = importer(api)
afterAll(cleanUp)

const itemsBy = async (query: string) => (await api.get(`/items?${query}`)).body.data
const uploadsLeft = () =>
  inFile(kontor, (db) => db.query<{ n: number }, []>("SELECT count(*) AS n FROM uploads").get()?.n)

describe("POST /imports", () => {
  test("answers 202 with a job, whose file and rows are recognized and written in the background", async () => {
    const file = "itemCode,itemName,sellingPrice\r\nIM-1,Chair,10.5\r\nIM-2,Table,99\r\n"
    const answer = await imports.send("kind=items&fileName=shop.csv", file)
    expect(answer.status).toBe(202)
    const { id } = answer.body.data
    expect(answer.headers.get("location")).toBe(`/api/v1/imports/${id}`)
    expect(id).toMatch(/^imp_[0-9a-z]{26}$/)
    expect(answer.body.data).toMatchObject({ kind: "items", mode: "create", status: "queued", progress: 0 })
    const ended = await imports.wait(id)
    expect(ended).toMatchObject({
      status: "finished",
      progress: 100,
      fileName: "shop.csv",
      counts: { rows: 2, valid: 2, invalid: 0, created: 2, updated: 0, unchanged: 0, failed: 0 },
      format: { type: "csv", encoding: "utf-8", delimiter: ",", decimal: "." },
      columns: [
        { column: "itemCode", field: "itemCode", samples: ["IM-1", "IM-2"] },
        { column: "itemName", field: "itemName" },
        { column: "sellingPrice", field: "sellingPrice" },
      ],
      firstRows: [
        ["IM-1", "Chair", "10.5"],
        ["IM-2", "Table", "99"],
      ],
      faults: [],
      faultCount: 0,
      error: null,
    })
    expect(await itemsBy("itemCode=IM-1")).toMatchObject([{ itemName: "Chair", sellingPrice: 10.5 }])
    const [{ id: item }] = await itemsBy("itemCode=IM-2")
    const history = (await api.get(`/items/${item}/history`)).body.data
    expect(history).toMatchObject([{ action: "items.create", actorName: expect.any(String) }])
    while (uploadsLeft() !== 0) await Bun.sleep(20)
    const entries = (await api.get(`/audit-logs?recordId=${id}&order=asc`)).body.data
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(["imports.create", "imports.end"])
  })

  test("understands a CSV file of a German Excel: semicolons, decimal commas, Windows-1252, German titles", async () => {
    const text = "Artikel-Nr.;Bezeichnung;VK-Preis;MwSt;Aktiv\r\nDE-1;Türgriff für Bäder €;1.234,56;19;ja\r\n"
    const latin: Record<string, number> = { ü: 0xfc, ä: 0xe4, "€": 0x80 }
    const bytes = Uint8Array.from([...text].map((letter) => latin[letter] ?? letter.charCodeAt(0)))
    const ended = await imports.run("kind=items", bytes)
    expect(ended).toMatchObject({
      status: "finished",
      format: { encoding: "windows-1252", delimiter: ";", decimal: "," },
    })
    expect(await itemsBy("itemCode=DE-1")).toMatchObject([
      { itemName: "Türgriff für Bäder €", sellingPrice: 1234.56, taxRate: 19, isActive: true },
    ])
  })

  test("understands UTF-16 with a byte order mark, tabs, quotes and line breaks inside cells", async () => {
    const text = '\uFEFFitemCode\titemName\tdescription\nU-1\t"A ""big"" one"\t"first\nsecond"\n'
    const ended = await imports.run("kind=items", new Uint8Array(Buffer.from(text, "utf16le")))
    expect(ended).toMatchObject({ status: "finished", format: { encoding: "utf-16le", delimiter: "\t" } })
    expect(await itemsBy("itemCode=U-1")).toMatchObject([
      { itemName: 'A "big" one', description: "first\nsecond" },
    ])
  })

  test("recognizes the decimal sign by the columns that are numbers, not by texts", async () => {
    const file = 'itemCode,itemName,sellingPrice\nDS-1,"1.234,56",2.5\nDS-2,"7.000,50",3.25\n'
    expect(await imports.run("kind=items", file)).toMatchObject({
      status: "finished",
      format: { decimal: "." },
    })
    expect(await itemsBy("itemCode=DS-1")).toMatchObject([{ itemName: "1.234,56", sellingPrice: 2.5 }])
  })

  test("refuses numbers that can be read in two ways until the decimal sign is set", async () => {
    const file = "itemCode;itemName;sellingPrice\nTW-1;x;1.234\n"
    const unsure = await imports.run("kind=items", file)
    expect(unsure).toMatchObject({ status: "failed", format: { isDecimalGuessed: true } })
    expect(faultsOf(unsure)).toEqual([
      [2, "sellingPrice", '"1.234" can be read in two ways: set the decimal sign of the file.'],
    ])
    expect(await imports.run("kind=items&decimal=,", file)).toMatchObject({ status: "finished" })
    expect(await itemsBy("itemCode=TW-1")).toMatchObject([{ sellingPrice: 1234 }])
  })

  test("refuses dates that can be several days until their order is set, and a month before its day", async () => {
    const { customerNumber } = await shop.customer()
    const fileOf = (...dates: string[]) =>
      `invoiceNumber;customerNumber;invoiceDate;balance\n${dates.map((date, i) => `DO/${i};${customerNumber};${date};1,50\n`).join("")}`
    const run = (file: string, query = "") => imports.run(`kind=opening-invoices&dryRun=true${query}`, file)
    const unsure = await run(fileOf("26-02-01", "03/04/2026", "2026-03-01", "1.3.26", "02.13.2026"))
    expect(unsure).toMatchObject({ counts: { valid: 2, invalid: 3 }, format: { isDateOrderGuessed: true } })
    expect(faultsOf(unsure)).toEqual([
      [
        2,
        "invoiceDate",
        '"26-02-01" can be read in several ways: set the order of day, month and year (dateOrder).',
      ],
      [
        3,
        "invoiceDate",
        '"03/04/2026" can be read in several ways: set the order of day, month and year (dateOrder).',
      ],
      [6, "invoiceDate", '"02.13.2026" is not a date: with points, it must be day.month.year.'],
    ])
    expect(await run(fileOf("26-02-01"), "&dateOrder=ymd")).toMatchObject({ counts: { valid: 1 } })
    // One date that can only be read in one way tells the order of the others.
    expect(await run(fileOf("03/04/26", "03/25/26"))).toMatchObject({
      counts: { valid: 2, invalid: 0 },
      format: { dateOrder: "mdy", isDateOrderGuessed: false },
    })
  })

  test("refuses a UTF-8 file with damaged characters instead of reading all of it wrongly", async () => {
    const bytes = Buffer.concat([
      Buffer.from("itemCode,itemName\nDM-1,Größe\nDM-2,caf"),
      Buffer.from([0xe9, 0x0a]),
    ])
    const ended = await imports.run("kind=items", new Uint8Array(bytes))
    expect(ended).toMatchObject({ status: "failed", error: { message: expect.stringContaining("UTF-8") } })
    expect(await itemsBy("itemCode=DM-1")).toEqual([])
  })

  test("maps columns as told, leaves fields out, and reads a set format instead of the recognized one", async () => {
    const file = 'Nr,Text,Preis,itemName\nM-1,Right,"1,5",Wrong\n'
    const mapping = encodeURIComponent("itemCode:Nr,itemName:Text,sellingPrice:Preis")
    const ended = await imports.run(`kind=items&decimal=,&mapping=${mapping}`, file)
    expect(ended.columns.map(({ field }: { field: string }) => field)).toEqual([
      "itemCode",
      "itemName",
      "sellingPrice",
      null,
    ])
    expect(await itemsBy("itemCode=M-1")).toMatchObject([{ itemName: "Right", sellingPrice: 1.5 }])
    const without = await imports.run(
      "kind=items&mapping=sellingPrice:",
      "itemCode,itemName,sellingPrice\nM-2,x,5\n",
    )
    expect(without.status).toBe("finished")
    expect(await itemsBy("itemCode=M-2")).toMatchObject([{ sellingPrice: 0 }])
  })

  test("a title with a comma or a colon is percent-encoded inside the mapping", async () => {
    const title = "Code, new: 1"
    const mapping = encodeURIComponent(`itemCode:${encodeURIComponent(title)}`)
    const ended = await imports.run(`kind=items&mapping=${mapping}`, `"${title}",itemName\nPC-1,x\n`)
    expect(ended).toMatchObject({ status: "finished", counts: { created: 1 } })
  })
})

describe("The rows of an import", () => {
  test("are all checked first, and nothing is written if one is wrong", async () => {
    const file =
      "itemCode,itemName,sellingPrice,isActive,images\nOK-1,Fine,1,yes,\n,No code,2,,\nOK-3,Price,-1,,\nOK-4,Text,abc,perhaps,\nok-1,Twice,1,,ftp://x\n"
    const ended = await imports.run("kind=items", file)
    expect(ended).toMatchObject({
      status: "failed",
      error: { code: "IMPORT_INVALID", message: expect.stringContaining("5 of 5 rows are wrong") },
      counts: { rows: 5, valid: 0, invalid: 5, created: 0 },
    })
    expect(faultsOf(ended)).toEqual([
      [2, "itemCode", 'itemCode "OK-1" is in row 6 too.'],
      [3, "itemCode", "itemCode is required."],
      [4, "sellingPrice", "sellingPrice must be at least 0."],
      [5, "sellingPrice", '"abc" is not a number.'],
      [5, "isActive", expect.stringContaining('"perhaps"')],
      [6, "itemCode", 'itemCode "ok-1" is in row 2 too.'],
      [6, "images[0]", "images[0] must be an http or https URL."],
    ])
    expect(ended.faults[2].column).toBe("sellingPrice")
    expect(await itemsBy("itemCode=OK-1")).toEqual([])
    const csv = await api.get(`/imports/${ended.id}/faults?delimiter=;`)
    expect(csv.headers.get("content-type")).toContain("text/csv")
    expect(csv.text.trim().split("\r\n")).toHaveLength(8)
    expect(csv.text).toContain("3;itemCode;itemCode;itemCode is required.")
    const lines = await api.get(`/imports/${ended.id}/faults?format=ndjson`)
    expect(lines.headers.get("content-type")).toStartWith("application/x-ndjson")
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line: string) => JSON.parse(line)),
    ).toEqual(ended.faults)
    expect(refusalOf(await api.get(`/imports/${ended.id}/faults?format=pdf`))).toMatchObject({ status: 400 })
  })

  test.each([
    ["The only row is wrong", ["N-1,"]],
    ["2 of 2 rows are wrong", ["N-1,", "N-2,"]],
    ["1 of 2 rows is wrong", ["N-1,", "N-2,x"]],
    ["2 of 3 rows are wrong", ["N-1,", "N-2,x", "N-3,"]],
  ])("are counted in a sentence: %s", async (sentence, rows) => {
    const { error, counts } = await imports.run("kind=items", `itemCode,itemName\n${rows.join("\n")}\n`)
    expect(error.message).toStartWith(`${sentence}, so nothing was imported.`)
    expect(error.params).toEqual({ invalid: counts.invalid, rows: rows.length })
  })

  test("that are wrong are skipped on request, and the others are written", async () => {
    const file = "itemCode,itemName,sellingPrice\nSK-1,Fine,1\nSK-2,Wrong,x\nSK-3,Fine,3\n"
    const ended = await imports.run("kind=items&skipInvalid=true", file)
    expect(ended).toMatchObject({
      status: "finished",
      counts: { rows: 3, valid: 2, invalid: 1, created: 2, failed: 0 },
      faultCount: 1,
    })
    expect(await itemsBy("itemCode[in]=SK-1,SK-2,SK-3&sort=itemCode&order=asc")).toMatchObject([
      { itemCode: "SK-1" },
      { itemCode: "SK-3" },
    ])
  })

  test("are only checked in a dry run, which tells what would happen", async () => {
    await shop.item({ itemCode: "DRY-1", itemName: "Old" })
    const file = "itemCode,itemName\nDRY-1,New\nDRY-2,Second\nDRY-3,\n"
    const answer = await imports.send("kind=items&mode=upsert&dryRun=true", file)
    expect(answer.headers.get("dry-run")).toBe("true")
    const ended = await imports.wait(answer.body.data.id)
    expect(ended).toMatchObject({
      status: "finished",
      counts: { rows: 3, valid: 2, invalid: 1, created: 1, updated: 1 },
      faults: [{ row: 4, field: "itemName" }],
    })
    expect(await itemsBy("itemCode[like]=DRY%25")).toMatchObject([{ itemName: "Old", version: 1 }])
  })

  test("update records by their code, and an empty cell leaves a field as it is", async () => {
    const item = await shop.item({ itemCode: "UP-1", category: "Old", sellingPrice: 7 })
    const file = "itemCode,itemName,category,sellingPrice\nup-1,Renamed,,8\n"
    const ended = await imports.run("kind=items&mode=update", file)
    expect(ended).toMatchObject({ status: "finished", counts: { updated: 1 } })
    expect(await shop.get("items", item.id)).toMatchObject({
      itemName: "Renamed",
      category: "Old",
      sellingPrice: 8,
      version: 2,
    })
    const missing = await imports.run("kind=items&mode=update", "itemCode,itemName\nNONE-1,x\n")
    expect(missing).toMatchObject({ status: "failed", counts: { invalid: 1 } })
    expect(faultsOf(missing)).toEqual([[2, "itemCode", 'itemCode "NONE-1" does not exist.']])
  })

  test("that exist are refused when they are to be created", async () => {
    await shop.item({ itemCode: "DUP-1" })
    const ended = await imports.run("kind=items", "itemCode,itemName\nDUP-1,x\n")
    expect(ended).toMatchObject({ status: "failed", faults: [{ row: 2, field: "itemCode" }] })
  })

  test("repeated as an upsert change nothing", async () => {
    const file =
      'itemCode,itemName,sellingPrice,isActive,metadata\nRE-1,One,1.5,true,"{""a"":""1""}"\nRE-2,Two,2,no,\n'
    expect(await imports.run("kind=items&mode=upsert", file)).toMatchObject({ counts: { created: 2 } })
    const before = await itemsBy("itemCode[like]=RE-%25")
    expect(await imports.run("kind=items&mode=upsert", file)).toMatchObject({
      counts: { created: 0, updated: 0, unchanged: 2 },
    })
    expect(await itemsBy("itemCode[like]=RE-%25")).toEqual(before)
  })

  test("name a tax code by its code", async () => {
    const code = await api.create("/tax-codes", { code: "IMP19", name: "Standard", category: "S", rate: 19 })
    const ended = await imports.run(
      "kind=items&skipInvalid=true",
      "itemCode,itemName,taxCode\nTC-1,x,imp19\nTC-2,y,none\n",
    )
    expect(await itemsBy("itemCode=TC-1")).toMatchObject([{ taxCode: code.id, taxRate: 19 }])
    expect(faultsOf(ended)).toEqual([[3, "taxCode", 'taxCode "none" does not exist.']])
  })

  test("strip the apostrophe that protects text in spreadsheets", async () => {
    await imports.run("kind=items", "itemCode,itemName,category\nAP-1,'=SUM(A1),''quoted\n")
    expect(await itemsBy("itemCode=AP-1")).toMatchObject([{ itemName: "=SUM(A1)", category: "'quoted" }])
  })
})

describe("Other kinds of imports", () => {
  test("opening invoices can only be created", async () => {
    const refused = await imports.send("kind=opening-invoices&mode=upsert", "invoiceNumber\nA\n")
    expect(refusalOf(refused)).toEqual({ status: 400, code: "INVALID_QUERY", fields: ["mode"] })
  })

  test("customers have addresses with names of countries, numbers of ours, and are found by them", async () => {
    const file =
      "Firma;Straße;PLZ;Ort;Land;E-Mail;Kreditlimit\nNordlicht;Hafen 1;20457;Hamburg;Deutschland;a@example.com;1000\n"
    const ended = await imports.run("kind=customers", file)
    expect(ended).toMatchObject({ status: "finished", counts: { created: 1 } })
    const [customer] = (await api.get("/customers?name=Nordlicht")).body.data
    expect(customer).toMatchObject({
      email: "a@example.com",
      creditLimit: 1000,
      address: { street: "Hafen 1", zipCode: "20457", city: "Hamburg", country: "DE" },
    })
    const change = `customerNumber,name,phone\n${customer.customerNumber},Nordlicht GmbH,'+49 40 1\n`
    expect(await imports.run("kind=customers&mode=update", change)).toMatchObject({ counts: { updated: 1 } })
    expect(await shop.get("customers", customer.id)).toMatchObject({
      name: "Nordlicht GmbH",
      phone: "+49 40 1",
    })
  })

  test("of items are found by their barcode if they have no code, which is never given to another item", async () => {
    const titles = ["EAN", "GTIN", "Barcode", "EAN-Code", "Strichcode", "Code-barres"]
    for (const title of titles) {
      const file = `${title};Artikelnummer;Bezeichnung\n4006381333931;EAN-1;Scanned\n`
      const { columns } = await imports.run("kind=items&mode=upsert&dryRun=true", file)
      expect(columns).toMatchObject([{ column: title, field: "barcode" }, {}, {}])
    }
    await imports.run("kind=items", "EAN;Artikelnummer;Bezeichnung\n4006381333931;EAN-1;Scanned\n")
    const priced = await imports.run("kind=items&mode=update", "EAN;VK\n4 006381 333931;7,50\n")
    expect(priced.counts).toMatchObject({ rows: 1, updated: 1 })
    const [item] = (await api.get("/items?itemCode=EAN-1")).body.data
    expect(item).toMatchObject({ barcode: "4006381333931", sellingPrice: 7.5, externalId: null })
    const other = "EAN;Artikelnummer;Bezeichnung\n4006381333931;EAN-2;Renamed\n"
    expect(faultsOf(await imports.run("kind=items&mode=upsert", other))).toEqual([
      [2, "barcode", expect.stringContaining("is already used")],
    ])
  })

  test("stock counts find items by their barcode, also in the column of the code", async () => {
    const { id } = await shop.item({ itemCode: "SB-1", barcode: "4006381333948" })
    const stockAfter = async (file: string) => {
      const ended = await imports.run("kind=stock-counts", file)
      expect(faultsOf(ended)).toEqual([])
      return (await shop.get("items", id)).currentStock
    }
    expect(await stockAfter("EAN;Menge\n4006381333948;3\n")).toBe(3)
    expect(await stockAfter("Artikelnummer;Menge\n4006381333948;4\n")).toBe(4)
    const external = await shop.item({ itemCode: "SB-2", externalId: "4006381333955" })
    await imports.run("kind=stock-counts", "EAN;Menge\n4006381333955;5\n")
    expect((await shop.get("items", external.id)).currentStock).toBe(5)
  })

  test("stock counts set the stock of items and write the differences", async () => {
    const [less, same] = [await shop.item({ itemCode: "SC-1" }), await shop.item({ itemCode: "SC-2" })]
    const service = await shop.item({ itemCode: "SC-3", itemType: "Service" })
    await shop.receive(less.id, 10)
    await shop.receive(same.id, 4)
    const file = "Artikelnummer;Bestand\nSC-1;7,5\nSC-2;4\nSC-3;1\nSC-4;1\n"
    const ended = await imports.run("kind=stock-counts&skipInvalid=true&fileName=count.csv", file)
    expect(ended).toMatchObject({
      status: "finished",
      counts: { valid: 2, invalid: 2, updated: 1, unchanged: 1 },
    })
    expect(faultsOf(ended)).toEqual([
      [4, "itemCode", "itemCode is a service."],
      [5, "itemCode", 'itemCode "SC-4" does not exist.'],
    ])
    expect((await shop.get("items", less.id)).currentStock).toBe(7.5)
    const [movement] = (await api.get(`/stock-movements?item=${less.id}&perPage=1`)).body.data
    expect(movement).toMatchObject({
      quantity: -2.5,
      reason: "adjustment",
      sourceType: "stock-count",
      note: "count.csv",
    })
    expect((await shop.get("items", service.id)).currentStock).toBe(0)
  })

  test("opening invoices keep their number and are open", async () => {
    const customer = await shop.customer()
    const file = `Rechnungsnummer;Kundennummer;Rechnungsdatum;Fällig am;Offener Betrag\nALT/77;${customer.customerNumber};31.12.2025;30.01.2026;1.190,00\n`
    const ended = await imports.run("kind=opening-invoices", file)
    expect(ended).toMatchObject({ status: "finished", counts: { created: 1 } })
    const [invoice] = (await api.get("/invoices?invoiceNumber=ALT/77")).body.data
    expect(invoice).toMatchObject({
      isOpening: true,
      invoiceDate: "2025-12-31",
      dueDate: "2026-01-30",
      balance: 1190,
      status: "unpaid",
    })
    expect((await shop.get("customers", customer.id)).outstandingBalance).toBe(1190)
  })
})

describe("A request to import", () => {
  test.each([
    ["", 422, "VALIDATION_ERROR"],
    ["kind=users", 400, "INVALID_QUERY"],
    ["kind=items&mode=replace", 400, "INVALID_QUERY"],
    ["kind=items&dryRun=yes", 400, "INVALID_QUERY"],
    ["kind=items&mapping=nothing:x", 400, "INVALID_QUERY"],
    ["kind=items&mapping=itemCode:a,itemCode:b", 400, "INVALID_QUERY"],
    ["kind=items&mapping=itemCode:a,itemName:a", 400, "INVALID_QUERY"],
    ["kind=items&delimiter=x", 400, "INVALID_QUERY"],
    ["kind=items&encoding=latin1", 400, "INVALID_QUERY"],
    ["kind=items&what=1", 400, "INVALID_QUERY"],
    [`kind=items&fileName=${"x".repeat(201)}`, 400, "INVALID_QUERY"],
  ])("with the query %p is refused", async (query, status, code) => {
    expect(refusalOf(await imports.send(query, "itemCode,itemName\nQ,q\n"))).toMatchObject({ status, code })
    expect(await itemsBy("itemCode=Q")).toEqual([])
  })

  test("with a mapping of thousands of unknown fields gets a short answer that names the first", async () => {
    const mapping = Array.from({ length: 2_000 }, (_, i) => `f${i}:x`).join(",")
    const answer = await imports.send(`kind=items&mapping=${mapping}`, "itemCode,itemName\nQ,q\n")
    expect(refusalOf(answer)).toEqual({ status: 400, code: "INVALID_QUERY", fields: ["mapping"] })
    expect(answer.body.error.details[0]).toMatchObject({ code: "UNKNOWN_FIELD" })
    expect(answer.text.length).toBeLessThan(5_000)
  })

  test("with a body of another type is refused before it is read", async () => {
    const answer = await imports.send("kind=items", "{}", { "content-type": "application/json" })
    expect(refusalOf(answer)).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" })
  })

  test("needs a manager, and a credential with the scope write", async () => {
    const password = "correct horse battery"
    for (const role of ["viewer", "sales", "shop", "accountant", "manager"]) {
      const email = `${role}@imports.example`
      await api.create("/users", { email, name: role, role, password })
      const by = await signIn(kontor, email, password)
      const answer = await importer(by).send("kind=customers&dryRun=true", "name\nx\n")
      expect([role, answer.status]).toEqual([role, role === "manager" ? 202 : 403])
      expect([role, (await by.get("/imports")).status]).toEqual([role, role === "manager" ? 200 : 403])
    }
    const key = await api.create("/api-keys", { name: "reader", scopes: ["read"] })
    const reader = apiWith(kontor, { "x-api-key": key.key })
    const refused = await importer(reader).send("kind=items", "itemCode,itemName\nKEY-1,x\n")
    expect(refusalOf(refused)).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" })
  })

  test("with the same Idempotency-Key returns the first import, and with another file is refused", async () => {
    const headers = { "idempotency-key": "import-1" }
    const file = "itemCode,itemName\nIDEM-1,x\n"
    const first = await imports.run("kind=items", file, headers)
    const again = await imports.run("kind=items", file, headers)
    expect(again.id).toBe(first.id)
    const other = await imports.send("kind=items", "itemCode,itemName\nIDEM-2,x\n", headers)
    expect(refusalOf(other)).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" })
    expect(await itemsBy("itemCode[like]=IDEM%25")).toHaveLength(1)
    while (uploadsLeft() !== 0) await Bun.sleep(20)
  })

  test("is in the list with dry runs, and in the list without them", async () => {
    const file = "itemCode,itemName\nLIST-1,x\n"
    const real = await imports.run("kind=items", file)
    const { id } = await imports.run("kind=customers&dryRun=true", "name\nx\n")
    const dry = [id, ...copyImport(kontor, id, 50)]
    const list = async (query: string): Promise<{ id: string; dryRun: boolean }[]> =>
      (await api.get(`/imports${query}`)).body.data
    expect((await list("")).map(({ id }) => id)).toEqual(dry.toReversed().slice(0, 50))
    const written = await list("?dryRun=false")
    expect(written[0]?.id).toBe(real.id)
    expect(written.some(({ dryRun }) => dryRun)).toBeFalse()
    expect((await list("?dryRun=true")).every(({ dryRun }) => dryRun)).toBeTrue()
    for (const query of ["dryRun=yes", "kind=items"])
      expect((await api.get(`/imports?${query}`)).status).toBe(400)
  })

  test("of an import that does not exist answers 404", async () => {
    for (const path of ["/imports/imp_none", "/imports/imp_none/faults"])
      expect(refusalOf(await api.get(path))).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect(refusalOf(await api.post("/imports/imp_none/cancel"))).toMatchObject({ status: 404 })
  })
})

describe("An import in progress", () => {
  const many = (n: number, prefix: string) =>
    `itemCode,itemName\n${Array.from({ length: n }, (_, i) => `${prefix}-${i},Thing ${i}`).join("\n")}\n`

  test("tells its progress by the number of rows, also in a file that is read at once", async () => {
    const [rows, tenths] = [manyRecords(8_000), new Set<number>()]
    const file = `itemCode,itemName\n${Array.from({ length: rows }, (_, i) => `P-${i},x`).join("\n")}\n`
    const { id } = (await imports.send("kind=items&dryRun=true", file)).body.data
    for (;;) {
      const { status, progress, counts } = (await api.get(`/imports/${id}`)).body.data
      if (status === "finished") break
      expect(Math.abs(progress - (100 * counts.rows) / rows)).toBeLessThan(2)
      tenths.add(Math.floor(progress / 10))
      await Bun.sleep(20)
    }
    expect(tenths.size).toBeGreaterThan(1)
  })

  test("can be cancelled; what was written stays, and the file is deleted", async () => {
    const { id } = (await imports.send("kind=items", many(manyRecords(6_000), "CAN"))).body.data
    await imports.wait(id, ["applying"])
    const cancelled = await api.post(`/imports/${id}/cancel`)
    expect(cancelled.body.data).toMatchObject({ status: "failed", error: { code: "CANCELLED" } })
    const { counts } = await imports.wait(id)
    const { body } = await api.get("/items?itemCode[like]=CAN-%25&perPage=1")
    expect(body.meta.total).toBe(counts.created)
    expect(counts.created).toBeLessThan(manyRecords(6_000))
    expect(refusalOf(await api.post(`/imports/${id}/cancel`))).toMatchObject({ status: 422 })
    while (uploadsLeft() !== 0) await Bun.sleep(20)
  })

  test("ends when its user is disabled, because rights are checked with every slice", async () => {
    const password = "correct horse battery"
    const email = "leaving@imports.example"
    const user = await api.create("/users", { email, name: "Leaving", role: "manager", password })
    const by = importer(await signIn(kontor, email, password))
    const { id } = (await by.send("kind=items", many(manyRecords(6_000), "OFF"))).body.data
    await imports.wait(id, ["applying"])
    expect((await api.patch(`/users/${user.id}`, { isActive: false })).status).toBe(200)
    expect(await imports.wait(id)).toMatchObject({
      status: "failed",
      error: { code: "FORBIDDEN", message: expect.stringContaining("not active") },
    })
  })

  test("goes on after its user has signed out, and other requests are served meanwhile", async () => {
    const email = adminEmail
    const by = await signIn(kontor, email)
    const rows = manyRecords(1_500)
    const { id } = (await importer(by).send("kind=items", many(rows, "OUT"))).body.data
    expect((await by.post("/auth/logout", {})).status).toBe(204)
    expect((await api.get("/items?perPage=1")).status).toBe(200)
    expect(await imports.wait(id)).toMatchObject({ status: "finished", counts: { created: rows } })
  })
})
