import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn } from "../support/api"
import { browserPath, closeBrowser, newPage, signInAt, type Window } from "../support/browser"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"

const everyone = [
  "Dashboard",
  "Orders",
  "Invoices",
  "Customers",
  "Items",
  "Stock",
  "My account",
  "API keys",
  "Connected apps",
]
const roles: [role: string, menu: string[], makes: string[], not: string[]][] = [
  ["viewer", everyone, [], ["/items", "/customers", "/orders", "/invoices"]],
  ["sales", everyone, ["/customers", "/orders"], ["/items", "/invoices"]],
  ["accountant", everyone, ["/customers", "/invoices"], ["/items", "/orders"]],
  ["manager", everyone, ["/items", "/customers", "/orders", "/invoices"], []],
  [
    "admin",
    [...everyone, "Company", "Users", "OAuth clients", "Audit log", "Backups"],
    ["/items", "/customers", "/orders", "/invoices"],
    [],
  ],
]

/** Every entry of the menu that these tests know of. */
const entries = roles.flatMap(([, menu]) => menu)

describe.skipIf(browserPath === null)("what each role is offered", () => {
  let kontor: Kontor
  const emailOf = (role: string) => `${role}@shop.example`
  beforeAll(async () => {
    kontor = await serve()
    const api = await signIn(kontor)
    for (const [role] of roles)
      await api.create("/users", { email: emailOf(role), name: role, role, password: adminPassword })
    await api.create("/items", { itemCode: "A", itemName: "Desk" })
    await api.create("/customers", { name: "Acme" })
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })

  const newButton = (page: Window) => page.getByRole("link", { name: /^New / })

  test.each(roles)("%s", async (role, menu, makes, not) => {
    const page = await newPage(kontor)
    await signInAt(page, kontor, { email: emailOf(role) })
    const offered = await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link")
      .allTextContents()
    // A kind that comes later adds its own entry.
    expect(offered.filter((entry) => entries.includes(entry)).toSorted()).toEqual(menu.toSorted())
    for (const path of makes) {
      await page.goto(`${kontor.url}/console${path}`)
      await newButton(page).first().waitFor()
    }
    for (const path of not) {
      await page.goto(`${kontor.url}/console${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page
        .getByText(/ of \d|No .* yet/)
        .first()
        .waitFor()
      expect(await newButton(page).count()).toBe(0)
    }
    page.assertQuiet()
    await page.closeAll()
  })

  test("a viewer sees a record but no way to change it, and the server refuses it anyway", async () => {
    const page = await newPage(kontor)
    await signInAt(page, kontor, { path: "/items", email: emailOf("viewer") })
    await page.getByRole("link", { name: "A", exact: true }).click()
    await page.getByRole("heading", { name: "Desk" }).waitFor()
    expect(await page.getByLabel("Name").isDisabled()).toBeTrue()
    for (const name of ["Save", "Delete"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0)
    const viewer = await signIn(kontor, emailOf("viewer"))
    const { data } = (await viewer.get("/items")).body
    expect(refusalOf(await viewer.put(`/items/${data[0].id}`, { itemName: "Mine" }))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    })
    await page.closeAll()
  })

  test("who opens an address that is not for them is told so, in words", async () => {
    const page = await newPage(kontor)
    await signInAt(page, kontor, { path: "/settings/users", email: emailOf("sales") })
    await page.getByText("Only an administrator can see this page").first().waitFor()
    await page.closeAll()
  })
})
