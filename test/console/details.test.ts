import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { browserPath, closeBrowser, newPage, overflow, signInAt, type Window } from "../support/browser"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

describe.skipIf(browserPath === null)("details of the console", () => {
  beforeAll(async () => {
    for (const role of ["viewer", "sales", "accountant"])
      await api.create("/users", {
        email: `${role}@shop.example`,
        name: role,
        role,
        password: adminPassword,
      })
  })
  type Look = Parameters<typeof newPage>[1] & { email?: string }
  const open = async (path: string, { email, ...look }: Look = {}): Promise<Window> => {
    const page = await newPage(kontor, look)
    await signInAt(page, kontor, { path, email })
    return page
  }

  describe("who may not make something", () => {
    const closed = {
      viewer: ["/items/new", "/customers/new", "/orders/new", "/invoices/new"],
      sales: ["/items/new", "/invoices/new"],
      accountant: ["/items/new", "/orders/new"],
    }
    test.each(Object.entries(closed))("is told so, and sees no form: %s", async (role, paths) => {
      const page = await open("/", { email: `${role}@shop.example` })
      for (const path of paths) {
        await page.goto(`${kontor.url}/console${path}`)
        await page.getByText(/^Only .* can make /).waitFor()
        expect(await page.locator("main input, main textarea").count()).toBe(0)
      }
      page.assertQuiet()
    })

    test("finds nothing to clear on a customer's page", async () => {
      const { id } = await shop.customer({ name: "Acme", address: { country: "DE" } })
      const page = await open(`/customers/${id}`, { email: "viewer@shop.example" })
      await page.getByRole("heading", { level: 1, name: "Acme" }).waitFor()
      expect(await page.getByLabel("Country").inputValue()).toBe("Germany")
      expect(await page.locator("form button").count()).toBe(0)
    })

    test("sees a draft invoice as a document", async () => {
      const customer = await shop.customer({ name: "Drafted" })
      const item = await shop.item({ itemName: "Drafted thing" })
      const { id } = await api.create("/invoices", {
        customer: customer.id,
        items: [{ item: item.id, quantity: 1 }],
      })
      const page = await open(`/invoices/${id}`, { email: "viewer@shop.example" })
      await page.getByRole("heading", { level: 1, name: "Draft for Drafted" }).waitFor()
      await page.getByText("Drafted thing").waitFor()
      expect(await page.getByRole("button", { name: /Save|Issue|Add line|Delete/ }).count()).toBe(0)
      page.assertQuiet()
    })
  })

  describe("a moment", () => {
    /** Where it is another day than in Greenwich, now and for the next hours. */
    const timezoneId = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati"
    const today = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: timezoneId }).format()

    test("of an item's last change is on the day of whoever looks", async () => {
      await shop.item({ itemName: "Changed just now" })
      const page = await open("/items?search=changed", { timezoneId })
      await page.getByRole("button", { name: "Choose columns" }).click()
      await page.getByRole("menuitemcheckbox", { name: "Changed" }).click()
      await page.locator("tbody tr", { hasText: "Changed just now" }).getByText(today).waitFor()
    })

    test("of an invoice's cancellation, too", async () => {
      const { id } = await shop.invoice()
      await shop.status("invoices", id, "cancelled")
      const page = await open(`/invoices/${id}`, { timezoneId })
      await page.getByText(`Cancelled ${today}`).waitFor()
    })
  })

  describe("what somebody else has changed meanwhile is not deleted", () => {
    test("on an item's own page", async () => {
      const { id } = await shop.item({ itemName: "Contested" })
      const page = await open(`/items/${id}`)
      await page.getByRole("heading", { level: 1, name: "Contested" }).waitFor()
      await api.put(`/items/${id}`, { category: "Theirs" })
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByRole("alert").waitFor()
      expect((await api.get(`/items/${id}`)).status).toBe(200)
      // What is there now is shown, and can be deleted.
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
      expect((await api.get(`/items/${id}`)).status).toBe(404)
    })

    test.each([
      ["items", "itemName", () => shop.item({ itemName: "Contested in a list" })],
      ["customers", "name", () => shop.customer({ name: "Contested in a list" })],
    ])("in the list of %s", async (kind, field, make) => {
      const { id } = await make()
      const page = await open(`/${kind}?search=contested`)
      await page.getByLabel("Select Contested in a list").check()
      await api.put(`/${kind}/${id}`, { [field]: "Contested and changed" })
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByText("1 could not be deleted").waitFor()
      expect((await api.get(`/${kind}/${id}`)).status).toBe(200)
    })
  })

  test("a draft invoice is issued as it stands in the inputs", async () => {
    const customer = await shop.customer()
    const item = await shop.item({ sellingPrice: 10, itemType: "Service" })
    const { id } = await api.create("/invoices", {
      customer: customer.id,
      items: [{ item: item.id, quantity: 1 }],
    })
    const page = await open(`/invoices/${id}`)
    await page.getByLabel("Quantity, line 1").fill("3")
    const issue = page.getByRole("button", { name: /^Issue/ })
    expect(await issue.count()).toBe(1)
    await issue.click()
    await page.getByRole("dialog").getByRole("button", { name: "Issue invoice" }).click()
    await page.getByText(/was issued/).waitFor()
    expect((await api.get(`/invoices/${id}`)).body.data).toMatchObject({ status: "unpaid", total: 30 })
    page.assertQuiet()
  })

  test("the page of a printed document is named by the document alone", async () => {
    const before = (await api.get("/settings")).body.data
    expect((await api.put("/settings", { companyName: "Nordlicht GmbH" })).status).toBe(200)
    const { id, invoiceNumber } = await shop.invoice()
    const page = await open(`/invoices/${id}/print`)
    await page.getByRole("heading", { level: 1, name: `Invoice ${invoiceNumber}`, exact: true }).waitFor()
    await api.put("/settings", { companyName: before.companyName })
  })

  describe("a dialog in which something was typed is not lost by a slip", () => {
    const assertStays = async (page: Window, label: string, typed: string) => {
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel(label).fill(typed)
      await page.keyboard.press("Escape")
      await page.keyboard.press("Escape")
      await page.mouse.click(5, 400)
      // Long enough for a dialog that goes to be gone.
      await page.waitForTimeout(400)
      expect(await dialog.getByLabel(label).inputValue()).toBe(typed)
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
      page.assertQuiet()
    }

    test("for a payment", async () => {
      const page = await open(`/invoices/${(await shop.invoice()).id}`)
      await page.getByRole("button", { name: "Add payment" }).click()
      await assertStays(page, "Reference", "Statement 7")
    })

    test("for invoicing an order", async () => {
      const page = await open(`/orders/${(await shop.submitted()).id}`)
      await page.getByRole("button", { name: "Invoice", exact: true }).click()
      await assertStays(page, "to invoice now", "1")
    })

    test("for stock that came in", async () => {
      const page = await open("/stock")
      await page.getByRole("button", { name: "Receive stock" }).first().click()
      await assertStays(page, "Note", "Two boxes")
    })

    test("and one that was only looked at goes by Escape", async () => {
      const page = await open("/stock")
      await page.getByRole("button", { name: "Adjust" }).click()
      await page.getByRole("dialog").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    })
  })

  describe("a date", () => {
    test("is typed in the person's own language, as it is shown", async () => {
      const { id } = await shop.order({ orderDate: "2026-01-15" })
      const page = await open(`/orders/${id}`, { locale: "fr-FR" })
      const field = page.getByRole("textbox", { name: "Order date" })
      expect(await field.inputValue()).toBe("15 janv. 2026")
      await field.fill("5 févr. 2026")
      await page.getByLabel("Notes").click()
      expect(await field.inputValue()).toBe("5 févr. 2026")
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft").waitFor()
      expect((await shop.get("sales-orders", id)).orderDate).toBe("2026-02-05")
    })

    test("that cannot be read is said to be none, stays as typed, and is not saved as another day", async () => {
      const { id } = await shop.order({ orderDate: "2026-01-15" })
      const page = await open(`/orders/${id}`)
      const field = page.getByRole("textbox", { name: "Order date" })
      await field.fill("the day after")
      await page.getByLabel("Notes").fill("Changed as well")
      await page.getByText("This is not a date that can be read.").waitFor()
      expect(await field.inputValue()).toBe("the day after")
      const refused = page.waitForResponse((response) => response.request().method() === "PUT")
      await page.getByRole("button", { name: "Save draft" }).click()
      expect((await refused).status()).toBe(422)
      expect(await shop.get("sales-orders", id)).toMatchObject({ orderDate: "2026-01-15", notes: null })
      await field.fill("Mar 5, 2026")
      await page.getByLabel("Notes").click()
      expect(await page.getByText("This is not a date").count()).toBe(0)
      await page.getByRole("button", { name: "Save draft" }).click()
      await page.getByText("was saved as a draft").waitFor()
      expect(await shop.get("sales-orders", id)).toMatchObject({ orderDate: "2026-03-05" })
      page.assertQuiet()
    })

    test("of a payment, an invoice and its due date is typed in the same way", async () => {
      const order = await shop.submitted({ orderDate: "2026-01-15" })
      const page = await open(`/orders/${order.id}`)
      await page.getByRole("button", { name: "Invoice", exact: true }).click()
      await page.getByRole("dialog").getByRole("textbox", { name: "Invoice date" }).fill("Feb 1, 2026")
      await page.keyboard.press("Tab")
      await page.getByRole("button", { name: "Create invoice" }).click()
      await page.getByRole("button", { name: "Add payment" }).click()
      await page.getByRole("dialog").getByRole("textbox", { name: "Date" }).fill("2/20/2026")
      await page.getByRole("dialog").getByLabel("Reference").fill("Statement 7")
      await page.getByRole("dialog").getByRole("button", { name: "Add payment" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.getByRole("textbox", { name: "Due date" }).fill("May 5, 2026")
      await page.keyboard.press("Tab")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("was saved.").waitFor()
      const invoice = await shop.get("invoices", page.url().split("/").at(-1) ?? "")
      expect(invoice).toMatchObject({ invoiceDate: "2026-02-01", dueDate: "2026-05-05" })
      expect(invoice.payments[0].paymentDate).toBe("2026-02-20")
      page.assertQuiet()
    })
  })

  describe("the history of a record", () => {
    test("goes on to its beginning", async () => {
      const { id } = await shop.item({ itemName: "Often changed" })
      for (let i = 1; i <= 24; i++) await api.put(`/items/${id}`, { category: `Category ${i}` })
      const page = await open(`/items/${id}`)
      await page.getByText("Category: Category 23 → Category 24").waitFor()
      expect(await page.getByText("Create ·").count()).toBe(0)
      await page.getByRole("button", { name: "Show more of the history" }).click()
      await page.getByText("Create ·").waitFor()
      expect(await page.getByRole("button", { name: "Show more of the history" }).count()).toBe(0)
      page.assertQuiet()
    })

    test("tells the lines of a draft invoice in words", async () => {
      const item = await shop.item({ itemCode: "WORDY", sellingPrice: 10 })
      const { id } = await api.create("/invoices", {
        customer: (await shop.customer()).id,
        items: [{ item: item.id, quantity: 1 }],
      })
      await api.put(`/invoices/${id}`, { items: [{ item: item.id, quantity: 4 }] })
      const page = await open(`/invoices/${id}`)
      await page.getByText("1 × WORDY at 10 → 4 × WORDY at 10").waitFor()
    })
  })

  describe("on a phone", () => {
    const phone = { width: 390, height: 844 }

    test("a name of 120 letters without a space makes no page too wide", async () => {
      const long = "W".repeat(120)
      const customer = await shop.customer({ name: long })
      const item = await shop.item({ itemName: long, itemCode: "W".repeat(40) })
      const lines = { customer: customer.id, items: [{ item: item.id, quantity: 1 }] }
      const draft = await api.create("/sales-orders", lines)
      const order = await shop.submitted(lines)
      const invoice = (await shop.bill(order.id)).body.data
      const written = await api.create("/invoices", lines)
      const page = await open("/", phone)
      const wide: Record<string, number> = {}
      for (const path of [
        `/customers/${customer.id}`,
        `/items/${item.id}`,
        `/orders/${draft.id}`,
        `/orders/${order.id}`,
        `/invoices/${invoice.id}`,
        `/invoices/${written.id}`,
        "/customers?search=WWWW",
        "/items?search=WWWW",
        "/orders",
        "/invoices",
        `/stock?item=${item.id}`,
      ]) {
        await page.goto(`${kontor.url}/console${path}`)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await page.waitForLoadState("networkidle")
        const much = await overflow(page)
        if (much > 0) wide[path.replace(/[a-z]+_\w{26}/, "…")] = much
      }
      expect(wide).toEqual({})
    })

    test("a long name of the company leaves the buttons of the header free", async () => {
      await api.put("/settings", {
        companyName: "Möbelwerkstätten Hinterhuber & Söhne Verwaltungsgesellschaft mbH",
      })
      for (const width of [390, 800]) {
        const page = await open("/", { width, height: 844 })
        const name = await page.getByText("Möbelwerkstätten").first().boundingBox()
        const search = await page.getByRole("banner").getByRole("button", { name: "Search" }).boundingBox()
        expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(search?.x ?? 0)
      }
      await api.put("/settings", { companyName: null })
    })

    test("the lines of an issued invoice stand under one another", async () => {
      const item = await shop.item({ itemName: "Carried home", sellingPrice: 12.5, taxRate: 20 })
      const { id } = await shop.invoice({ items: [{ item: item.id, quantity: 2 }] })
      const page = await open(`/invoices/${id}`, phone)
      await page.getByText("Carried home").waitFor()
      expect(await page.getByRole("table").count()).toBe(0)
      const amount = await page.getByText("$25.00").first().boundingBox()
      expect((amount?.x ?? 0) + (amount?.width ?? 999)).toBeLessThanOrEqual(390)
      await page.getByRole("group", { name: "Totals" }).getByText("Balance").waitFor()
    })
  })

  test("an order of 300 lines of one item takes what is typed, and reckons it", async () => {
    const item = await shop.item({ sellingPrice: 1 })
    await shop.receive(item.id, 100_000)
    const { id } = await shop.order({
      items: Array.from({ length: 300 }, () => ({ item: item.id, quantity: 1 })),
    })
    const page = await open(`/orders/${id}`)
    const available = (text: string) => page.locator("tbody tr").last().getByText(`${text} Nos available`)
    await available("99,701").waitFor()
    const field = page.getByLabel("Quantity, line 1", { exact: true })
    await field.focus()
    await page.waitForFunction(() => getSelection()?.toString() === "1")
    for (const key of "5432") await page.keyboard.press(key)
    expect(await field.inputValue()).toBe("5432")
    await available("94,270").waitFor()
    await page.getByRole("group", { name: "Totals" }).getByText("$5,731.00").first().waitFor()
    await page.keyboard.press("Tab")
    expect(await field.inputValue()).toBe("5,432")
    page.assertQuiet()
  })
})
