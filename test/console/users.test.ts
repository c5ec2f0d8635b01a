import { beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn } from "../support/api"
import { browserPath, follow, startConsole, type Window } from "../support/browser"
import { adminEmail, adminPassword } from "../support/kontor"
import { isLong } from "../support/long"
import { trade } from "../support/trade"

const { kontor, api, shop, open } = await startConsole()

// First, because the roles need another admin.
describe.skipIf(browserPath === null)("in the settings", () => {
  test("a generated password is shown once; a typed one is not", async () => {
    const page = await open("/settings/users")
    const dialog = page.getByRole("dialog")
    const fill = async (name: string) => {
      await page.getByRole("button", { name: "New user" }).first().click()
      await dialog.getByLabel("Email").fill(`${name}@example.com`)
      await dialog.getByLabel("Name").fill(name)
      await dialog.getByRole("button", { name: "Generate" }).click()
    }
    await fill("Anna")
    const password = await dialog.getByLabel("Password", { exact: false }).first().inputValue()
    expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    await dialog.getByRole("button", { name: "Create user" }).click()
    await page.getByText("Sign-in details for Anna").waitFor()
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe(password)
    await dialog.getByRole("button", { name: "I have shared the password" }).click()

    await fill("Bert")
    await dialog.getByLabel("Password", { exact: false }).first().fill("a password of one's own")
    await dialog.getByRole("button", { name: "Create user" }).click()
    await page.getByText("Bert was saved.").waitFor()
    await dialog.waitFor({ state: "hidden" })
    expect(await page.getByText("Sign-in details for Bert").count()).toBe(0)
  })

  test("users and API keys are filtered by their plan", async () => {
    const person = { email: "pro@example.com", name: "Paula Pro", role: "sales", password: adminPassword }
    await api.create("/users", { ...person, plan: "pro" })
    await api.create("/api-keys", { name: "Slow", scopes: ["read"], plan: "free" })
    await api.create("/api-keys", { name: "Usual", scopes: ["read"] })
    const page = await open("/settings/users")
    const only = async (plan: string, names: [shown: string, other: string]) => {
      const rows = (name: string) => page.getByRole("row").filter({ hasText: name })
      await rows(names[1]).first().waitFor()
      await page.getByPlaceholder("Plan").click()
      await page.getByRole("option", { name: plan }).click()
      await rows(names[1]).first().waitFor({ state: "detached" })
      expect(await rows(names[0]).count()).toBe(1)
    }
    await only("Pro", ["pro@example.com", adminEmail])
    await follow(page, "/settings/api-keys", "API keys")
    await only("Free", ["Slow", "Usual"])
    page.assertQuiet()
  })

  test("the last active administrator cannot be deactivated", async () => {
    const page = await open("/settings/users")
    const dialog = page.getByRole("dialog")
    await page.getByRole("main").getByRole("button", { name: "admin" }).first().click()
    await dialog.getByText("This is your own account.").waitFor()
    await dialog.getByRole("switch", { name: "Active" }).uncheck()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("is the last active admin").waitFor()
  })

  test("a new password must be repeated correctly, and the current password must be right", async () => {
    const page = await open("/settings/account")
    const [current, next, again] = ["Current password", "New password", "Confirm new password"].map((label) =>
      page.getByRole("textbox", { name: label, exact: true }),
    )
    await current?.fill("not the password")
    await next?.fill("a longer password")
    await again?.fill("another password")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Passwords do not match").waitFor()
    await again?.fill("a longer password")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("is wrong").waitFor()
  })

  test("the search lists the kind with the best match first, and the pages of the menu last", async () => {
    const item = await shop.item({ itemName: "Items of Zanzibar", sellingPrice: 10 })
    const customer = await shop.customer({ name: "Zanzibar items" })
    await shop.submitted({ customer: customer.id, items: [{ item: item.id, quantity: 1 }] })
    const page = await open("/")
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").fill("items")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Zanzibar items", { exact: true }).waitFor()
    await dialog.getByText("$10.00 · Submitted").waitFor()
    const shown = (await dialog.locator("button").allInnerTexts()).map((text) => text.trim())
    expect(shown).toEqual([
      "Items of Zanzibar",
      "Zanzibar items",
      expect.stringMatching(/^SO-.* · Zanzibar items\s+\$10\.00 · Submitted$/),
      "Items",
      "Import files",
    ])
    await dialog.getByText("Items of Zanzibar", { exact: true }).click()
    await page.waitForURL(`**/console/items/${item.id}`)
  })
})

const everyone = [
  "Dashboard",
  "Orders",
  "Invoices",
  "Credit notes",
  "Payments",
  "Customers",
  "Messages",
  "Items",
  "Stock",
  "My account",
  // Among the settings, and among the pages for developers.
  "API keys",
  "API keys",
  "Limits in use",
  "API docs",
  "Connected apps",
  "Webhooks",
  "Reports",
  "Help",
]
const roles: [role: string, menu: string[], creates: string[], not: string[]][] = [
  ["viewer", everyone, [], ["Items", "Customers", "Orders", "Invoices"]],
  ["sales", everyone, ["Customers", "Orders"], ["Items", "Invoices"]],
  ["shop", everyone, ["Customers", "Orders", "Invoices"], ["Items"]],
  ["accountant", everyone, ["Customers", "Invoices"], ["Items", "Orders"]],
  ["manager", everyone, ["Items", "Customers", "Orders", "Invoices"], []],
  [
    "admin",
    [...everyone, "Company", "Users", "OAuth clients", "Audit log", "Mail", "Backups"],
    ["Items", "Customers", "Orders", "Invoices"],
    [],
  ],
]

/** The entries of the menu that these tests check. */
const entries = roles.flatMap(([, menu]) => menu)

describe.skipIf(browserPath === null)("the console for a role", () => {
  const emailOf = (role: string) => `${role}@shop.example`
  beforeAll(async () => {
    await Promise.all(
      roles.map(([role]) =>
        api.create("/users", { email: emailOf(role), name: role, role, password: adminPassword }),
      ),
    )
    await api.create("/items", { itemCode: "A", itemName: "Desk" })
    await api.create("/customers", { name: "Acme" })
  })
  /** Goes to a list by its heading. */
  const show = (page: Window, name: string) => follow(page, `/${name.toLowerCase()}`, name)
  const newButton = (page: Window) => page.getByRole("link", { name: /^New / })

  // A test without a browser, src/console/shell/roles.test.tsx, has the menu and the lists of every role.
  const shown = roles.filter(([role]) => isLong || role === "viewer" || role === "shop")

  test.each(shown)("offers its pages and its buttons: %s", async (role, menu, creates, not) => {
    const page = await open("/", { email: emailOf(role) })
    await page.getByRole("button", { name: "Developers" }).click()
    const offered = await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link")
      .allTextContents()
    // A new kind adds its own entry.
    expect(offered.filter((entry) => entries.includes(entry)).toSorted()).toEqual(menu.toSorted())
    for (const name of creates) {
      await show(page, name)
      await newButton(page).first().waitFor()
    }
    for (const name of not) {
      await show(page, name)
      await page
        .getByText(/ of \d|No .* yet/)
        .first()
        .waitFor()
      expect(await newButton(page).count()).toBe(0)
    }
    page.assertQuiet()
  })

  test("has a menu in groups, and leaves out what the user may not see; what is for developers is folded until it is opened", async () => {
    const groupsOf = async (page: Window) => {
      const menu = page.getByRole("navigation", { name: "Main menu" })
      const developers = menu.getByRole("button", { name: "Developers" })
      await developers.and(page.locator("[aria-expanded=false]")).waitFor()
      expect(await menu.getByRole("link", { name: "Limits in use" }).count()).toBe(0)
      await developers.click()
      // The browser remembers it.
      await page.reload()
      await developers.and(page.locator("[aria-expanded=true]")).waitFor()
      expect(await menu.getByRole("link").first().textContent()).toBe("Dashboard")
      const groups = await menu.getByRole("region").all()
      return Promise.all(
        groups.map(async (group) => [
          await group.locator("[id^=menu-]").textContent(),
          await group.getByRole("link").allTextContents(),
        ]),
      )
    }
    const daily = [
      [
        "Sell",
        [
          "Orders",
          "Invoices",
          "Recurring invoices",
          "Credit notes",
          "Payments",
          "Customers",
          "Reminders",
          "Messages",
        ],
      ],
      ["Stock", ["Items", "Stock"]],
      ["Reports", ["Reports"]],
    ]
    expect(await groupsOf(await open("/"))).toEqual([
      ...daily,
      [
        "Settings",
        [
          "Company",
          "Tax codes",
          "Users",
          "Audit log",
          "API keys",
          "Mail",
          "Backups",
          "My account",
          "Connected apps",
        ],
      ],
      ["Developers", ["API keys", "OAuth clients", "Webhooks", "Limits in use", "API docs"]],
    ])
    expect(await groupsOf(await open("/", { email: emailOf("viewer") }))).toEqual([
      ...daily,
      ["Settings", ["Tax codes", "API keys", "My account", "Connected apps"]],
      ["Developers", ["API keys", "Webhooks", "Limits in use", "API docs"]],
    ])
  })

  test("shows a viewer a record without buttons to update it, and the server refuses an update", async () => {
    const page = await open("/items", { email: emailOf("viewer") })
    await page.getByRole("link", { name: "A", exact: true }).click()
    await page.getByRole("heading", { name: "Desk" }).waitFor()
    expect(await page.getByLabel("Name").isDisabled()).toBeTrue()
    for (const name of ["Save", "More actions"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0)
    const viewer = await signIn(kontor, emailOf("viewer"))
    const { data } = (await viewer.get("/items")).body
    expect(refusalOf(await viewer.put(`/items/${data[0].id}`, { itemName: "Mine" }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    })
  })

  test("offers a shop to book stock and payments, and not to cancel an invoice or delete a payment", async () => {
    const seller = trade(await signIn(kontor, emailOf("shop")))
    const items = [{ item: (await trade(api).item()).id, quantity: 1 }]
    const { id, invoiceNumber } = await seller.invoice({ items })
    const path = `/invoices/${id}`
    const more = (page: Window) => page.getByRole("button", { name: "More actions" })
    const other = await open(path, isLong ? { email: emailOf("accountant") } : {})
    await more(other).click()
    await other.getByRole("menuitem", { name: "Cancel invoice" }).waitFor()
    await seller.pay(id, 1)
    const page = await open(path, { email: emailOf("shop") })
    await page.getByRole("heading", { name: invoiceNumber }).waitFor()
    await page.getByRole("button", { name: "Record payment" }).waitFor()
    expect(await page.getByRole("button", { name: /^Delete/ }).count()).toBe(0)
    await show(page, "Stock")
    await page.getByRole("button", { name: "Receive stock" }).first().waitFor()
    const unpaid = await seller.invoice({ items })
    await follow(page, `/invoices/${unpaid.id}`, unpaid.invoiceNumber)
    await more(page).click()
    await page.getByRole("menuitem").first().waitFor()
    expect(await page.getByRole("menuitem", { name: "Cancel invoice" }).count()).toBe(0)
    page.assertQuiet()
  })

  test("explains who may see a page that this user may not", async () => {
    const page = await open("/settings/users", { email: emailOf("viewer") })
    await page.getByText("Only admins can view this page").first().waitFor()
  })
})
