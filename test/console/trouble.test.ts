import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { signIn } from "../support/api"
import { inFile } from "../support/file"
import {
  accessFaults,
  browserPath,
  newPage,
  settle,
  signInAt,
  startConsole,
  type Window,
} from "../support/browser"
import { adminPassword, emptyFolder, serve } from "../support/kontor"

const { kontor, api, shop, open } = await startConsole()

// Failures of the network and the server, concurrent updates, and unexpected use.
describe.skipIf(browserPath === null)("in trouble", () => {
  let invoice: { id: string }
  beforeAll(async () => {
    const order = await shop.submitted()
    invoice = (await shop.bill(order.id)).body.data
    await api.create("/items", { itemCode: "DESK", itemName: "Standing desk" })
  })
  const everything = /\/(api|health)/
  const cutOff = (page: Window) => page.route(everything, (route) => route.abort())
  const restore = (page: Window) => page.unroute(everything)

  test("a payment that the server did not receive stays in the dialog and can be sent again", async () => {
    const page = await open(`/invoices/${invoice.id}`)
    await page.getByRole("button", { name: "Record payment" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Reference").fill("RF18 5390")
    await cutOff(page)
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.getByText("Kontor is not responding, so your change is probably not saved.").waitFor()
    await page.getByText("Kontor is not responding. You see data from").waitFor()
    await restore(page)
    expect(await dialog.getByLabel("Reference").inputValue()).toBe("RF18 5390")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("RF18 5390").first().waitFor()
  })

  test("a payment whose response was lost can be sent again, and is recorded once", async () => {
    const order = await shop.submitted()
    const { id } = (await shop.bill(order.id)).body.data
    const page = await open(`/invoices/${id}`)
    await page.getByRole("button", { name: "Record payment" }).click()
    const dialog = page.getByRole("dialog")
    await page.route("**/payments", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.getByText("it is not known whether it was saved").waitFor()
    expect(await page.getByText("You see data from").count()).toBe(0)
    await page.unroute("**/payments")
    await dialog.getByRole("button", { name: "Record payment" }).click()
    await dialog.waitFor({ state: "hidden" })
    expect((await api.get(`/invoices/${id}/payments`)).body.data).toHaveLength(1)
  })

  test("while the server is stopped, a banner shows the time of the data, and nothing can be saved", async () => {
    const first = await serve()
    const there = await signIn(first)
    const item = await there.create("/items", { itemCode: "LAMP", itemName: "Lamp" })
    const page = await newPage(first)
    const now = () => page.evaluate(() => new Date().toLocaleTimeString("en-US", { timeStyle: "short" }))
    const times = [await now()]
    await signInAt(page, first, { path: "/items" })
    await page.getByText("LAMP", { exact: true }).waitFor()
    times.push(await now())
    await page.getByText("LAMP", { exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Lamp" }).waitFor()
    await settle(page)
    await first.stop()

    await page.getByLabel("Name").fill("Floor lamp")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Kontor is not responding, so your change is probably not saved.").waitFor()
    expect(await page.getByLabel("Name").inputValue()).toBe("Floor lamp")
    await page.getByRole("link", { name: "Items" }).first().click()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByText("LAMP", { exact: true }).waitFor()
    const banner = page.getByText("Kontor is not responding. You see data from")
    await banner.waitFor()
    const [, shown = ""] =
      /data from (.*?)\. Changes cannot be saved/.exec((await banner.textContent()) ?? "") ?? []
    expect(times).toContain(shown)
    expect(await accessFaults(page)).toEqual([])

    const again = await serve({ cwd: first.cwd, args: ["--port", new URL(first.url).port] })
    expect(again.url).toBe(first.url)
    await banner.waitFor({ state: "hidden" })
    await (await signIn(again)).put(`/items/${item.id}`, { itemName: "Desk lamp" })
    await page.getByText("LAMP", { exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Desk lamp" }).waitFor()
  })

  test("a page whose script cannot be loaded shows an error, and can be loaded again", async () => {
    const page = await open("/items")
    await page.route("**/console/assets/**", (route) => route.abort())
    await page.getByRole("link", { name: "Audit log" }).click()
    await page.getByRole("heading", { name: "Could not load this page" }).waitFor()
    await page.unroute("**/console/assets/**")
    await page.getByRole("button", { name: "Reload the console" }).click()
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor()
  })

  test("unsaved input is not lost by a click on the menu without a confirmation", async () => {
    const page = await open("/items/new")
    await page.getByLabel("Name").fill("Half a lamp")
    await page.getByRole("link", { name: "Customers" }).click()
    const question = page.getByRole("dialog", { name: "Unsaved changes" })
    await question.getByRole("button", { name: "Keep editing" }).click()
    expect(await page.getByLabel("Name").inputValue()).toBe("Half a lamp")
    await page.getByRole("link", { name: "Customers" }).click()
    await question.getByRole("button", { name: "Discard changes" }).click()
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor()
  })

  test("a second tab without a response from the server does not end the session", async () => {
    const page = await open("/items/new", { isFresh: true })
    await page.getByLabel("Name").fill("Still here")
    const other = await page.context().newPage()
    await other.route("**/console/session/refresh", (route) => route.fulfill({ status: 503, body: "{}" }))
    await other.goto(`${kontor.url}/console/items`)
    await other.getByText("Kontor is not responding.").waitFor()
    expect(await page.getByLabel("Name").inputValue()).toBe("Still here")
    await other.unroute("**/console/session/refresh")
    await other.getByRole("button", { name: "Try again" }).click()
    await other.getByRole("heading", { level: 1, name: "Items" }).waitFor()
  })

  test("a sign-out that the server did not receive is sent when the console is opened again", async () => {
    const page = await open("/items", { isFresh: true })
    await page.route("**/console/session", (route) => route.abort())
    await page.getByRole("button", { name: /^Signed in as/ }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    // Who signs in next may not see the page of the one before.
    expect(new URL(page.url()).pathname).toBe("/console/")
    await page.unroute("**/console/session")
    const told = page.waitForRequest((request) => request.method() === "DELETE")
    await page.reload()
    await told
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
  })

  test("an idle user must sign in again after the configured time, unless another tab is in use", async () => {
    await api.put("/settings", { sessionIdleMinutes: 60 })
    const page = await newPage(kontor)
    // Before the console is loaded: otherwise its timers would be real ones.
    await page.clock.install()
    await signInAt(page, kontor, { path: "/items" })
    const lock = page.getByRole("dialog", { name: "Sign in again" })
    await page.evaluate(() => localStorage.setItem("kontor.last-seen", String(Date.now() + 30 * 60_000)))
    await page.clock.fastForward("01:01:00")
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    expect(await lock.count()).toBe(0)
    await page.clock.fastForward("00:31:00")
    await lock.waitFor()
    await api.put("/settings", { sessionIdleMinutes: 43_200 })
  })

  test("an active user is not idle: the session is renewed well before the configured time", async () => {
    await api.put("/settings", { sessionIdleMinutes: 60 })
    const page = await newPage(kontor)
    await page.clock.install()
    await signInAt(page, kontor, { path: "/items" })
    const heading = page.getByRole("heading", { level: 1, name: "Items" })
    let renewals = 0
    page.on("request", (request) => (renewals += Number(request.url().endsWith("/session/refresh"))))
    await page.clock.fastForward("00:10:00")
    await heading.click()
    await page.evaluate(() => fetch("/health").then((response) => response.text()))
    expect(renewals).toBe(0)
    await page.clock.fastForward("00:06:00")
    const renewed = page.waitForResponse((response) => response.url().endsWith("/session/refresh"))
    await heading.click()
    expect((await renewed).status()).toBe(200)
    await api.put("/settings", { sessionIdleMinutes: 43_200 })
  })

  test("Ctrl-K works inside a field, and its dialog has an accessible name", async () => {
    const page = await open("/items/new")
    await page.getByLabel("Name").focus()
    await page.keyboard.press("Control+k")
    await page.getByLabel("Search everything").fill("stand")
    await page.getByText("Standing desk").first().waitFor()
    expect(await accessFaults(page)).toEqual([])
  })

  test("amounts have the decimals of the currency, even where browsers omit them", async () => {
    const dinar = await serve()
    const there = await signIn(dinar)
    await there.put("/settings", { currency: "RSD" })
    await there.create("/items", { itemCode: "A", itemName: "Desk", sellingPrice: 1234.56 })
    const page = await newPage(dinar)
    await signInAt(page, dinar, { path: "/items" })
    await page.getByText("1,234.56").first().waitFor()
  })

  test("an edit of a record that another user has updated shows which changes are whose", async () => {
    const item = await api.create("/items", { itemCode: "BOTH", itemName: "Both" })
    const page = await open(`/items/${item.id}`)
    await page.getByLabel("Name").fill("Mine")
    await api.put(`/items/${item.id}`, { itemName: "Not mine", category: "Theirs" })
    await page.getByRole("button", { name: "Save" }).click()
    const row = page.getByRole("dialog").getByRole("row", { name: /Category/ })
    await row.getByText("Not changed").waitFor()
    await row.getByText("Theirs").waitFor()
  })

  test("a viewer can select rows and save them as CSV", async () => {
    await api.create("/users", {
      email: "v@shop.example",
      name: "V",
      role: "viewer",
      password: adminPassword,
    })
    const page = await open("/items", { email: "v@shop.example" })
    await page.getByLabel("Select Standing desk").check()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export", exact: true }).click()
    await page.getByRole("menuitem", { name: "CSV" }).click()
    const path = join(emptyFolder(), "items.csv")
    await (await saved).saveAs(path)
    const text = await Bun.file(path).text()
    expect(text).toContain("DESK,Standing desk,")
  })

  test("admins are told that the clock was wrong, until they hide it, and others are not", async () => {
    const other = await serve()
    await other.stop()
    inFile(other, (db) =>
      db.run(
        `INSERT INTO audit_logs (seq, id, actor_type, action, outcome, changes, created_at, hash)
         SELECT max(seq) + 1, 'aud_2099', 'system', 'clock', 'success', '{}', '2099-01-01T00:00:00.000Z', 'x' FROM audit_logs`,
      ),
    )
    const ahead = await serve({ cwd: other.cwd })
    const admin = await signIn(ahead)
    await admin.create("/users", {
      email: "sales@shop.example",
      name: "S",
      role: "sales",
      password: adminPassword,
    })
    const page = await newPage(ahead)
    await signInAt(page, ahead)
    const notice = page.getByText("The audit log has entries up to")
    await notice.waitFor()
    await page.getByRole("link", { name: "Show it in the audit log" }).click()
    await page.getByText("Clock set back").first().waitFor()
    await page.getByRole("button", { name: "Hide this notice" }).click()
    await page.reload()
    await page.getByText("Clock set back").first().waitFor()
    await settle(page)
    expect(await notice.count()).toBe(0)
    const seller = await newPage(ahead)
    await signInAt(seller, ahead, { email: "sales@shop.example" })
    await settle(seller)
    expect(await seller.getByText("The audit log has entries up to").count()).toBe(0)
  })
})
