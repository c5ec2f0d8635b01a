import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accessFaults, browserPath, closeBrowser, newPage, type Window } from "../support/browser"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"

// One story in the order of a new user's work: each test starts where the last one ended.
describe.skipIf(browserPath === null)("from the first start to the first paid invoice", () => {
  let kontor: Kontor
  let page: Window

  beforeAll(async () => {
    kontor = await serve({ env: {} })
    page = await newPage(kontor)
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

  test("the sign-in page says where the setup link is, and how to print a new one", async () => {
    await page.goto(kontor.url)
    await page.getByText("Kontor has no admin yet").waitFor()
    await page.getByText("look in its terminal or in its log").waitFor()
    await page.getByText("kontor setup-link", { exact: true }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.goto(`${kontor.url}/setup`)
    await page.getByText("kontor setup-link", { exact: true }).waitFor()
    expect(await page.getByRole("button", { name: "Create admin" }).count()).toBe(0)
  })

  test("the printed link opens the setup, which shows errors next to the fields", async () => {
    const { stdout } = await run(["setup-link"], { cwd: kontor.cwd })
    await page.goto(stdout.trim())
    await page.getByLabel("Your name").fill("Ada Admin")
    await page.getByLabel("Email").fill("ada@shop.example")
    await page.getByRole("textbox", { name: "Password" }).fill("short")
    await page.getByRole("button", { name: "Create admin" }).click()
    await page.getByText("Enter at least 10 characters").waitFor()
    await page.locator("[name=password][aria-invalid=true]:focus").waitFor()
  })

  test("the first admin is created and signed in", async () => {
    await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery")
    await page.getByRole("button", { name: "Create admin" }).click()
    await heading("Dashboard")
    expect(new URL(page.url()).pathname).toBe("/console/")
  })

  test("the company name is saved and shown in the header", async () => {
    await page.getByRole("link", { name: "Company", exact: true }).click()
    await page.getByLabel("Company name").fill("Nordlicht GmbH")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("banner").getByText("Nordlicht GmbH").waitFor()
  })

  test("an item is created, after an error about a missing field", async () => {
    await page.getByRole("link", { name: "Items" }).click()
    await heading("Items")
    await page.getByText("No items yet").waitFor()
    await page.getByRole("link", { name: "New item" }).first().click()
    await page.getByLabel("Name").fill("Standing desk")
    await page.getByRole("button", { name: "Create item" }).click()
    await page.getByText("This field is required").waitFor()
    expect(await page.getByLabel("Code").getAttribute("aria-invalid")).toBe("true")
    await page.getByLabel("Code").fill("DESK-120")
    await page.getByLabel("Selling price").fill("449.90")
    await page.getByLabel("Tax rate").fill("20")
    await page.getByRole("button", { name: "Create item" }).click()
    await heading("Standing desk")
  })

  test("stock is received", async () => {
    await page.getByRole("link", { name: "Stock movements" }).click()
    await heading("Stock ledger")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Quantity").fill("10")
    await dialog.getByRole("button", { name: /^(Receive|Save|Post)/ }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByRole("cell", { name: "Receipt" }).first().waitFor()
  })

  test("a customer is created", async () => {
    await page.getByRole("link", { name: "Customers", exact: true }).click()
    await page.getByRole("link", { name: "New customer" }).first().click()
    await page.getByLabel("Name", { exact: false }).first().fill("Café Øresund")
    await page.getByLabel("Payment terms").fill("Net 30")
    await page.getByRole("button", { name: /Create customer/ }).click()
    await heading("Café Øresund")
  })

  test("an order is created, its total computed while typing, and submitted", async () => {
    await page.getByRole("link", { name: "New order" }).first().click()
    await heading("New order")
    await page.getByLabel(/^Item/).first().fill("desk")
    await page.getByRole("option", { name: /Standing desk/ }).click()
    await page
      .getByLabel(/^Quantity/)
      .first()
      .fill("3")
    await page.getByText("$1,619.64").first().waitFor()
    await page.getByRole("button", { name: /Save and submit/ }).click()
    await heading(/^SO-\d{4}-00001$/)
    await page.getByText("Submitted", { exact: true }).first().waitFor()
  })

  test("part of the order is invoiced, then the rest", async () => {
    const order = page.url()
    await page.getByRole("button", { name: "Invoice" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(/now/i).first().fill("1")
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await heading(/^INV-\d{4}-00001$/)
    await page.getByText("$539.88").first().waitFor()
    await page.goto(order)
    await page.getByRole("button", { name: "Invoice" }).click()
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await heading(/^INV-\d{4}-00002$/)
    await page.getByText("$1,079.76").first().waitFor()
  })

  test("the invoice is paid, and its status is Paid", async () => {
    await page.getByRole("button", { name: "Record payment" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Amount").fill("2000")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.locator("[aria-invalid=true]").waitFor()
    await dialog.getByLabel("Amount").fill("1079.76")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("Paid", { exact: true }).first().waitFor()
  })

  test("the invoice is printed on the company's letterhead", async () => {
    await page.getByRole("link", { name: "Print" }).click()
    const paper = page.frameLocator("iframe")
    await paper.getByText("Nordlicht GmbH").first().waitFor()
    await paper
      .getByText(/INV-\d{4}-00002/)
      .first()
      .waitFor()
    await paper.getByText("Café Øresund").first().waitFor()
  })

  test("the dashboard shows the sales", async () => {
    await page.goto(`${kontor.url}/console/`)
    await page.getByText("$539.88").first().waitFor()
  })

  test("no page reported an error or sent a request to another host", () => {
    page.assertQuiet()
  })
})
