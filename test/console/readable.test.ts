import { beforeAll, describe, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { animationsEnd, browserPath, settle, startConsole, type Window } from "../support/browser"
import { faintTexts } from "../support/contrast"
import { adminPassword } from "../support/kontor"

const { api, shop, open } = await startConsole()

const phone = { width: 390, height: 844 }
const viewer = "viewer@shop.example"

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error("The element is not visible.")
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

describe.skipIf(browserPath === null)("everything can be read", () => {
  let item: { id: string; itemName: string }
  let customer: { id: string }
  beforeAll(async () => {
    await api.create("/users", { email: viewer, name: "V", role: "viewer", password: adminPassword })
    item = await shop.item({ itemName: "Standing desk", category: "Desks", description: "Oak" })
    await shop.item({ itemName: "Standing lamp" })
    customer = await shop.customer({ name: "Café Nordlicht", creditLimit: 500, address: { city: "Kiel" } })
  })

  const schemes = ["light", "dark"] as const
  test.each(schemes)("the highlighted option of a picker, also under the mouse, %s", async (colorScheme) => {
    const page = await open("/orders/new", { colorScheme })
    await page.getByPlaceholder("Code, name, barcode").click()
    await page.keyboard.type("standing")
    const highlighted = page.locator("[role=option][data-combobox-selected]")
    await highlighted.waitFor()
    const first = await faintTexts(highlighted)
    await page.getByRole("option", { name: "Standing lamp" }).hover()
    const hovered = await faintTexts(page.getByRole("option"))
    await page.keyboard.press("ArrowDown")
    const both = await faintTexts(highlighted)

    await open("/settings/company", { colorScheme })
    await page.getByRole("combobox", { name: "Time zone" }).click()
    await page.keyboard.press("ArrowDown")
    await highlighted.hover()
    const select = await faintTexts(highlighted)
    expect({ first, hovered, both, select }).toEqual({ first: [], hovered: [], both: [], select: [] })
  })

  test.each(schemes)("a form that the user may only read, %s", async (colorScheme) => {
    const page = await open(`/items/${item.id}`, { email: viewer, colorScheme })
    await page.getByLabel("Name").waitFor()
    expect(await page.getByLabel("Name").isDisabled()).toBeTrue()
    expect(await faintTexts(page.locator("fieldset"))).toEqual([])
    await open(`/customers/${customer.id}`, { email: viewer, colorScheme })
    await page.getByLabel("City").waitFor()
    expect(await faintTexts(page.locator("fieldset"))).toEqual([])
  })

  test("the underscores of a new API key", async () => {
    const page = await open("/settings/api-keys")
    await page.getByRole("button", { name: "New API key" }).first().click()
    // Whoever reads with it needs no admin.
    await page.getByText("You are an admin, and so is this key").waitFor()
    await page.getByText("These scopes need only the role “Viewer”").waitFor()
    await page.getByLabel("Name").fill("Web shop")
    await page.getByRole("button", { name: "Create API key" }).click()
    const field = page.getByLabel("API key", { exact: true })
    const key = await field.inputValue()
    expect(await underscoresIn(page, field, key)).toEqual([true, true])
    await page.getByRole("button", { name: "I have stored the key" }).click()
  })

  test("a message covers neither the header nor the title nor the buttons at the bottom of a phone", async () => {
    for (const look of [{}, phone]) {
      const page = await open(`/items/${item.id}`, look)
      await page
        .getByLabel("Category")
        .first()
        .fill("width" in look ? "Phone desks" : "High desks")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Standing desk was saved.").waitFor()
      await animationsEnd(page)
      const message = await boxOf(page.getByText("Standing desk was saved."))
      const title = await boxOf(page.getByRole("heading", { level: 1 }))
      expect(message.y).toBeGreaterThan(title.bottom)
      const height = page.viewportSize()?.height ?? 0
      expect(message.bottom).toBeLessThan("width" in look ? height - 64 : height)
    }
  })

  test("on a phone, the whole quantity to invoice, and then the invoice from its top", async () => {
    const lines = Array.from({ length: 12 }, () => ({ item: item.id, quantity: 1234.5 }))
    const order = await shop.submitted({ items: lines })
    const page = await open(`/orders/${order.id}`, phone)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    const dialog = page.getByRole("dialog")
    const quantity = dialog.getByLabel("Quantity of Standing desk to invoice now").first()
    await quantity.waitFor()
    const [field, frame] = [await boxOf(quantity), await boxOf(dialog)]
    expect(field.x).toBeGreaterThanOrEqual(frame.x)
    expect(field.right).toBeLessThanOrEqual(frame.right)
    expect(await quantity.evaluate((input) => input.scrollWidth <= input.clientWidth)).toBeTrue()
    await dialog.getByText("Ordered: 1,234.5").first().waitFor()
    await page.evaluate(() => window.scrollTo(0, 600))
    expect(await page.evaluate(() => window.scrollY)).toBe(600)
    await dialog.getByRole("button", { name: "Create invoice" }).click()
    await page.getByRole("heading", { level: 1, name: /^INV-/ }).waitFor()
    await settle(page)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  test("the lines of an order to another EU country, in German, and the dots of a letter in a filter", async () => {
    const abroad = { taxTreatment: "intra-community", taxId: "DK12345678" }
    const { id } = await shop.customer({ ...abroad, name: "Øresund" })
    const line = { item: item.id, quantity: 1, rate: 12_345.67, discount: 5 }
    const order = await shop.submitted({ customer: id, items: [line] })
    await shop.bill(order.id, { items: [{ orderLine: order.items[0].id, quantity: 0.5 }] })
    const german = { locale: "de-DE", width: 1280, height: 800 }
    const page = await open(`/orders/${order.id}`, german)
    const lines = page.getByRole("region", { name: "Positionen" })
    await lines.getByRole("cell", { name: "0 % (Innergemeinschaftliche Lieferung)" }).waitFor()
    await lines.getByRole("columnheader", { name: "Abgerechnet" }).waitFor()
    expect(await lines.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)

    const list = await open("/invoices?status[in]=overdue", { ...phone, locale: "de-DE" })
    const chip = list.getByRole("button", { name: "Status: Überfällig" }).locator("span span").first()
    const room = await chip.evaluate((text) => {
      const size = Number.parseFloat(getComputedStyle(text).fontSize)
      return text.getBoundingClientRect().height / size
    })
    expect(room).toBeGreaterThan(1.2)
  })

  test("why an invoice with a payment cannot be cancelled", async () => {
    const invoice = await shop.invoice()
    await shop.pay(invoice.id, 1)
    const page = await open(`/invoices/${invoice.id}`)
    const more = page.getByRole("button", { name: "More actions" })
    const cancel = page.getByRole("menuitem", { name: "Cancel invoice" })
    await more.click()
    await cancel.filter({ hasText: "The invoice has payments. Delete them first." }).waitFor()
    expect(await cancel.getAttribute("aria-disabled")).toBe("true")
    expect(await faintTexts(cancel)).toEqual([])
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: /^Delete the payment/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("No payments yet").waitFor()
    await more.click()
    // Its name is exact when the reason is gone.
    await page.getByRole("menuitem", { name: "Cancel invoice", exact: true }).waitFor()
    expect(await cancel.getAttribute("aria-disabled")).toBeNull()
  })
})

/** For each underscore of a text in a field, whether its line is visible. */
async function underscoresIn(page: Window, field: Locator, text: string): Promise<boolean[]> {
  const picture = `data:image/png;base64,${(await field.screenshot()).toString("base64")}`
  const places = [...text].flatMap((letter, i) => (letter === "_" ? [i] : []))
  return page.evaluate(
    async ([source, columns]) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement("canvas")
      ;[canvas.width, canvas.height] = [image.width, image.height]
      const context = canvas.getContext("2d")
      if (!context) throw new Error("no canvas")
      context.font = "14px monospace"
      const letter = context.measureText("_").width
      context.drawImage(image, 0, 0)
      const start = 13
      return columns.map((column) => {
        const { data } = context.getImageData(
          Math.round(start + (column + 0.25) * letter),
          6,
          Math.floor(letter / 2),
          image.height - 12,
        )
        for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 255) < 160) return true
        return false
      })
    },
    [picture, places] as const,
  )
}
