import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import {
  accessFaults,
  browserPath,
  closeBrowser,
  newPage,
  overflow,
  signInAt,
  type Window,
} from "../support/browser"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

describe.skipIf(browserPath === null)("every page", () => {
  let paths: string[]
  beforeAll(async () => {
    const item = await shop.item({
      itemName: "Standing desk",
      sellingPrice: 449.9,
      taxRate: 20,
      reorderLevel: 5,
    })
    const customer = await shop.customer({ name: "Café Øresund", creditLimit: 10_000 })
    const order = await shop.submitted({ customer: customer.id })
    const draft = (
      await api.post("/sales-orders", { customer: customer.id, items: [{ item: item.id, quantity: 2 }] })
    ).body.data
    const invoice = (await shop.bill(order.id)).body.data
    await api.post("/api-keys", { name: "Web shop", scopes: ["read"] })
    paths = [
      "/",
      "/items",
      `/items/${item.id}`,
      "/items/new",
      "/customers",
      `/customers/${customer.id}`,
      "/customers/new",
      "/orders",
      `/orders/${order.id}`,
      `/orders/${draft.id}`,
      "/orders/new",
      `/orders/${order.id}/print`,
      "/invoices",
      `/invoices/${invoice.id}`,
      "/invoices/new",
      `/invoices/${invoice.id}/print`,
      "/stock",
      "/settings/account",
      "/settings/api-keys",
      "/settings/connections",
      "/settings/company",
      "/settings/users",
      "/settings/oauth-clients",
      "/settings/audit",
      "/settings/backups",
      "/nowhere",
    ]
  })
  /** As a click on a link does, without loading the console anew. */
  const goTo = async (page: Window, path: string) => {
    await page.evaluate((address) => history.pushState(null, "", address), `/console${path}`)
    await page.waitForTimeout(200)
    await page.getByRole("heading", { level: 1 }).first().waitFor()
    await page.getByLabel("Loading").first().waitFor({ state: "detached" })
  }

  const looks = [
    { name: "on a wide screen, light", look: { width: 1280, height: 800, colorScheme: "light" } },
    { name: "on a wide screen, dark", look: { width: 1280, height: 800, colorScheme: "dark" } },
    { name: "on a phone, light", look: { width: 390, height: 844, colorScheme: "light" } },
    { name: "on a phone, dark", look: { width: 390, height: 844, colorScheme: "dark" } },
  ] as const

  test.each(looks)(
    "has no serious fault of access and fits, $name",
    async ({ look }) => {
      const page = await newPage(kontor, look)
      const faults: Record<string, string[]> = {}
      const check = async (path: string) => {
        const found = await accessFaults(page)
        const wide = await overflow(page)
        if (wide > 0) found.push(`is ${wide} px too wide`)
        if (found.length > 0) faults[path] = found
      }
      await page.goto(`${kontor.url}/console/`)
      await page.getByRole("heading", { name: "Sign in" }).waitFor()
      await check("sign-in")
      await signInAt(page, kontor)
      for (const path of paths) {
        await goTo(page, path)
        await check(path)
      }
      expect(faults).toEqual({})
      page.assertQuiet()
    },
    240_000,
  )
})

describe.skipIf(browserPath === null)("the first load", () => {
  test("takes at most 180 kB for the sign-in, and 450 kB with the dashboard, packed with brotli", async () => {
    const page = await newPage(kontor)
    const loaded = new Set<string>()
    page.on("response", (response) => {
      if (response.url().includes("/console")) loaded.add(response.url())
    })
    const size = async () => {
      let bytes = 0
      for (const url of [...loaded].filter((each) => !each.includes("/session"))) {
        const answer = await fetch(url, { headers: { "accept-encoding": "br" }, decompress: false })
        bytes += (await answer.arrayBuffer()).byteLength
      }
      return bytes
    }
    await page.goto(`${kontor.url}/console/`)
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.waitForLoadState("networkidle")
    const signInSize = await size()
    await signInAt(page, kontor)
    await page.getByRole("heading", { name: "Dashboard" }).waitFor()
    await page.waitForLoadState("networkidle")
    const wholeSize = await size()
    expect(signInSize).toBeGreaterThan(50_000)
    expect(signInSize).toBeLessThanOrEqual(180_000)
    expect(wholeSize).toBeGreaterThan(signInSize)
    expect(wholeSize).toBeLessThanOrEqual(450_000)
  })
})
