import { beforeAll, describe, expect, test } from "bun:test"
import { zipSync } from "fflate"
import { join } from "node:path"
import { browserPath, inspector, settle, show, startConsole, type Window } from "../support/browser"
import { importer } from "../support/imports"
import { adminPassword, emptyFolder } from "../support/kontor"
import { alertOf, checkRows, choose, fieldOf, fileOf, heading } from "../support/wizard"

const { kontor, api, shop, open } = await startConsole()

/** A CSV file as Excel writes it in German. */
const german = (name: string, lines: string[]) =>
  fileOf(name, Buffer.from(`${lines.join("\r\n")}\r\n`, "latin1"))

const itemsLike = async (prefix: string): Promise<Record<string, unknown>[]> =>
  (await api.get(`/items?itemCode[like]=${prefix}%25&sort=itemCode&order=asc`)).body.data

describe.skipIf(browserPath === null)("the import of a file", () => {
  test("is listed among the recent ones, however many files were only checked since", async () => {
    const imports = importer(api)
    await imports.run("kind=items&fileName=long-ago.csv", "itemCode,itemName\nAGO-1,x\n")
    for (let i = 0; i < 50; i++) await imports.run("kind=customers&dryRun=true", "name\nx\n")
    const page = await open("/import?kind=items")
    await page.getByRole("table", { name: "Recent imports" }).getByText("long-ago.csv").waitFor()
    page.assertQuiet()
  })

  test("asks for the order of dates that can be several days", async () => {
    const { customerNumber } = await shop.customer()
    const page = await open("/import?kind=opening-invoices")
    const rows = `invoiceNumber,customerNumber,invoiceDate,balance\nDO/1,${customerNumber},03/04/2026,1.50\n`
    await choose(page, fileOf("open.csv", rows))
    const order = page.getByLabel("Dates")
    await order.waitFor()
    expect(await order.inputValue()).toBe("")
    await checkRows(page)
    await page.getByText('"03/04/2026" can be read in several ways').waitFor()
    await page.getByRole("button", { name: "Back to the columns" }).click()
    await order.selectOption("dmy")
    // The file is read again.
    await order.locator("option[value='']").waitFor({ state: "detached" })
    await settle(page)
    await checkRows(page)
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    const [invoice] = (await api.get("/invoices?invoiceNumber=DO/1")).body.data
    expect(invoice).toMatchObject({ invoiceDate: "2026-04-03" })
    page.assertQuiet()
  })

  test("shows how it was understood, its faults and its progress, and leads to the records", async () => {
    const page = await open("/items")
    await page.getByRole("link", { name: "Import", exact: true }).click()
    await choose(
      page,
      german("Artikel.csv", [
        "Artikelnummer;Bezeichnung;VK;Lagerplatz;Bestand",
        "G-1;Tür groß;1.234,56;A;3",
        "G-2;Öl;12,5;B;4",
        "G-3;;abc;C;5",
      ]),
    )
    await heading(page, "Columns of Artikel.csv").waitFor()
    const format = ["Encoding", "Between the cells", "Numbers"].map((label) => page.getByLabel(label))
    expect(await Promise.all(format.map((each) => each.inputValue()))).toEqual(["windows-1252", ";", ","])
    await page.getByRole("cell", { name: "Tür groß · Öl" }).waitFor()
    const columns = ["Artikelnummer", "Bezeichnung", "VK", "Lagerplatz"].map((each) => fieldOf(page, each))
    expect(await Promise.all(columns.map((each) => each.inputValue()))).toEqual([
      "itemCode",
      "itemName",
      "sellingPrice",
      "",
    ])
    const stock = page.getByRole("row", { name: /^Bestand/ }).getByRole("link", { name: "Stock count" })
    expect(await stock.getAttribute("href")).toEndWith("/import?kind=stock-counts")
    await fieldOf(page, "Lagerplatz").selectOption("category")
    await checkRows(page)
    await heading(page, "Check of Artikel.csv").waitFor()
    await page.getByText("2 rows are fine. 1 row has faults.").waitFor()
    await page.getByRole("row", { name: '4 VK "abc" is not a number.' }).waitFor()
    await page.getByRole("row", { name: "4 Bezeichnung Item name is required." }).waitFor()
    expect(await page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBeTrue()
    expect(await itemsLike("G-")).toEqual([])
    expect(await downloaded(page, "Download all faults")).toEqual({
      name: "Artikel-faults.csv",
      lines: [
        "Row,Column,Field,Fault",
        '4,VK,Selling price,"""abc"" is not a number."',
        "4,Bezeichnung,Item name,Item name is required.",
      ],
    })
    await page.getByLabel("Skip the rows with faults (1)").check()
    await page.getByRole("button", { name: "Import 2 rows" }).click()
    await heading(page, "The import is finished").waitFor()
    expect(await itemsLike("G-")).toMatchObject([
      { itemCode: "G-1", itemName: "Tür groß", sellingPrice: 1234.56, category: "A" },
      { itemCode: "G-2", itemName: "Öl", sellingPrice: 12.5, category: "B" },
    ])
    await page.getByRole("link", { name: "View the items" }).click()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    await page.getByRole("row", { name: /G-1/ }).waitFor()
    page.assertQuiet()
  })

  test("can be read in another format, with other columns", async () => {
    const page = await open("/import?kind=items")
    await choose(page, fileOf("mixed.csv", "No.;Text, long;Price\nM-1;One;1.500\nM-2;Two;2.500\n"))
    await heading(page, "Columns of mixed.csv").waitFor()
    await page.getByText("Choose the column of: Item code, Item name.").waitFor()
    await checkRows(page)
    await alertOf(page).getByText("Choose the column of: Item code, Item name.").waitFor()
    await page.getByLabel("Between the cells").selectOption(",")
    await page.getByRole("cell", { name: "No.;Text" }).waitFor()
    await page.getByLabel("Between the cells").selectOption(";")
    await fieldOf(page, "Text, long").waitFor()
    await page.getByLabel("Numbers").selectOption(",")
    await settle(page)
    await fieldOf(page, "No.").selectOption("itemCode")
    await fieldOf(page, "Text, long").selectOption("itemCode")
    // A field is the field of one column only.
    expect(await fieldOf(page, "No.").inputValue()).toBe("")
    await fieldOf(page, "Text, long").selectOption("itemName")
    await fieldOf(page, "No.").selectOption("itemCode")
    await checkRows(page)
    await page.getByRole("button", { name: "Import 2 rows" }).click()
    await heading(page, "The import is finished").waitFor()
    expect(await itemsLike("M-")).toMatchObject([
      { itemName: "One", sellingPrice: 1500 },
      { itemName: "Two", sellingPrice: 2500 },
    ])
  })

  test("updates records that exist if the person wants that", async () => {
    await shop.item({ itemCode: "U-1", itemName: "Old" })
    const page = await open("/import?kind=items")
    await choose(page, fileOf("update.csv", "itemCode,itemName\nU-1,New\nU-2,Other\n"))
    await heading(page, "Columns of update.csv").waitFor()
    await checkRows(page)
    await page.getByText("1 row is fine. 1 row has faults.").waitFor()
    await page.getByLabel("Create and update").check()
    await page.getByText("The import would create 1, update 1 and leave 0 unchanged.").waitFor()
    await page.getByRole("button", { name: "Import 2 rows" }).click()
    await heading(page, "The import is finished").waitFor()
    expect(await itemsLike("U-")).toMatchObject([{ itemName: "New" }, { itemName: "Other" }])
  })

  test("can be done by keyboard, and the focus goes to the heading of each step", async () => {
    const page = await open("/import?kind=customers")
    const isFocused = (name: string) =>
      page.waitForFunction((text) => document.activeElement?.textContent === text, name)
    /** Presses Tab until a button has the focus, and presses it. */
    const press = async (name: string) => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate((text) => document.activeElement?.textContent === text, name)) break
      }
      await isFocused(name)
      await page.keyboard.press("Enter")
    }
    await page.getByLabel("What to import").focus()
    const chooser = page.waitForEvent("filechooser")
    await press("Choose file")
    await (await chooser).setFiles(fileOf("Kunden.csv", "Kundenname;PLZ;Ort\nMüller GmbH;12345;Berlin\n"))
    await isFocused("Columns of Kunden.csv")
    await press("Check the rows")
    await isFocused("Check of Kunden.csv")
    await page.getByRole("status").getByText("1 row is fine.").waitFor()
    await press("Import 1 row")
    await isFocused("The import is finished")
    const { data } = (await api.get("/customers?search=M%C3%BCller")).body
    expect(data).toMatchObject([{ name: "Müller GmbH", address: { zipCode: "12345", city: "Berlin" } }])
  })

  test("takes a dropped XLSX file with a stock count", async () => {
    const item = await shop.item({ itemCode: "X-1", itemName: "Counted" })
    const page = await open("/stock/count")
    await page.getByRole("link", { name: "Import from a file" }).click()
    await heading(page, "Choose a file").waitFor()
    await drop(
      page,
      "Inventur.xlsx",
      xlsxOf([
        ["Artikelnummer", "Gezählt"],
        ["X-1", "12"],
      ]),
    )
    await heading(page, "Columns of Inventur.xlsx").waitFor()
    await page.getByText("Recognized as XLSX.").waitFor()
    expect(await page.getByLabel("Encoding").count()).toBe(0)
    await checkRows(page)
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    expect((await shop.get("items", item.id)).currentStock).toBe(12)
  })

  test("takes open invoices of another system", async () => {
    const { customerNumber } = await shop.customer({ name: "Petersen" })
    const page = await open("/invoices")
    await page.getByRole("link", { name: "Import", exact: true }).click()
    const row = `ALT-17;${customerNumber};31.12.2025;1.190,00`
    await choose(page, fileOf("offen.csv", `Rechnungsnummer;Kundennummer;Rechnungsdatum;Offen\n${row}\n`))
    await heading(page, "Columns of offen.csv").waitFor()
    await checkRows(page)
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await page.getByRole("link", { name: "View the invoices" }).click()
    await page
      .getByRole("row", { name: /ALT-17/ })
      .getByText("1,190.00")
      .first()
      .waitFor()
  })

  test.each([
    ["of another type", fileOf("offer.pdf", "%PDF-1.7"), "offer.pdf is not a CSV, XLSX or NDJSON file."],
    ["that is empty", fileOf("nothing.csv", ""), "nothing.csv is empty."],
    ["that is too large", fileOf("large.xlsx", new Uint8Array(8 * 1024 * 1024 + 1)), "up to 8 MB"],
  ])("refuses a file %s before it is sent", async (_, file, message) => {
    const page = await open("/import")
    const sent: string[] = []
    page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())))
    await choose(page, file)
    await alertOf(page).getByText(message).waitFor()
    expect(sent.filter((url) => url.includes("/imports"))).toEqual([])
  })

  test.each([
    [
      "that only has the name of a table",
      fileOf("paper.csv", "%PDF-1.7\n"),
      "The file is a PDF, not a table.",
    ],
  ])("tells what is wrong with a file %s, and takes the next one", async (_, file, message) => {
    const page = await open("/import")
    await choose(page, file)
    await Promise.race([heading(page, /^Columns/).waitFor(), alertOf(page).waitFor()])
    if ((await alertOf(page).count()) === 0) await checkRows(page)
    await alertOf(page).getByText(message).waitFor()
    const other = page.getByRole("button", { name: "Choose another file" })
    if ((await other.count()) > 0) await other.click()
    await choose(page, fileOf("right.csv", "itemCode,itemName\nR-1,Right\n"))
    await heading(page, "Columns of right.csv").waitFor()
  })

  test("can be sent again after the network was lost, and is imported once", async () => {
    const page = await open("/import")
    await choose(page, fileOf("lost.csv", "itemCode,itemName\nL-1,Lost\n"))
    await heading(page, /^Columns/).waitFor()
    await checkRows(page)
    await page.route("**/api/v1/imports?*", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await alertOf(page).getByText("nothing is saved twice").waitFor()
    await page.unroute("**/api/v1/imports?*")
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    const { data } = (await api.get("/imports")).body
    const isReal = (each: { fileName: string; dryRun: boolean }) =>
      each.fileName === "lost.csv" && !each.dryRun
    expect(data.filter(isReal)).toHaveLength(1)
  })

  test("goes on after the session has ended and the user has signed in again", async () => {
    const user = { email: "manager@example.com", name: "Maria", role: "manager", password: adminPassword }
    const { id } = await api.create("/users", user)
    const page = await open("/import", { email: user.email, isFresh: true })
    await choose(page, fileOf("session.csv", "itemCode,itemName\nS-1,Session\n"))
    await heading(page, /^Columns/).waitFor()
    await checkRows(page)
    await page.getByText("1 row is fine.").waitFor()
    await api.put(`/users/${id}`, { password: adminPassword })
    await page.getByRole("button", { name: "Import 1 row" }).click()
    const dialog = page.getByRole("dialog", { name: "Sign in again" })
    await dialog.getByRole("textbox", { name: "Password" }).fill(adminPassword)
    await dialog.getByRole("button", { name: "Sign in" }).click()
    await heading(page, "The import is finished").waitFor()
    expect(await itemsLike("S-")).toMatchObject([{ itemName: "Session" }])
  })
})

describe.skipIf(browserPath === null)("a long import", () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `B-${i},Big ${i}`).join("\n")

  test("goes on while the page is left, and can be stopped", async () => {
    const page = await open("/import")
    await choose(page, fileOf("big.csv", `itemCode,itemName\n${lines}\n`))
    await heading(page, /^Columns/).waitFor()
    await checkRows(page)
    await page.getByRole("button", { name: "Import 10,000 rows" }).click()
    await heading(page, "The import is running").waitFor()
    const address = page.url()
    await page.getByRole("progressbar", { name: "Importing" }).waitFor()
    const first = Number(await page.getByRole("progressbar").getAttribute("aria-valuenow"))
    await page.waitForFunction(
      (value) => Number(document.querySelector("[role=progressbar]")?.getAttribute("aria-valuenow")) > value,
      first,
    )
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Items" }).click()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    await page.getByRole("link", { name: "Import", exact: true }).click()
    await page.getByRole("link", { name: "big.csv" }).click()
    expect(page.url()).toBe(address)
    await page.getByRole("button", { name: "Stop the import" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop the import" }).click()
    await heading(page, "The import was stopped").waitFor()
    const { created } = (await api.get(`/imports/${address.split("/").at(-1)}`)).body.data.counts
    expect(created).toBeGreaterThan(0)
    expect(created).toBeLessThan(10_000)
    expect((await api.get("/items?itemCode[like]=B-%25&perPage=1")).body.meta.total).toBe(created)
  })
})

test.skipIf(browserPath === null)(
  "An import that is stopped during its check tells how many rows it has read, and that it created none",
  async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `ST-${i},x`).join("\n")
    const { send, wait } = importer(api)
    const { id } = (await send("kind=items", `itemCode,itemName\n${lines}\n`)).body.data
    await wait(id, ["checking"])
    await api.post(`/imports/${id}/cancel`)
    const { counts } = await wait(id)
    expect(counts).toMatchObject({ created: 0 })
    expect(counts.rows).toBeLessThan(50_000)
    const page = await open(`/import/${id}`)
    await heading(page, "The import was stopped").waitFor()
    const text = await page.getByRole("main").innerText()
    expect(text).toMatch(/Rows read\s+[\d,]+\s+Created\s+0\s/)
    expect(text).not.toContain("Rows in the file")
  },
)

describe.skipIf(browserPath === null)("the import page", () => {
  const email = "sales@example.com"
  beforeAll(async () => {
    await api.create("/users", { email, name: "Sara", role: "sales", password: adminPassword })
  })

  test("is only for managers and admins", async () => {
    const page = await open("/import", { email })
    await page.getByText("Only managers and admins can import files.").waitFor()
    await show(page, kontor, "/customers")
    await page.getByRole("link", { name: "New customer" }).first().waitFor()
    expect(await page.getByRole("link", { name: "Import" }).count()).toBe(0)
  })

  test("speaks German", async () => {
    const page = await open("/import?kind=items", { locale: "de-DE" })
    await choose(page, german("Liste.csv", ["Artikelnummer;Bezeichnung;VK", "D-1;Tür;1.000,50", "D-2;;abc"]))
    await heading(page, "Spalten von Liste.csv").waitFor()
    await page.getByRole("button", { name: "Zeilen prüfen" }).click()
    await page.getByText("1 Zeile ist in Ordnung. 1 Zeile hat Fehler.").waitFor()
    await page.getByRole("row", { name: "3 VK „abc“ ist keine Zahl." }).waitFor()
    await page.getByRole("row", { name: "3 Bezeichnung Bezeichnung: Bitte ausfüllen" }).waitFor()
    expect(await downloaded(page, "Alle Fehler herunterladen")).toEqual({
      name: "Liste-Fehler.csv",
      lines: [
        "Zeile;Spalte;Feld;Fehler",
        "3;VK;Verkaufspreis;„abc“ ist keine Zahl.",
        "3;Bezeichnung;Bezeichnung;Bezeichnung: Bitte ausfüllen",
      ],
    })
    await page.getByLabel("Die Zeilen mit Fehlern (1) überspringen").check()
    await page.getByRole("button", { name: "1 Zeile importieren" }).click()
    await heading(page, "Der Import ist fertig").waitFor()
    expect(await itemsLike("D-")).toMatchObject([{ itemName: "Tür", sellingPrice: 1000.5 }])
  })

  test("is accessible and fits the screen", async () => {
    const page = await open("/import?kind=items")
    const { faults, inspect } = inspector(page)
    await heading(page, "Recent imports").waitFor()
    await choose(page, fileOf("wrong.doc", "x"))
    await alertOf(page).waitFor()
    await inspect("file", "main")
    const wide = Array.from({ length: 60 }, (_, i) => `Column ${i}`)
    const file = `itemCode,itemName,${wide.join(",")}\nWIDE-1,Door,${"a long example,".repeat(60)}\nWIDE-2,,\n`
    await choose(page, fileOf("a-rather-long-name-of-a-file-with-many-columns.csv", file))
    await heading(page, /^Columns/).waitFor()
    await page.getByRole("button", { name: "Show all 62 columns" }).click()
    await inspect("columns", "main")
    await checkRows(page)
    await page.getByText("1 row has faults.").waitFor()
    await inspect("check", "main")
    await page.getByLabel("Skip the rows with faults").check()
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    await inspect("result", "main")
    expect(faults).toEqual({})
    page.assertQuiet()
  })
})

/** Downloads a CSV file by a button. Returns its lines without the byte order mark. */
async function downloaded(page: Window, button: string) {
  const waiting = page.waitForEvent("download")
  await page.getByRole("button", { name: button }).click()
  const download = await waiting
  const path = join(emptyFolder(), "faults.csv")
  await download.saveAs(path)
  const lines = (await Bun.file(path).text()).replace("\ufeff", "").trim().split("\r\n")
  return { name: download.suggestedFilename(), lines }
}

/** Drops a file on the area for it. */
async function drop(page: Window, name: string, content: Uint8Array): Promise<void> {
  const files = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], fileName))
      return transfer
    },
    [name, [...content]] as const,
  )
  await page.dispatchEvent(".drop-zone", "dragover", { dataTransfer: files })
  await page.dispatchEvent(".drop-zone", "drop", { dataTransfer: files })
}

/** A small XLSX file with texts. */
function xlsxOf(rows: string[][]): Uint8Array {
  const package_ = "http://schemas.openxmlformats.org/package/2006"
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  const cell = (text: string, row: number, column: number) =>
    `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`
  const lines = rows.map(
    (cells, i) => `<row r="${i + 1}">${cells.map((text, j) => cell(text, i, j)).join("")}</row>`,
  )
  const files = {
    "[Content_Types].xml": `<Types xmlns="${package_}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Inventur" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))
}
