import { beforeAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import {
  accessFaults,
  browserPath,
  newPage,
  settle,
  show,
  signInAt,
  startConsole,
  type Window,
} from "../support/browser"
import { importer } from "../support/imports"
import { serve } from "../support/kontor"

const { kontor, api, shop, open } = await startConsole()

/** The requests of a page for a path, without those of the feed. */
function requestsOf(page: Window, path: string): string[] {
  const requests: string[] = []
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === `/api/v1${path}`) requests.push(request.url())
  })
  return requests
}

describe.skipIf(browserPath === null)("an open page", () => {
  let item: { id: string; version: number }
  beforeAll(async () => {
    item = await api.create("/items", { itemCode: "LAMP", itemName: "Lamp", sellingPrice: 20 })
  })

  test("shows in two browsers what another program changes, in the list and on the page of the record", async () => {
    const list = await open("/items", { isFresh: true })
    const record = await open(`/items/${item.id}`, { isFresh: true })
    await list.getByText("Lamp", { exact: true }).waitFor()
    await record.getByRole("heading", { level: 1, name: "Lamp" }).waitFor()
    await Promise.all([settle(list), settle(record)])
    await api.put(`/items/${item.id}`, { itemName: "Floor lamp" })
    await list.getByText("Floor lamp", { exact: true }).waitFor()
    await record.getByRole("heading", { level: 1, name: "Floor lamp" }).waitFor()
    expect(await record.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Floor lamp")
    await api.create("/items", { itemCode: "DESK", itemName: "Standing desk" })
    await list.getByText("Standing desk", { exact: true }).waitFor()
    list.assertQuiet()
    record.assertQuiet()
  })

  test("of one browser gets the events in all of its tabs through one connection", async () => {
    const first = await open("/items", { isFresh: true })
    await first.getByText("LAMP", { exact: true }).waitFor()
    await settle(first)
    const second = Object.assign(await first.context().newPage(), { pending: new Set() })
    const streams: string[] = []
    second.on("request", (request) => {
      if (request.url().includes("/events")) streams.push(request.url())
    })
    await show(second, kontor, "/items")
    await second.getByText("LAMP", { exact: true }).waitFor()
    await api.create("/items", { itemCode: "SHELF", itemName: "Wall shelf" })
    await first.getByText("Wall shelf", { exact: true }).waitFor()
    await second.getByText("Wall shelf", { exact: true }).waitFor()
    expect(streams).toEqual([])
    // The tab that was connected is closed.
    await first.close()
    await api.create("/items", { itemCode: "STOOL", itemName: "Bar stool" })
    await second.getByText("Bar stool", { exact: true }).waitFor()
    expect(streams).not.toEqual([])
  })

  test("keeps the form in which a person types, and offers to load the record again", async () => {
    const chair = await api.create("/items", { itemCode: "CHAIR", itemName: "Chair", sellingPrice: 50 })
    const page = await open(`/items/${chair.id}`)
    const name = page.getByRole("textbox", { name: "Name", exact: true })
    await name.fill("Arm chair")
    await api.put(`/items/${chair.id}`, { itemName: "Office chair" })
    const notice = page.getByText("This record was changed meanwhile.")
    await notice.waitFor()
    expect(await name.inputValue()).toBe("Arm chair")
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole("button", { name: "Load again" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Keep editing" }).click()
    expect(await name.inputValue()).toBe("Arm chair")
    await page.getByRole("button", { name: "Load again" }).click()
    await dialog.getByRole("button", { name: "Discard changes" }).click()
    await notice.waitFor({ state: "detached" })
    expect(await name.inputValue()).toBe("Office chair")
    await name.fill("Swivel chair")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Swivel chair was saved.").waitFor()
    expect(await notice.count()).toBe(0)
  })

  test("keeps the form of a draft that somebody issues meanwhile", async () => {
    const [customer, sold] = await Promise.all([shop.customer(), shop.item()])
    const items = [{ item: sold.id, quantity: 1 }]
    const draft = await api.create("/invoices", { customer: customer.id, items })
    const page = await open(`/invoices/${draft.id}`)
    const notes = page.getByLabel("Notes")
    await notes.fill("Typed before it was issued")
    expect(await shop.status("invoices", draft.id, "unpaid")).toMatchObject({ status: 200 })
    await page.getByText("This record was changed meanwhile.").waitFor()
    expect(await notes.inputValue()).toBe("Typed before it was issued")
    await page.getByRole("button", { name: "Load again" }).click()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByRole("button", { name: "Record payment" }).waitFor()
  })

  test("of a record that somebody deletes tells that it does not exist", async () => {
    const { id, itemName } = await shop.item()
    const page = await open(`/items/${id}`)
    await page.getByRole("heading", { level: 1, name: itemName }).waitFor()
    await settle(page)
    expect((await api.delete(`/items/${id}`)).status).toBe(204)
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor()
  })

  test("does not read again what it has read after its own change", async () => {
    const page = await open(`/items/${item.id}`)
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Reading lamp")
    await settle(page)
    const other = await open("/items", { isFresh: true })
    await other.getByText("LAMP", { exact: true }).waitFor()
    await settle(other)
    const requests = requestsOf(page, `/items/${item.id}`)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Reading lamp was saved.").waitFor()
    // The event of the change has arrived in both browsers.
    await other.getByText("Reading lamp", { exact: true }).waitFor()
    await api.put(`/items/${item.id}`, { itemName: "Desk lamp" })
    await page.getByRole("heading", { level: 1, name: "Desk lamp" }).waitFor()
    // The change, what is read after every change, and the change of the other program.
    expect(requests).toHaveLength(3)
  })

  test("goes on when the server runs again, and misses nothing that happened before", async () => {
    const first = await serve()
    await signIn(first)
    const page = await newPage(first)
    await signInAt(page, first, { path: "/items" })
    await page.getByText("No items yet").waitFor()
    await settle(page)
    await first.stop()
    await page.getByText("Kontor is not responding.").waitFor()
    const second = await serve({ cwd: first.cwd, args: ["--port", new URL(first.url).port] })
    const again = await signIn(second)
    await again.create("/items", { itemCode: "VASE", itemName: "Vase" })
    await page.getByText("Vase", { exact: true }).waitFor()
    await again.create("/items", { itemCode: "BOWL", itemName: "Bowl" })
    await page.getByText("Bowl", { exact: true }).waitFor()
  })

  test("goes on at the end of the feed when its position is no longer kept", async () => {
    const first = await serve()
    const there = await signIn(first)
    const page = await newPage(first)
    await signInAt(page, first, { path: "/items" })
    await settle(page)
    await there.create("/items", { itemCode: "CUP", itemName: "Cup" })
    await page.getByText("Cup", { exact: true }).waitFor()
    let refused = 0
    await page.route(/\/events\?after=(?!latest)/, (route) => {
      refused += 1
      const error = { code: "EVENTS_EXPIRED", message: "Expired.", details: [] }
      return route.fulfill({ status: 410, json: { success: false, error } })
    })
    await first.stop()
    const second = await serve({ cwd: first.cwd, args: ["--port", new URL(first.url).port] })
    await page.waitForRequest(/\/events\?after=latest/)
    await (await signIn(second)).create("/items", { itemCode: "MUG", itemName: "Mug" })
    await page.getByText("Mug", { exact: true }).waitFor()
    expect(refused).toBe(1)
  })

  test("leaves out most events of an import, and shows its records", async () => {
    const first = await serve()
    const page = await newPage(first)
    await signInAt(page, first, { path: "/items" })
    await page.getByText("No items yet").waitFor()
    await settle(page)
    // All events of the import come at once, however fast it is: the page is connected again only after it.
    await page.route(/\/events\?/, (route) => route.abort())
    await first.stop()
    const second = await serve({ cwd: first.cwd, args: ["--port", new URL(first.url).port] })
    const again = await signIn(second)
    const rows = Array.from({ length: 3_000 }, (_, i) => `I-${i},Imported ${i}`)
    await importer(again).run("kind=items", `itemCode,itemName\n${rows.join("\n")}\n`)
    const streams: string[] = []
    page.on("request", (request) => {
      if (request.url().includes("/events")) streams.push(request.url())
    })
    await page.unroute(/\/events\?/)
    await page.getByText("of 3,000").waitFor()
    await again.create("/items", { itemCode: "LAST", itemName: "Imported at last" })
    await page.getByText("of 3,001").waitFor()
    // It went on where it was, was disconnected after the first events, and has begun again at the end of the feed.
    const [before, ...after] = streams.map((url) => new URL(url).searchParams.get("after"))
    expect(before).not.toBe("latest")
    expect(after.length).toBeGreaterThan(0)
    expect(after.filter((position) => position !== "latest")).toEqual([])
  })

  test("asks again and again where a proxy holds the stream back", async () => {
    const page = await open("/", { isFresh: true })
    let polls = 0
    await page.route("**/api/v1/events*", async (route) => {
      if (route.request().headers()["accept"] === "text/event-stream") return
      polls += 1
      await route.continue()
    })
    await show(page, kontor, "/customers")
    await page.waitForRequest((request) => request.url().includes("wait=25"))
    await api.create("/customers", { name: "Polled customer" })
    await page.getByText("Polled customer", { exact: true }).waitFor()
    expect(polls).toBeGreaterThan(1)
  })
})
