import { describe, expect, test } from "bun:test"
import { zipSync } from "fflate"
import { browserPath, inspector, settle, startConsole, type Window } from "../support/browser"
import { importer } from "../support/imports"
import { alertOf, checkRows, choose, fieldOf, fileOf, heading } from "../support/wizard"

const { api, open } = await startConsole()

describe.skipIf(browserPath === null)("the wizard", () => {
  const question = (page: Window) => page.getByRole("dialog", { name: "Unsaved changes" })
  const keep = async (page: Window) => {
    await question(page).getByRole("button", { name: "Keep editing" }).click()
    await question(page).waitFor({ state: "detached" })
  }
  const toItems = (page: Window) =>
    page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Items" }).click()
  /** Returns the type of the question that the browser asks before it reloads the page, and answers no. */
  const questionAtReload = async (page: Window): Promise<string> => {
    const asked = page.waitForEvent("dialog").then(async (dialog) => {
      await dialog.dismiss()
      return dialog.type()
    })
    await page.evaluate(() => setTimeout(() => location.reload()))
    return asked
  }

  test("asks before it is left with a file, but not between its steps and not after the import has begun", async () => {
    const page = await open("/items", { isFresh: true })
    // The list is empty, and offers it a second time.
    await page.getByRole("link", { name: "Import a file" }).click()
    await choose(page, fileOf("leave.csv", "itemCode,itemName\nLEAVE-1,Left\n"))
    await heading(page, "Columns of leave.csv").waitFor()
    await page.goBack()
    await keep(page)
    await toItems(page)
    await question(page).getByText("If you leave this page, you must choose the file again.").waitFor()
    await keep(page)
    await checkRows(page)
    await page.getByRole("button", { name: "Back to the columns" }).click()
    await checkRows(page)
    await heading(page, "Check of leave.csv").waitFor()
    await page.goBack()
    await keep(page)
    expect(await questionAtReload(page)).toBe("beforeunload")
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    await toItems(page)
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    page.assertQuiet()
  })

  test("is left without a question when no file is chosen", async () => {
    const page = await open("/items")
    await page.getByRole("link", { name: "Import", exact: true }).click()
    await heading(page, "Choose a file").waitFor()
    await page.goBack()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
  })
})

describe.skipIf(browserPath === null)("the columns of a file", () => {
  const columnsFile = (name: string) =>
    fileOf(
      name,
      `itemCode,itemName,Shelf,Colour\nC-1,Chair,A1,\nC-2,Table,A1,red\nC-3,"${"long ".repeat(100)}",,\n${"C,x,y,z\n".repeat(9)}`,
    )

  test("are shown with the first rows as the file has them, and how many will not be imported", async () => {
    const page = await open("/import?kind=items", { width: 390, height: 844 })
    await choose(page, columnsFile("rows.csv"))
    await heading(page, "Columns of rows.csv").waitFor()
    const table = page.getByRole("table", { name: "First rows of the file" })
    const cells = await table
      .getByRole("row")
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.textContent?.slice(0, 9))),
      )
    expect(cells).toEqual([
      ["itemCode", "itemName", "Shelf", "Colour"].map((title) => title.slice(0, 9)),
      ["C-1", "Chair", "A1", ""],
      ["C-2", "Table", "A1", "red"],
      ["C-3", "long long", "", ""],
      ["C", "x", "y", "z"],
      ["C", "x", "y", "z"],
    ])
    const box = page.getByRole("region", { name: "First rows of the file" })
    expect(await box.evaluate((each) => each.scrollWidth > each.clientWidth)).toBeTrue()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByText("2 of 4 columns will not be imported.").waitFor()
    const shelf = page
      .getByRole("table", { name: "Columns of the file" })
      .getByRole("row", { name: /^Shelf/ })
    await shelf.getByText("Will not be imported").waitFor()
    await fieldOf(page, "Shelf").selectOption("category")
    await shelf.getByText("Will not be imported").waitFor({ state: "detached" })
    await page.getByText("1 of 4 columns will not be imported.").waitFor()
    await fieldOf(page, "Colour").selectOption("description")
    await page.getByText("All columns will be imported.").waitFor()
  })

  test("tell which customer numbers are kept", async () => {
    const page = await open("/import?kind=customers")
    await choose(page, fileOf("numbers.csv", "customerNumber,name,Remark\n10001,Petersen,x\n"))
    await heading(page, "Columns of numbers.csv").waitFor()
    const table = page.getByRole("table", { name: "Columns of the file" })
    const note =
      "Numbers of another system are kept. A number that Kontor could still assign itself is replaced with the next one."
    await table
      .getByRole("row", { name: /^customerNumber/ })
      .getByText(note)
      .waitFor()
    await fieldOf(page, "Remark").selectOption("customerNumber")
    await table
      .getByRole("row", { name: /^Remark/ })
      .getByText(note)
      .waitFor()
    expect(await page.getByText(note).count()).toBe(1)
  })

  test("show in the check which customers may exist already, and ask what becomes of them", async () => {
    const email = "a@b.example"
    const known = await api.create("/customers", { name: "Nordwind", email, address: { city: "Kiel" } })
    const page = await open("/import?kind=customers")
    await choose(page, fileOf("doubled.csv", "name,email\nNORDWIND,a@b.example\nSüdwind,a@b.example\n"))
    await heading(page, "Columns of doubled.csv").waitFor()
    await checkRows(page)
    const alert = alertOf(page).filter({ hasText: "2 rows may be records that exist already" })
    await alert.getByText(`Row 2: Nordwind (${known.customerNumber}) (name, email)`).waitFor()
    await page.getByText("The import would create 1, update 0 and leave 1 unchanged.").waitFor()
    await page.getByRole("radio", { name: "Update them with the rows of the file" }).click()
    await page.getByText("The import would create 1, update 1 and leave 0 unchanged.").waitFor()
    await page.getByRole("button", { name: "Import 2 rows" }).click()
    await heading(page, "The import is finished").waitFor()
    expect((await api.get("/customers?name=NORDWIND")).body.data).toMatchObject([{ id: known.id }])
    page.assertQuiet()
  })

  test("tell when another column has taken the field of one", async () => {
    const page = await open("/import?kind=items")
    await choose(page, columnsFile("taken.csv"))
    await heading(page, "Columns of taken.csv").waitFor()
    await fieldOf(page, "Colour").selectOption("itemName")
    const row = page
      .getByRole("table", { name: "Columns of the file" })
      .getByRole("row", { name: /^itemName/ })
    const note = "Item name is now the column Colour."
    await row.getByText(note).waitFor()
    await page.getByRole("status").getByText(note).waitFor({ state: "attached" })
    await fieldOf(page, "Colour").selectOption("category")
    await row.getByText(note).waitFor({ state: "detached" })
  })

  test("keep what a person has chosen when the corrected file is chosen", async () => {
    const page = await open("/import?kind=items")
    const file = (name: string, titles: string, price: string) =>
      fileOf(name, `${titles}\nK-1,Chair,A1,"${price}"\n`)
    await choose(page, file("kept.csv", "itemCode,itemName,Shelf,Amount", "1,5"))
    await heading(page, "Columns of kept.csv").waitFor()
    // Items have no dates.
    expect(await page.getByLabel("Dates").count()).toBe(0)
    await fieldOf(page, "Shelf").selectOption("category")
    await fieldOf(page, "Amount").selectOption("sellingPrice")
    await page.getByLabel("Numbers").selectOption(",")
    // The file is read again.
    await page.locator("select[aria-busy=false]").first().waitFor()
    await settle(page)
    await page.getByText("All columns will be imported.").waitFor()
    await checkRows(page)
    await page.getByText("1 row is fine.").waitFor()
    await page.getByRole("button", { name: "Choose another file" }).click()
    await choose(page, file("kept-2.csv", "itemCode,itemName,Shelf,Amount", "1.234"))
    await heading(page, "Columns of kept-2.csv").waitFor()
    await page.getByText("All columns will be imported.").waitFor()
    expect(await fieldOf(page, "Shelf").inputValue()).toBe("category")
    expect(await page.getByLabel("Numbers").inputValue()).toBe(",")
    await checkRows(page)
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    const { category, sellingPrice } = (await api.get("/items/by/itemCode/K-1")).body.data
    expect({ category, sellingPrice }).toEqual({ category: "A1", sellingPrice: 1234 })
  })

  test("are recognized anew in a file with other titles", async () => {
    const page = await open("/import?kind=items")
    await choose(page, fileOf("one.csv", "itemCode,itemName,Shelf\nO-1,Chair,A1\n"))
    await heading(page, "Columns of one.csv").waitFor()
    await fieldOf(page, "Shelf").selectOption("category")
    await page.getByLabel("Numbers").selectOption(",")
    await page.getByRole("button", { name: "Choose another file" }).click()
    await choose(page, fileOf("two.csv", "itemCode,itemName,Shelf,sellingPrice\nO-1,Chair,A1,1.25\n"))
    await heading(page, "Columns of two.csv").waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll("select")].some(({ value }) => value === "."),
    )
    expect(await fieldOf(page, "Shelf").inputValue()).toBe("")
  })

  test("are those of the last file that was chosen, even if the one before is still being sent", async () => {
    const page = await open("/import?kind=items")
    await page.route(/fileName=slow\.csv/, () => {})
    await choose(page, fileOf("slow.csv", "itemCode,itemName\nS-1,Slow\n"))
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
    await choose(page, fileOf("next.csv", "itemCode,itemName\nN-1,Next\n"))
    await heading(page, "Columns of next.csv").waitFor()
  })

  test("do not come back after another file was asked for while they were being read again", async () => {
    const page = await open("/import?kind=items")
    await choose(page, fileOf("again.csv", "itemCode,itemName,sellingPrice\nA-1,Again,1.5\n"))
    await heading(page, "Columns of again.csv").waitFor()
    await page.route(/fileName=again\.csv/, () => {})
    const isStopped = page.waitForEvent("requestfailed")
    await page.getByLabel("Numbers").selectOption(",")
    await page.getByRole("button", { name: "Choose another file" }).click()
    await isStopped
    await heading(page, "Choose a file").waitFor()
    await choose(page, fileOf("then.csv", "itemCode,itemName\nT-1,Then\n"))
    await heading(page, "Columns of then.csv").waitFor()
  })

  test("have their whole names on a phone", async () => {
    const page = await open("/import?kind=opening-invoices", { locale: "de-DE", width: 390, height: 844 })
    await choose(page, fileOf("phone.csv", "invoiceNumber,Something\nA-1,B\n"))
    const select = page.getByLabel("Feld der Spalte Something", { exact: true })
    expect((await select.boundingBox())?.width).toBeGreaterThan(280)
    expect(await select.getByText("Barcode").count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test("without rows are not checked", async () => {
    const page = await open("/import?kind=items")
    await choose(page, fileOf("titles.csv", "itemCode,itemName\n"))
    await heading(page, "Columns of titles.csv").waitFor()
    await alertOf(page)
      .getByText("The file has only titles. Add rows below them, and choose the file again.")
      .waitFor()
    expect(await page.getByRole("button", { name: "Check the rows" }).isDisabled()).toBeTrue()
    await page.getByRole("button", { name: "Choose another file" }).click()
    await heading(page, "Choose a file").waitFor()
  })
})

describe.skipIf(browserPath === null)("a file that cannot be imported is refused with its reason", () => {
  const zeros = new Uint8Array(20 * 1024 * 1024)
  const files: [string, ReturnType<typeof fileOf>, string, string][] = [
    ["a PDF with another name", fileOf("a.csv", "%PDF-1.7\n"), "is a PDF", "ist ein PDF"],
    ["an old Excel file", fileOf("a.xls", "x"), "is an old Excel file", "ist eine alte Excel-Datei"],
    ["only spaces", fileOf("a.csv", " \n \n"), "The file is empty.", "Die Datei ist leer."],
    [
      "a ZIP bomb",
      fileOf("a.xlsx", zipSync({ "xl/workbook.xml": zeros })),
      "unpacked, it is much too large",
      "Entpackt ist sie viel zu groß",
    ],
    [
      "a large XLSX file with another name",
      fileOf("a.csv", Buffer.concat([Buffer.from("PK\x03\x04"), zeros.subarray(0, 8 * 1024 * 1024)])),
      "The file has more than 8 MB.",
      "Die Datei hat mehr als 8 MB.",
    ],
    [
      "a type that is not known",
      fileOf("a.csv", new Uint8Array([1, 2, 0, 3, 0, 0])),
      "is not a table",
      "ist keine Tabelle",
    ],
    ["a damaged file", fileOf("a.xlsx", "PK\x03\x04"), "The file is damaged.", "Die Datei ist beschädigt."],
  ]
  test.each(files)("%s", async (_, file, english, german) => {
    for (const [locale, sentence] of [
      ["en-US", english],
      ["de-DE", german],
    ] as const) {
      const page = await open("/import", { locale })
      await choose(page, file)
      await alertOf(page).getByText(sentence).waitFor()
    }
  })
})

describe.skipIf(browserPath === null)("a check that takes long", () => {
  const rows = Array.from({ length: 25_000 }, (_, i) => `LONG-${i},Long ${i}`).join("\n")
  const long = (name: string) => fileOf(name, `itemCode,itemName\n${rows}\n`)
  const importsOf = async (name: string): Promise<{ id: string; error: { code: string } | null }[]> =>
    (await api.get("/imports")).body.data.filter(({ fileName }: { fileName: string }) => fileName === name)
  /** Waits until the imports of a file have these codes of errors, the newest first. */
  const waitForErrors = async (name: string, codes: (string | null)[]) => {
    for (;;) {
      const found = (await importsOf(name)).map(({ error }) => error?.code ?? null)
      if (Bun.deepEquals(found, codes)) return
      await Bun.sleep(50)
    }
  }

  test("is stopped by going back, and begins again with the next step", async () => {
    const page = await open("/import?kind=items")
    await choose(page, long("back.csv"))
    await heading(page, "Columns of back.csv").waitFor()
    await checkRows(page)
    await page.getByRole("progressbar", { name: "Checking rows" }).waitFor()
    await page.getByRole("button", { name: "Back to the columns" }).click()
    await waitForErrors("back.csv", ["CANCELLED"])
    await checkRows(page)
    await page.getByText("25,000 rows are fine.").waitFor()
    await waitForErrors("back.csv", [null, "CANCELLED"])
  })

  test("is stopped by choosing another file", async () => {
    const page = await open("/import?kind=items")
    await choose(page, long("first.csv"))
    await heading(page, "Columns of first.csv").waitFor()
    await page.getByRole("button", { name: "Choose another file" }).click()
    await waitForErrors("first.csv", ["CANCELLED"])
    await choose(page, fileOf("second.csv", "itemCode,itemName\nS-1,Second\n"))
    await heading(page, "Columns of second.csv").waitFor()
    expect(await alertOf(page).count()).toBe(0)
  })

  test("says when it waits for another import", async () => {
    const running = await importer(api).send("kind=items&fileName=other.csv", `itemCode,itemName\n${rows}\n`)
    const page = await open("/import?kind=items")
    await choose(page, fileOf("waits.csv", "itemCode,itemName\nW-1,Waits\n"))
    const note = page.getByRole("status").getByText("Waiting: another import or price change is running.")
    await note.waitFor()
    await api.post(`/imports/${running.body.data.id}/cancel`)
    await heading(page, "Columns of waits.csv").waitFor()
    await note.waitFor({ state: "detached" })
  })
})

describe.skipIf(browserPath === null)("an import of wrong rows", () => {
  test.each([
    [["x,"], "The only row is wrong", "Die einzige Zeile ist falsch"],
    [["x,", "y,"], "2 of 2 rows are wrong", "2 von 2 Zeilen sind falsch"],
    [["x,", "y,y"], "1 of 2 rows is wrong", "1 von 2 Zeilen ist falsch"],
    [["x,", "y,y", "z,"], "2 of 3 rows are wrong", "2 von 3 Zeilen sind falsch"],
  ])("says how many are wrong: %j", async (rows, english, german) => {
    const { id } = await importer(api).run("kind=items", `itemCode,itemName\n${rows.join("\n")}\n`)
    const page = await open(`/import/${id}`)
    await page.getByText(`${english}, so nothing was imported.`, { exact: true }).waitFor()
    const other = await open(`/import/${id}`, { locale: "de-DE" })
    await other.getByText(`${german}, daher wurde nichts importiert.`, { exact: true }).waitFor()
  })
})

describe.skipIf(browserPath === null)("a screen reader", () => {
  const isFocused = (page: Window, title: string) =>
    page.waitForFunction((text) => {
      const { activeElement } = document
      return activeElement?.tagName === "H2" && activeElement.textContent === text
    }, title)

  test("is at the heading of each step, forward and back", async () => {
    const page = await open("/import?kind=items")
    await choose(page, fileOf("focus.csv", "itemCode,itemName\nFO-1,Focus\n"))
    await isFocused(page, "Columns of focus.csv")
    await checkRows(page)
    await isFocused(page, "Check of focus.csv")
    await page.getByRole("button", { name: "Back to the columns" }).click()
    await isFocused(page, "Columns of focus.csv")
    await page.getByRole("button", { name: "Choose another file" }).click()
    await isFocused(page, "Choose a file")
    await choose(page, fileOf("focus.csv", "itemCode,itemName\nFO-1,Focus\n"))
    await checkRows(page)
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await isFocused(page, "The import is finished")
  })

  test("is told the progress in words, and the headers of the faults", async () => {
    const rows = Array.from({ length: 25_000 }, (_, i) => `A11Y-${i},`).join("\n")
    const page = await open("/import?kind=items")
    const { faults, inspect } = inspector(page)
    await choose(page, fileOf("told.csv", `itemCode,itemName\n${rows}\n`))
    await checkRows(page)
    const bar = page.getByRole("progressbar", { name: "Checking rows" })
    expect(await bar.getAttribute("aria-valuetext")).toMatch(/^Checking rows: \d+ percent$/)
    await inspect("progress", "main")
    await page.getByText("25,000 rows have faults.").waitFor()
    const table = page.getByRole("table", { name: "Faults" })
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Row", "Column", "Fault"])
    expect(await table.getByRole("rowheader").first().textContent()).toBe("2")
    await inspect("faults", "main")
    expect(faults).toEqual({})
  })
})
