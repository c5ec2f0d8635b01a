import { describe, expect, test } from "bun:test"
import {
  animationsEnd,
  browserPath,
  chooseAction,
  follow,
  startConsole,
  reloadUntilGone,
  settle,
} from "../support/browser"

const { api, shop, open } = await startConsole()
const phone = { width: 390, height: 844 }

describe.skipIf(browserPath === null)("at the keyboard", () => {
  test("an order is typed from line to line, with prices as people write them and dates of other countries", async () => {
    await shop.item({ itemCode: "MUG", itemName: "Mug", sellingPrice: 12.5 })
    await shop.item({ itemCode: "JUG", itemName: "Jug", sellingPrice: 30 })
    const page = await open("/orders/new")
    await page.getByRole("button", { name: "Add line" }).click()
    await page.getByLabel("Item, line 1").fill("MUG")
    await page.getByRole("option", { name: /^Mug/ }).click()
    const rate = page.getByLabel("Rate, line 1")
    expect(await rate.inputValue()).toBe("12.50")
    await page.getByLabel("Quantity, line 1").press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Item, line 2")
    await rate.fill("13.5 €")
    await rate.blur()
    expect(await rate.inputValue()).toBe("13.50")
    await rate.fill("abc")
    await rate.blur()
    await page.getByText("Enter a number, for example 12.50.").waitFor()
    await rate.fill("14")
    const delivery = page.getByRole("textbox", { name: "Delivery date" })
    await delivery.fill("20.11.2027")
    await page.keyboard.press("Tab")
    expect(await delivery.inputValue()).toBe("Nov 20, 2027")
    // Tab has passed the button that clears the date.
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).not.toBe(
      "Clear date",
    )
    page.assertQuiet()
  })

  test("suggestions are all offered first, fewer while typing, and none for another text", async () => {
    const page = await open("/customers/new")
    const terms = page.getByLabel("Payment terms")
    await terms.click()
    await page.getByRole("option", { name: "Net 30" }).click()
    await page.getByLabel("Phone").click()
    await terms.click()
    await page.getByRole("option", { name: "EOM" }).waitFor()
    await page.keyboard.type("net 6")
    await page.getByRole("option", { name: "EOM" }).waitFor({ state: "detached" })
    expect(await page.getByRole("option").allInnerTexts()).toEqual(["Net 60"])
    await page.keyboard.type("5 days")
    await page.getByRole("option").waitFor({ state: "detached" })
  })

  test("Escape in a dialog closes it, or asks if something was typed", async () => {
    const page = await open("/stock")
    const receive = page.getByRole("button", { name: "Receive stock" })
    const dialog = page.getByRole("dialog", { name: "Receive stock" })
    await receive.click()
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "combobox")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await receive.click()
    await dialog.getByLabel("Note").fill("From the truck")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor({ state: "detached" })
    expect(await dialog.getByLabel("Note").inputValue()).toBe("From the truck")
    await animationsEnd(page)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Discard changes" }).click()
    await dialog.waitFor({ state: "detached" })
    page.assertQuiet()
  })

  test("a date is typed or picked, and its calendar opens only when somebody asks for it", async () => {
    const page = await open(`/invoices/${(await shop.invoice()).id}`)
    await chooseAction(page, "Write off rest…")
    const dialog = page.getByRole("dialog", { name: /^Write off/ })
    const day = dialog.getByRole("textbox", { name: /^Date/ })
    const calendar = page.locator("[data-dates-dropdown]")
    await dialog.getByLabel("Reason").fill("Too little to ask for")
    await page.keyboard.press("Tab")
    expect(await day.evaluate((input) => input === document.activeElement)).toBe(true)
    await settle(page)
    expect(await calendar.count()).toBe(0)
    for (const keys of ["Alt+ArrowDown", "ArrowDown"]) {
      await page.keyboard.press(keys)
      await calendar.waitFor()
      await page.keyboard.press("Escape")
      await calendar.waitFor({ state: "detached" })
    }
    expect(await page.getByRole("dialog", { name: "Unsaved changes" }).count()).toBe(0)
    // The second key goes into the calendar, and Escape leaves it.
    await page.keyboard.press("ArrowDown")
    await calendar.waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await calendar.waitFor({ state: "detached" })
    const before = await day.inputValue()
    expect(await day.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await calendar.waitFor({ state: "detached" })
    expect(await day.inputValue()).not.toBe(before)
    await day.click()
    await calendar.locator("td button:not([data-outside]):not(:disabled)").first().click()
    await calendar.waitFor({ state: "detached" })
    expect(await day.inputValue()).toMatch(/ 1, \d{4}$/)
    await day.fill("20.11.2026")
    await page.keyboard.press("Tab")
    expect(await day.inputValue()).toBe("Nov 20, 2026")
    expect(await calendar.count()).toBe(0)
    await page.keyboard.press("Escape")
    await page.getByRole("dialog", { name: "Unsaved changes" }).waitFor()
    page.assertQuiet()
  })

  test("goods are received without the mouse, in boxes on one line, also on a phone", async () => {
    const item = await shop.item({ itemName: "Aligned" })
    const page = await open(`/items/${item.id}`, phone)
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog")
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]")?.querySelector("input"))
    await animationsEnd(page)
    const [box, quantity] = await Promise.all([
      dialog.getByLabel("Item").boundingBox(),
      dialog.getByLabel("Quantity").boundingBox(),
    ])
    expect(box?.y).toBe(quantity?.y ?? 0)
    expect((quantity?.x ?? 0) + (quantity?.width ?? 0)).toBeLessThan(390)
    await page.keyboard.type("7")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    expect((await shop.get("items", item.id)).currentStock).toBe(7)
  })

  test("counts are typed with Tab between them, and the focus stays on the page after saving", async () => {
    for (const name of ["Count A", "Count B"]) await shop.item({ itemName: name })
    const page = await open("/stock?search=count")
    await page.getByLabel("Counted: Count A").click()
    await page.keyboard.type("4")
    await page.keyboard.press("Tab")
    await page.keyboard.type("5")
    expect(await page.getByLabel("Counted: Count B").inputValue()).toBe("5")
    await page.getByRole("button", { name: "Save count" }).click()
    await page.getByText("2 counted. 2 corrected in the ledger.").waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    expect(await focused()).toBe("H1")
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe("none")
  })

  test("Ctrl-S saves the form of the page or of the dialog, and ? lists the shortcuts unless a text is typed", async () => {
    const page = await open("/items/new")
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    const name = page.getByRole("textbox", { name: "Name", exact: true })
    await page.getByRole("textbox", { name: "Code", exact: true }).fill("KEYS-1")
    await name.click()
    await page.keyboard.type("Keys?")
    await page.keyboard.press("Control+s")
    await page.waitForURL(/items\/itm_/)
    await page.getByRole("heading", { level: 1, name: "Keys?" }).waitFor()
    expect(await list.count()).toBe(0)
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("?")
    await list.getByRole("row", { name: "Ctrl S Save the form" }).waitFor()
    await animationsEnd(page)
    await page.keyboard.press("Escape")
    await list.waitFor({ state: "detached" })
    // The form of the page has unsaved changes, and stays as it is.
    await name.fill("Renamed")
    await page.getByRole("button", { name: "Receive stock" }).click()
    const dialog = page.getByRole("dialog", { name: "Receive stock" })
    await dialog.getByLabel("Quantity").fill("7")
    await page.keyboard.press("Control+s")
    await dialog.waitFor({ state: "detached" })
    expect((await api.get("/items/by/itemCode/KEYS-1")).body.data).toMatchObject({
      itemName: "Keys?",
      currentStock: 7,
    })
    await name.press("Control+s")
    await page.getByText("Renamed was saved.").waitFor()
    page.assertQuiet()
  })

  test("an old error disappears when the form is edited, and when the server is back", async () => {
    // An address that is not complete would be a warning that stays.
    const address = { street: "Kai 1", zipCode: "20457", city: "Hamburg", country: "DE" }
    const { id: customer } = await shop.customer({ address })
    const order = await shop.submitted({ customer })
    const page = await open(`/orders/${order.id}`)
    await page.getByRole("button", { name: "Invoice", exact: true }).click()
    await page.keyboard.type("0")
    await page.getByRole("button", { name: "Create invoice" }).click()
    await page.getByRole("alert").waitFor()
    await page.getByLabel(/^Quantity of/).fill("1")
    await page.getByRole("alert").waitFor({ state: "detached" })
    // Every request fails: one that succeeds would mean that the server is back.
    const away = /\/health$|\/api\/v1\//
    await page.route(away, (route) => route.abort())
    await page.getByRole("button", { name: "Create invoice" }).click()
    const error = page.getByRole("dialog").getByRole("alert")
    await error.waitFor()
    await page.unroute(away)
    await error.waitFor({ state: "detached" })
  })

  test("a payment that is deleted is named, and the message that it was recorded is gone", async () => {
    const { id } = await shop.invoice()
    const page = await open(`/invoices/${id}`)
    const pay = async (method: string) => {
      await page.getByRole("button", { name: "Record payment" }).click()
      expect(await page.getByLabel("Amount").inputValue()).toEndWith(".00")
      await page.getByLabel("Amount").fill("5")
      await page.getByLabel("Method").fill(method)
      await page.getByRole("dialog").getByRole("button", { name: "Record payment" }).click()
      await page.getByText("The payment of $5.00 was recorded.").waitFor()
      await animationsEnd(page)
    }
    await pay("Casj")
    await page.getByRole("button", { name: "Delete the payment of $5.00" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("The payment of $5.00 was deleted.").waitFor()
    await page.getByText("The payment of $5.00 was recorded.").waitFor({ state: "detached" })
    // A method that was typed once may be a typing error. Used twice, it is remembered.
    await page.getByRole("button", { name: "Record payment" }).click()
    expect(await page.getByLabel("Method").inputValue()).toBe("")
    await page.keyboard.press("Escape")
    await pay("Casj")
    await page.getByRole("button", { name: "Record payment" }).click()
    expect(await page.getByLabel("Method").inputValue()).toBe("Casj")
    page.assertQuiet()
  })

  test("records that were deactivated together can be activated again, and a deleted item is named", async () => {
    const [active, inactive] = [
      await shop.item({ itemName: "Undo me" }),
      await shop.item({ itemName: "Undo not", isActive: false }),
    ]
    const page = await open("/items?search=undo")
    await page.getByText("2 of 2").waitFor()
    await page.getByLabel("Select all", { exact: true }).check()
    await page.getByRole("button", { name: "Deactivate", exact: true }).click()
    await page.getByText("2 deactivated.").waitFor()
    expect((await shop.get("items", active.id)).isActive).toBeFalse()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Undone for 1.").waitFor()
    expect((await shop.get("items", active.id)).isActive).toBeTrue()
    expect((await shop.get("items", inactive.id)).isActive).toBeFalse()
    await follow(page, `/items/${inactive.id}`, "Undo not")
    await chooseAction(page, "Delete")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("Undo not was deleted.").waitFor()
    await reloadUntilGone(page, api, `/items/${inactive.id}`)
    page.assertQuiet()
  })
})
