import { describe, expect, test } from "bun:test"
import {
  accessFaults,
  animationsEnd,
  browserPath,
  chooseAction,
  follow,
  inspector,
  startConsole,
  type Window,
} from "../support/browser"
import { adminPassword } from "../support/kontor"

const { api, shop, open } = await startConsole()

/** Counts the requests that write. */
const countWrites = (page: Window) => {
  const writes: string[] = []
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes("/api/")) writes.push(request.url())
  })
  return writes
}

const highlighted = (page: Window) => page.locator("[data-combobox-selected]")

describe.skipIf(browserPath === null)("in the console", () => {
  describe("a select that is searched by typing", () => {
    test("is chosen from with Enter, which does not save the company; typing after a click replaces its text", async () => {
      const page = await open("/settings/company")
      const writes = countWrites(page)
      const currency = page.getByRole("combobox", { name: "Currency" })
      await currency.click()
      await page.keyboard.type("eur")
      await page.keyboard.press("Enter")
      expect(await currency.inputValue()).toBe("EUR – Euro")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      // Tab selects the text of the next field, so typing replaces it.
      await page.keyboard.type("berlin")
      await page.keyboard.press("Enter")
      expect(await page.getByRole("combobox", { name: "Time zone" }).inputValue()).toBe("Europe/Berlin")
      // The same choice again keeps it.
      await page.getByLabel("Company name").click()
      await page.getByRole("combobox", { name: "Time zone" }).click()
      await page.keyboard.type("europe/berl")
      await page.keyboard.press("Enter")
      expect(writes).toEqual([])
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("The settings were saved.").waitFor()
      expect((await api.get("/settings")).body.data).toMatchObject({
        currency: "EUR",
        timeZone: "Europe/Berlin",
      })
      page.assertQuiet()
    })

    test("is chosen from with Enter, which does not create the customer", async () => {
      const page = await open("/customers/new")
      const country = page.getByRole("combobox", { name: "Country" })
      await page.getByLabel("Name").fill("Petersen")
      await country.click()
      await page.keyboard.type("germ")
      await page.keyboard.press("Enter")
      expect(await country.inputValue()).toBe("Germany")
      await page.getByLabel("City").click()
      await country.click()
      await page.keyboard.type("austri")
      await page.keyboard.press("Enter")
      expect(await country.inputValue()).toBe("Austria")
      await page.getByRole("heading", { level: 1, name: "New customer" }).waitFor()
      await page.getByRole("button", { name: "Create customer" }).click()
      await page.getByText("Petersen was saved.").waitFor()
      const { body } = await api.get("/customers?search=petersen")
      expect(body.data).toMatchObject([{ name: "Petersen", address: { country: "AT" } }])
      page.assertQuiet()
    })

    test("finds the item of a stock movement on the server, and Enter chooses it", async () => {
      const { id } = await shop.item({ itemCode: "BOLT-8", itemName: "Bolt" })
      await shop.item({ itemCode: "BOLT-9", itemName: "Another bolt" })
      const page = await open("/stock")
      await page.getByRole("button", { name: "Receive stock" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Item").click()
      await page.keyboard.type("bolt-8")
      await page
        .getByRole("option", { name: /BOLT-8/ })
        .and(page.locator("[data-combobox-selected]"))
        .waitFor()
      await page.keyboard.press("Enter")
      await page.keyboard.type("12")
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.waitFor({ state: "detached" })
      expect((await shop.get("items", id)).currentStock).toBe(12)
      page.assertQuiet()
    })
  })

  describe("the search of Ctrl-K", () => {
    const seek = async (page: Window, text: string) => {
      await page.keyboard.press("Control+k")
      await page.getByLabel("Search everything").and(page.locator(":focus")).waitFor()
      await page.keyboard.type(text)
    }

    test("opens the first hit with Enter, also if Enter is pressed before the results are there", async () => {
      await shop.item({ itemCode: "ZEB-1", itemName: "Zebra rug" })
      await shop.item({ itemCode: "YAK-1", itemName: "Yak blanket" })
      const page = await open("/")
      await seek(page, "zebra")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Zebra rug" }).waitFor()
      await animationsEnd(page)
      await seek(page, "zebra")
      await page.getByRole("dialog").locator("[data-selected]", { hasText: "Zebra rug" }).waitFor()
      // The results of the earlier text are still on screen. Enter must not open them.
      await page.getByLabel("Search everything").selectText()
      await page.keyboard.type("yak")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Yak blanket" }).waitFor()
      page.assertQuiet()
    })

    test("finds an invoice by its total, before the order with the same total", async () => {
      const item = await shop.item({ sellingPrice: 4413.97, taxRate: 0 })
      const { invoiceNumber } = await shop.invoice({ items: [{ item: item.id, quantity: 1 }] })
      const page = await open("/")
      for (const typed of ["4413.97", "€4,413.97"]) {
        await follow(page, "/", "Dashboard")
        await seek(page, typed)
        await page.getByRole("dialog").locator("[data-selected]", { hasText: invoiceNumber }).waitFor()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: invoiceNumber }).waitFor()
        await animationsEnd(page)
      }
      page.assertQuiet()
    })
  })

  describe("create in place", () => {
    test("a new customer and a new item are created from a new order, which keeps what was typed", async () => {
      const page = await open("/orders/new")
      const dialog = page.getByRole("dialog")
      const { faults, inspect } = inspector(page)
      await page.getByLabel("Notes").fill("By phone")
      await page.getByLabel("Customer").click()
      await page.keyboard.type("Hansen & Co")
      await page.getByRole("option", { name: 'Create "Hansen & Co"' }).and(highlighted(page)).waitFor()
      await page.keyboard.press("Enter")
      await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor()
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Hansen & Co")
      await inspect("new customer", "[role=dialog]")
      await dialog.getByLabel("Email").fill("not an address")
      await page.keyboard.press("Enter")
      await dialog.locator("[aria-invalid=true]:focus").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("hansen@example.com")
      await page.keyboard.press("Enter")
      await dialog.waitFor({ state: "detached" })
      expect(await page.getByLabel("Customer").inputValue()).toBe("Hansen & Co")
      await page.getByLabel("Item, line 1").click()
      await page.keyboard.type("Oak shelf")
      await page.getByRole("option", { name: 'Create "Oak shelf"' }).and(highlighted(page)).waitFor()
      await page.keyboard.press("Enter")
      await dialog.getByRole("textbox", { name: "Code", exact: true }).and(page.locator(":focus")).waitFor()
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Oak shelf")
      // In another look the dialog would be opened again.
      expect(await accessFaults(page, "[role=dialog]")).toEqual([])
      await page.keyboard.type("OAK-1")
      await dialog.getByLabel("Selling price").click()
      await page.keyboard.type("80")
      await page.keyboard.press("Enter")
      await dialog.waitFor({ state: "detached" })
      await page.getByLabel("Quantity, line 1").and(page.locator(":focus")).waitFor()
      await page.keyboard.type("3")
      expect((await api.get("/sales-orders?search=hansen")).body.data).toEqual([])
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft").waitFor()
      expect((await api.get("/sales-orders?search=hansen")).body.data).toMatchObject([
        {
          customerName: "Hansen & Co",
          notes: "By phone",
          items: [{ itemCode: "OAK-1", quantity: 3, rate: 80 }],
        },
      ])
      expect(faults).toEqual({})
      page.assertQuiet()
    })

    test("a user who may not create items can create customers only", async () => {
      const email = "seller@example.com"
      await api.create("/users", { email, name: "Seller", password: adminPassword, role: "sales" })
      const page = await open("/orders/new", { email })
      await page.getByLabel("Customer").click()
      await page.getByRole("option", { name: "Create a new customer" }).waitFor()
      await page.getByLabel("Item, line 1").click()
      await page.keyboard.type("Nowhere")
      await page.getByText("No item found").waitFor()
      expect(await page.getByRole("option", { name: /^Create/ }).count()).toBe(0)
    })

    test("an item is followed by another with the same tax rate and the usual unit, and can be duplicated", async () => {
      const page = await open("/items/new")
      const tax = page.getByLabel("Tax rate")
      const code = page.getByRole("textbox", { name: "Code", exact: true })
      await code.fill("BOX-1")
      await page.getByLabel("Name").fill("Box")
      await tax.fill("19")
      await page.getByLabel("Unit").fill("pcs")
      await page.getByRole("button", { name: "Save and add another" }).click()
      await page.getByText("Box was saved.").waitFor()
      await code.and(page.locator(":focus")).waitFor()
      const shown = () =>
        Promise.all(
          [code, ...["Name", "Tax rate", "Unit"].map((name) => page.getByLabel(name))].map((input) =>
            input.inputValue(),
          ),
        )
      expect(await shown()).toEqual(["", "", "19", "Nos"])
      await page.keyboard.type("LID-1")
      await page.getByLabel("Name").fill("Lid")
      await page.getByLabel("Unit").fill("pcs")
      await page.getByLabel("Selling price").fill("7")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Lid" }).waitFor()
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
      await page.getByRole("heading", { level: 1, name: "New item" }).waitFor()
      expect(await shown()).toEqual(["", "Lid", "19", "pcs"])
      await code.fill("LID-2")
      await page.getByRole("button", { name: "Create item" }).click()
      await page.getByRole("heading", { level: 1, name: "Lid" }).waitFor()
      const { body } = await api.get("/items?search=lid&sort=itemCode&order=asc")
      expect(body.data).toMatchObject([
        { itemCode: "LID-1", sellingPrice: 7, taxRate: 19, uom: "pcs" },
        { itemCode: "LID-2", sellingPrice: 7, taxRate: 19, uom: "pcs" },
      ])
      page.assertQuiet()
    })

    test("a customer is followed by another, and can be duplicated", async () => {
      const page = await open("/customers/new")
      await page.getByLabel("Name").fill("First of two")
      await page.getByLabel("City").fill("Flensburg")
      await page.getByRole("button", { name: "Save and add another" }).click()
      await page.getByText("First of two was saved.").waitFor()
      await page.getByLabel("Name").and(page.locator(":focus")).waitFor()
      expect(await page.getByLabel("City").inputValue()).toBe("")
      const [first] = (await api.get("/customers?search=first+of+two")).body.data
      await follow(page, `/customers/${first.id}`, "First of two")
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
      await page.getByRole("heading", { level: 1, name: "New customer" }).waitFor()
      expect(await page.getByLabel("City").inputValue()).toBe("Flensburg")
      await page.getByLabel("Name").fill("Second of two")
      await page.getByRole("button", { name: "Create customer" }).click()
      await page.getByRole("heading", { level: 1, name: "Second of two" }).waitFor()
      const { body } = await api.get("/customers?search=second+of+two")
      expect(body.data).toMatchObject([{ name: "Second of two", address: { city: "Flensburg" } }])
      page.assertQuiet()
    })

    test("an order can be duplicated, and nothing is stored before it is saved", async () => {
      const customer = await shop.customer({ name: "Orders again", paymentTerms: "Net 30" })
      const item = await shop.item({ itemCode: "AGAIN", itemName: "Tea", sellingPrice: 10, taxRate: 10 })
      const order = await shop.submitted({
        customer: customer.id,
        items: [{ item: item.id, quantity: 3, rate: 9.5, discount: 5 }],
        orderDate: "2026-01-10",
        deliveryDate: "2026-02-01",
        paymentTerms: "Net 7",
        notes: "Ring twice",
        externalId: "web-1",
      })
      await api.put(`/items/${item.id}`, { taxRate: 20 })
      const page = await open(`/orders/${order.id}`)
      await chooseAction(page, "Duplicate")
      await page.getByRole("heading", { level: 1, name: "New order" }).waitFor()
      const names = [
        /^Customer/,
        /^Payment terms/,
        /^Delivery date/,
        /^Notes/,
        /^Item, line 1/,
        /^Quantity, line 1/,
      ]
      const shown = names.map((name) =>
        page.getByLabel(name).and(page.locator("input, textarea")).inputValue(),
      )
      expect(await Promise.all(shown)).toEqual([
        "Orders again",
        "Net 7",
        "",
        "Ring twice",
        "AGAIN · Tea",
        "3",
      ])
      const stored = async () => (await api.get(`/sales-orders?customer=${customer.id}`)).body.data
      expect(await stored()).toHaveLength(1)
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft.").waitFor()
      const [copy] = (await stored()).filter(({ id }: { id: string }) => id !== order.id)
      const { today } = (await api.get("/auth/me")).body.data.company
      expect(copy).toMatchObject({
        status: "draft",
        orderDate: today,
        deliveryDate: null,
        paymentTerms: "Net 7",
        notes: "Ring twice",
        externalId: null,
        total: 32.5,
      })
      expect((await shop.get("sales-orders", copy.id)).items).toMatchObject([
        { item: item.id, quantity: 3, rate: 9.5, discount: 5, taxRate: 20 },
      ])
      page.assertQuiet()
    })

    test("an issued invoice can be duplicated to a draft", async () => {
      const customer = await shop.customer({ name: "Invoices again" })
      const items = [{ description: "Advice", quantity: 2, rate: 30 }]
      const { id } = await shop.invoice({ customer: customer.id, items })
      const page = await open(`/invoices/${id}`)
      await chooseAction(page, "Duplicate")
      await page.getByRole("heading", { level: 1, name: "New invoice" }).waitFor()
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("The draft invoice was saved.").waitFor()
      const { data } = (await api.get(`/invoices?customer=${customer.id}&status=draft`)).body
      expect(data).toMatchObject([{ status: "draft", total: 60 }])
      page.assertQuiet()
    })

    test("the method of the last payment is the default of the next one, and typing replaces it", async () => {
      const [one, other] = [await shop.invoice(), await shop.invoice()]
      const page = await open(`/invoices/${one.id}`)
      const dialog = page.getByRole("dialog")
      await page.getByRole("button", { name: "Record payment" }).click()
      await dialog.getByLabel("Method").fill("Cash")
      await dialog.getByRole("button", { name: "Record payment" }).click()
      await dialog.waitFor({ state: "detached" })
      await follow(page, `/invoices/${other.id}`, other.invoiceNumber)
      await page.getByRole("button", { name: "Record payment" }).click()
      expect(await dialog.getByLabel("Method").inputValue()).toBe("Cash")
      await dialog.getByLabel("Method").click()
      await page.keyboard.type("ban")
      await page.getByRole("option", { name: "Bank transfer" }).click()
      expect(await dialog.getByLabel("Method").inputValue()).toBe("Bank transfer")
    })
  })
})
