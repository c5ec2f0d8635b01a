// Takes the screenshots of the console for docs/ and the README, from the demo shop of the built binary:
//   bun scripts/screenshots.ts
// The picture of a PDF needs pdftoppm, from Debian's package poppler-utils.
import { mkdirSync } from "node:fs"
import { chromium, type Page } from "playwright-core"
import { findBrowser } from "./browser"

const folder = "docs/screenshots"
const server = Bun.spawn(["dist/kontor", "serve", "--demo", "--port", "0"], {
  stdout: "pipe",
  stderr: "ignore",
})
let printed = ""
const decoder = new TextDecoder()
for await (const chunk of server.stdout as unknown as AsyncIterable<Uint8Array>) {
  printed += decoder.decode(chunk)
  if (/API key/.test(printed)) break
}
const [, url = ""] = /listening on (\S+)/.exec(printed) ?? []
const [, email = "", password = ""] = /Sign in as (\S+) with the password (\S+)/.exec(printed) ?? []

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: findBrowser() ?? "", args: ["--no-sandbox"] })

const wide = await signedIn({ width: 1280, height: 800 }, "light")
await shoot(wide, "dashboard", "/")
await shoot(wide, "orders", "/orders")
await wide.goto(`${url}/console/orders?status[in]=draft`)
await wide.locator("tbody a").first().click()
await shoot(wide, "order")
await wide.goto(`${url}/console/invoices?status[in]=partially_paid`)
await wide.locator("tbody a").first().click()
await shoot(wide, "invoice")
await shootPdf(wide, "print")
await wide.goto(`${url}/console/quotations?status[in]=accepted`)
await wide.locator("tbody a").first().click()
await shoot(wide, "quotation")
await shootCustomerPage()
await wide.goto(`${url}/console/deliveries`)
await wide.locator("tbody a").first().click()
await shoot(wide, "delivery")
const final = await first("/invoices?invoiceType=final&taxTotal[gt]=1&sort=createdAt")
await wide.goto(`${url}/console/invoices/${final.id}`)
await shootPdf(wide, "final-invoice")
await shootOrder(wide)
await wide.goto(`${url}/console/recurring-invoices`)
await wide.locator("tbody a").first().click()
await shoot(wide, "recurring-invoice")
await wide.goto(`${url}/console/reminders`)
await wide.getByRole("button", { name: "Due reminders" }).click()
await wide.getByRole("button", { name: "Create and send" }).waitFor()
await shoot(wide, "reminders")
await shoot(wide, "api-keys", "/settings/api-keys")
await wide.goto(`${url}/console/`)
await wide.getByRole("heading", { name: "Low stock" }).waitFor()
await wide.keyboard.press("Control+k")
await wide.getByLabel("Search everything").fill("standng")
await wide.waitForTimeout(500)
await shoot(wide, "search")
await importFile(wide)
await registerWebhook(wide)
const dark = await signedIn({ width: 1280, height: 800 }, "dark")
await shoot(dark, "dark", "/")
const phone = await signedIn({ width: 390, height: 844 }, "light")
await shoot(phone, "phone", "/orders")

await browser.close()
server.kill()
console.error(`The screenshots are in ${folder}.`)
process.exit(0)

async function signedIn(
  viewport: { width: number; height: number },
  colorScheme: "light" | "dark",
): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    locale: "en-US",
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  await page.goto(`${url}/console/`)
  await page.getByLabel("Email").fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor()
  return page
}

/** Imports a file of an inventory program in German, with a picture of each step. */
async function importFile(page: Page): Promise<void> {
  const rows = [
    "Artikelnummer;Bezeichnung;VK;Lagerplatz;Warengruppe",
    "TISCH-160;Konferenztisch groß;1.234,56;A1;Möbel",
    "TISCH-120;Schreibtisch;449,90;A2;Möbel",
    "LAMPE-7;Stehlampe;89,5;B1;Leuchten",
    "LAMPE-8;;auf Anfrage;B1;Leuchten",
  ]
  const buffer = Buffer.from(`${rows.join("\r\n")}\r\n`, "latin1")
  const step = (name: string) => page.getByRole("heading", { level: 2, name }).waitFor()
  await page.goto(`${url}/console/import?kind=items`)
  await page.locator("input[type=file]").waitFor({ state: "attached" })
  await shoot(page, "import-1-file")
  await page.locator("input[type=file]").setInputFiles({ name: "Artikel.csv", mimeType: "", buffer })
  await step("Columns of Artikel.csv")
  await shoot(page, "import-2-columns")
  await page.getByRole("button", { name: "Check the rows" }).click()
  await step("Check of Artikel.csv")
  await page.getByLabel("Skip the rows with faults (1)").check()
  await shoot(page, "import-3-check")
  await page.getByRole("button", { name: "Import 3 rows" }).click()
  await step("The import is finished")
  await shoot(page, "import-4-result")
}

/** Fills in a webhook, with a picture of its form. */
async function registerWebhook(page: Page): Promise<void> {
  await page.goto(`${url}/console/settings/webhooks`)
  await page.getByRole("button", { name: "New webhook" }).first().click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("URL").fill("https://shop.example/hooks")
  await dialog.getByLabel("Description").fill("Web shop")
  await dialog.getByRole("checkbox", { name: "Invoices: all invoices.*" }).check()
  await dialog.getByRole("group", { name: "Items" }).getByRole("checkbox", { name: "Low stock" }).check()
  await dialog.getByLabel("URL").focus()
  await page.setViewportSize({ width: 1280, height: 1100 })
  await shoot(page, "webhook")
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Returns the first record of a list. */
async function first(path: string): Promise<{ id: string }> {
  const [, key = ""] = /API key with every scope: (\S+)/.exec(printed) ?? []
  const answer = await fetch(`${url}/api/v1${path}&perPage=1`, { headers: { "x-api-key": key } })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  const [record] = data
  if (!record) throw new Error(`The demo has no ${path}.`)
  return record
}

/** Takes pictures of an order that waits: while it is edited, and while a deposit is asked for. */
async function shootOrder(page: Page): Promise<void> {
  const { id } = await first(
    "/sales-orders?status=submitted&invoiceStatus=not_invoiced&deliveryStatus=not_delivered",
  )
  await page.goto(`${url}/console/orders/${id}`)
  await page.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name: "Request a deposit" }).click()
  await page.getByRole("dialog").getByText("Total").first().waitFor()
  await shoot(page, "deposit")
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name: "Edit" }).click()
  await page.getByRole("button", { name: "Save" }).first().waitFor()
  await shoot(page, "order-revised")
}

/** Takes a picture of the page on which a customer answers a quotation, on a phone. */
async function shootCustomerPage(): Promise<void> {
  const quotation = await first("/quotations?status=sent&isExpired=false")
  const page = await browser.newPage({ viewport: { width: 390, height: 1000 }, locale: "en-US" })
  const open = wide.getByRole("button", { name: "Make link" })
  await wide.goto(`${url}/console/quotations/${quotation.id}`)
  await wide.getByRole("button", { name: "More actions" }).click()
  await wide.getByRole("menuitem", { name: "Page for the customer" }).click()
  await open.click()
  await wide.getByRole("button", { name: "Switch on and make link" }).click()
  await page.goto(await wide.getByLabel("Link to the page").inputValue())
  await page.screenshot({ path: `${folder}/quotation-page.png`, fullPage: true })
  await page.close()
}

/** Takes a picture of the upper part of the PDF of the document that the page shows. */
async function shootPdf(page: Page, name: string): Promise<void> {
  const [answer] = await Promise.all([
    page.waitForResponse(/\/pdf$/),
    page.getByRole("button", { name: "PDF", exact: true }).click(),
  ])
  const size = ["-scale-to-x", "1280", "-scale-to-y", "-1", "-x", "0", "-y", "0", "-W", "1280", "-H", "1280"]
  Bun.spawnSync(["pdftoppm", "-png", "-singlefile", ...size, "-", `${folder}/${name}`], {
    stdin: await answer.body(),
  })
}

async function shoot(page: Page, name: string, path?: string): Promise<void> {
  if (path) await page.goto(`${url}/console${path}`)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await page.getByLabel("Loading").first().waitFor({ state: "detached" })
  await page.waitForTimeout(800)
  await page.screenshot({ path: `${folder}/${name}.png` })
}
