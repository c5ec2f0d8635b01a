import { describe, expect, test } from "bun:test"
import { accessFaults, browserPath, follow, startConsole, type Window } from "../support/browser"

const { api, open } = await startConsole()

let last = 0

/** Creates many items of a new category that cost 10, so that a change of their prices takes some seconds. */
async function shelf(size: number): Promise<string> {
  const name = `Depot${++last}`
  for (let from = 0; from < size; from += 1_000) {
    const operations = Array.from({ length: Math.min(1_000, size - from) }, (_, i) => ({
      op: "create",
      body: { itemCode: `${name}-${from + i}`, itemName: name, category: name, sellingPrice: 10 },
    }))
    await api.post("/items/batch", { mode: "each", operations })
  }
  return name
}

/** Selects all items of a category and starts to double their prices. */
async function begin(page: Window, size: number) {
  await page.getByLabel("Select all", { exact: true }).check()
  if (size > 50) await page.getByRole("button", { name: /^Select all .* that match$/ }).click()
  await page.getByRole("button", { name: "Change…" }).click()
  await page.getByRole("menuitem", { name: "Price…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("By", { exact: true }).fill("100")
  await dialog.getByRole("button", { name: /^Change .* prices?$/ }).click()
  return dialog
}

/** Lets the page see jobs as they were in the middle of their work, until the returned function is called. */
async function holdJobs(page: Window): Promise<() => void> {
  let isHeld = true
  await page.route(/\/api\/v1\/jobs\/job_\w+$/, async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    const json = { data: isHeld ? { ...data, status: "applying", progress: 45 } : data }
    await route.fulfill({ response, json })
  })
  return () => {
    isHeld = false
  }
}

const barOf = (page: Window) => page.getByRole("region", { name: "Change prices" })

const countAt = async (category: string, price: number): Promise<number> =>
  (await api.get(`/items?category=${category}&sellingPrice=${price}&perPage=1`)).body.meta.total

describe.skipIf(browserPath === null)("a change of prices in the background", () => {
  test("goes on after its dialog is closed and after a reload, and its result stays until it is dismissed", async () => {
    const name = await shelf(120)
    const page = await open(`/items?search=${name}`)
    const release = await holdJobs(page)
    const dialog = await begin(page, 120)
    await dialog.getByText("It goes on in the background if you close this window.").waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    const bar = barOf(page)
    await bar.getByText("Prices are being changed: 45 %").waitFor()
    await bar.getByRole("status").filter({ hasText: "Prices are being changed: 25 %" }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.reload()
    await bar.getByText("Prices are being changed: 45 %").waitFor()
    release()
    await bar.getByRole("status").filter({ hasText: "120 prices changed." }).waitFor()
    await page.getByRole("cell", { name: "$20.00" }).first().waitFor()
    expect(await countAt(name, 20)).toBe(120)
    await follow(page, "/customers", "Customers")
    await follow(page, "/items", "Items")
    await bar.getByText("120 prices changed.").waitFor()
    await bar.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("cell", { name: "$10.00" }).first().waitFor()
    await bar.getByText("120 prices are as before.").waitFor()
    expect(await bar.getByRole("button", { name: "Undo" }).count()).toBe(0)
    expect(await countAt(name, 10)).toBe(120)
    await bar.getByRole("button", { name: "Dismiss the result" }).click()
    await bar.waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("row").nth(1).waitFor()
    expect(await bar.count()).toBe(0)
    page.assertQuiet()
  })

  test("can be cancelled in the bar, which then says what was changed", async () => {
    const size = 6_000
    const name = await shelf(size)
    const page = await open(`/items?search=${name}`)
    const dialog = await begin(page, size)
    await dialog.getByText(/goes on in the background/).waitFor()
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click()
    await barOf(page).getByRole("button", { name: "Cancel the change" }).click()
    await barOf(page).getByText("The change was cancelled.").waitFor()
    expect(await countAt(name, 10)).toBeGreaterThan(0)
  })

  test("clears the selection, reads the list again, is not shown twice while its dialog is open, and can be taken back after it", async () => {
    const name = await shelf(2)
    const page = await open(`/items?search=${name}`)
    const dialog = await begin(page, 2)
    await dialog.getByText("2 prices changed.").waitFor()
    await page.getByRole("cell", { name: "$20.00" }).first().waitFor()
    expect(await barOf(page).count()).toBe(0)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    expect(await page.getByRole("region", { name: "Selected records" }).count()).toBe(0)
    await barOf(page).getByRole("button", { name: "Undo" }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1")
    page.assertQuiet()
  })

  test("names the items whose prices stay after its dialog was closed, with links to them", async () => {
    const name = await shelf(30)
    const page = await open(`/items?search=${name}`)
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Change…" }).click()
    await page.getByRole("menuitem", { name: "Price…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Decrease").check()
    await dialog.getByLabel("By", { exact: true }).fill("11")
    await dialog.getByLabel("Unit").first().click()
    await page.getByRole("option", { name: "$" }).click()
    await dialog.getByRole("button", { name: "Change 30 prices" }).click()
    await dialog.getByText("30 prices could not be changed:").waitFor()
    await page.reload()
    await barOf(page).getByText("30 prices could not be changed:").waitFor()
    await barOf(page).getByText("And 10 more.").waitFor()
    await barOf(page)
      .getByRole("link", { name: `${name}-0`, exact: true })
      .click()
    await page.getByRole("heading", { level: 1, name }).waitFor()
  })

  test("that could not be started is reported although its dialog was closed", async () => {
    const name = await shelf(2)
    const page = await open(`/items?search=${name}`)
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    await page.route(/\/items\/reprice$/, async (route) => {
      asked.resolve()
      await closed.promise
      const error = { code: "SERVICE_UNAVAILABLE", message: "Too many jobs are waiting.", details: [] }
      await route.fulfill({ status: 503, json: { error } })
    })
    const dialog = await begin(page, 2)
    await asked.promise
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    closed.resolve()
    await page.getByRole("alert").getByText("Too many jobs are waiting.").waitFor()
    expect(await barOf(page).count()).toBe(0)
  })

  test("is not shown to another person who signs in, and disappears if the job does not exist", async () => {
    const page = await open("/items")
    await page.getByRole("row").nth(1).waitFor()
    const me = (await api.get("/auth/me")).body.data.id
    await page.evaluate(
      ([mine, others]) => {
        sessionStorage.setItem(mine, "job_00000000000000000000000000")
        sessionStorage.setItem(others, "job_00000000000000000000000001")
      },
      [`kontor.price-jobs.${me}`, "kontor.price-jobs.usr_other"] as const,
    )
    await page.reload()
    await page.getByRole("row").nth(1).waitFor()
    await page.waitForFunction((key) => sessionStorage.getItem(key) === "", `kontor.price-jobs.${me}`)
    expect(await barOf(page).count()).toBe(0)
    expect(await page.evaluate(() => sessionStorage.getItem("kontor.price-jobs.usr_other"))).toContain("job_")
  })
})
