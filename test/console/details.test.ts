import { beforeAll, describe, expect, test } from "bun:test"
import {
  animationsEnd,
  browserPath,
  chooseAction,
  follow,
  show,
  startConsole,
  type Window,
  reloadUntilGone,
} from "../support/browser"
import { adminPassword } from "../support/kontor"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("in the console", () => {
  const emailOf = (role: string) => `${role}@shop.example`
  beforeAll(async () => {
    const create = (role: string) =>
      api.create("/users", { email: emailOf(role), name: role, role, password: adminPassword })
    await Promise.all(["viewer", "sales", "shop", "accountant"].map(create))
  })

  describe("a user without the right to create a record", () => {
    const closed = {
      viewer: ["/items/new", "/customers/new", "/orders/new", "/invoices/new"],
      sales: ["/items/new", "/invoices/new"],
      shop: ["/items/new"],
      accountant: ["/items/new", "/orders/new"],
    }
    const headings: Record<string, string> = {
      "/items/new": "New item",
      "/customers/new": "New customer",
      "/orders/new": "New order",
      "/invoices/new": "New invoice",
    }
    test.each(Object.entries(closed))("sees an explanation and no form: %s", async (role, paths) => {
      const page = await open("/", { email: emailOf(role) })
      for (const path of paths) {
        await follow(page, path, headings[path] ?? "")
        await page.getByText(/^Only .* can create /).waitFor()
        expect(await page.locator("main input, main textarea").count()).toBe(0)
      }
      page.assertQuiet()
    })

    test("sees no button that clears a field on a customer's page", async () => {
      const { id } = await shop.customer({ name: "Acme", address: { country: "DE" } })
      const page = await open(`/customers/${id}`, { email: emailOf("viewer") })
      await page.getByRole("heading", { level: 1, name: "Acme" }).waitFor()
      expect(await page.getByLabel("Country").inputValue()).toBe("Germany")
      expect(await page.locator("form button").count()).toBe(0)
    })

    test("sees a draft invoice as a read-only document", async () => {
      const customer = await shop.customer({ name: "Drafted" })
      const item = await shop.item({ itemName: "Drafted thing" })
      const { id } = await api.create("/invoices", {
        customer: customer.id,
        items: [{ item: item.id, quantity: 1 }],
      })
      const page = await open(`/invoices/${id}`, { email: emailOf("viewer") })
      await page.getByRole("heading", { level: 1, name: "Draft for Drafted" }).waitFor()
      await page.getByText("Drafted thing").waitFor()
      expect(await page.getByRole("button", { name: /Save|Issue|Add line|Delete/ }).count()).toBe(0)
      page.assertQuiet()
    })
  })

  describe("a timestamp", () => {
    /** A time zone whose date differs from the UTC date, now and for the next hours. */
    const timezoneId = new Date().getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati"
    const today = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: timezoneId }).format()

    test("of an item's last update is shown in the viewer's local day", async () => {
      await shop.item({ itemName: "Changed just now" })
      const page = await open("/items?search=changed", { timezoneId })
      await page.getByRole("button", { name: "Choose columns" }).click()
      await page.getByRole("menuitemcheckbox", { name: "Updated" }).click()
      await page.locator("tbody tr", { hasText: "Changed just now" }).getByText(today).waitFor()
    })

    test("of an invoice's cancellation is shown in the viewer's local day", async () => {
      const { id } = await shop.invoice()
      await shop.status("invoices", id, "cancelled")
      const page = await open(`/invoices/${id}`, { timezoneId })
      await page.getByText(`Cancelled ${today}`).waitFor()
    })
  })

  describe("a record that another user has updated in the meantime is not deleted", () => {
    /** Opens a page that does not know of updates, as if they had just been made. */
    const openAlone = async (path: string) => {
      const page = await open("/")
      await page.route("**/api/v1/events*", (route) => route.abort())
      await show(page, kontor, path)
      return page
    }
    test("on the page of an item", async () => {
      const { id } = await shop.item({ itemName: "Contested" })
      const page = await openAlone(`/items/${id}`)
      await page.getByRole("heading", { level: 1, name: "Contested" }).waitFor()
      await api.put(`/items/${id}`, { category: "Theirs" })
      await chooseAction(page, "Delete")
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByRole("alert").waitFor()
      expect((await api.get(`/items/${id}`)).status).toBe(200)
      // The current version is shown now, and can be deleted.
      await chooseAction(page, "Delete")
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
      await reloadUntilGone(page, api, `/items/${id}`)
    })

    test.each([
      ["items", "itemName", () => shop.item({ itemName: "Contested in a list" })],
      ["customers", "name", () => shop.customer({ name: "Contested in a list" })],
    ])("in the list of %s", async (kind, field, make) => {
      const { id } = await make()
      const page = await openAlone(`/${kind}?search=contested`)
      await page.getByLabel("Select Contested in a list").check()
      await api.put(`/${kind}/${id}`, { [field]: "Contested and changed" })
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByText("1 could not be deleted").waitFor()
      expect((await api.get(`/${kind}/${id}`)).status).toBe(200)
    })
  })

  test("a draft invoice is issued with the values in its inputs", async () => {
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

  describe("a dialog with input is not closed by Escape or by a click outside without a question", () => {
    const assertStays = async (page: Window, label: string, typed: string) => {
      const dialog = page.getByRole("dialog").filter({ has: page.getByLabel(label) })
      await dialog.getByLabel(label).fill(typed)
      for (const leave of [() => page.keyboard.press("Escape"), () => page.mouse.click(5, 400)]) {
        await leave()
        await page.getByRole("button", { name: "Keep editing" }).click()
        await animationsEnd(page)
        expect(await dialog.getByLabel(label).inputValue()).toBe(typed)
      }
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await dialog.waitFor({ state: "detached" })
      page.assertQuiet()
    }

    test("for a payment", async () => {
      const page = await open(`/invoices/${(await shop.invoice()).id}`)
      await page.getByRole("button", { name: "Record payment" }).click()
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

    test("unless nothing was typed into it", async () => {
      const page = await open("/stock")
      await page.getByRole("button", { name: "Adjust stock" }).click()
      await page.getByRole("dialog").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    })
  })
})
