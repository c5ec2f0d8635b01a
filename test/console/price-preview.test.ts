import { describe, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { accessFaults, animationsEnd, browserPath, startConsole, type Window } from "../support/browser"

const { shop, open } = await startConsole()

let last = 0

/** Creates items with these prices and opens the dialog that changes them. */
async function dialogFor(prices: number[], visit: Parameters<typeof open>[1] = {}, itemName = "Thing") {
  const name = `Board${++last}`
  for (const [i, sellingPrice] of prices.entries())
    await shop.item({ itemCode: `${name}-${i}`, itemName, category: name, sellingPrice })
  const page = await open(`/items?category=${name}`, visit)
  await selectAll(page)
  await page.getByRole("button", { name: /^(Change|Ändern)…$/ }).click()
  await page.getByRole("menuitem", { name: /^(Price|Preis)…$/ }).click()
  const dialog = page.getByRole("dialog")
  const row = (i: number) => dialog.getByRole("row", { name: new RegExp(`${name}-${i}`) })
  return { page, dialog, row }
}

async function selectAll(page: Window) {
  await page.getByText(/^\d+ (of|von) \d+$/).waitFor()
  await page.getByLabel(/^(Select all|Alle auswählen)$/).check()
}

async function choose(page: Window, field: string, option: string) {
  await page.getByRole("dialog").getByLabel(field).first().click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

describe.skipIf(browserPath === null)("the preview of a price change", () => {
  test("marks prices that fall in an increase, that change by more than twice, and that stay", async () => {
    const { page, dialog, row } = await dialogFor([10, 0.2, 10.99, 99])
    await dialog.getByLabel("By", { exact: true }).fill("1")
    await choose(page, "Prices end with", "0.99")
    await row(0).getByText("$9.99").waitFor()
    await row(0).getByText("Falls, although prices increase").waitFor()
    await row(1).getByText("More than twice the change").waitFor()
    await row(2).getByText("Unchanged").waitFor()
    expect(await row(2).innerText()).not.toContain("$10.99\t$10.99")
    expect(await row(3).innerText()).toEndWith("$99.99")
    expect(await accessFaults(page)).toEqual([])
    page.assertQuiet()
  })

  test("is not offered for a change by 0 without a rounding", async () => {
    const { page, dialog, row } = await dialogFor([10.24], { locale: "de-DE" })
    await dialog.getByLabel("Um", { exact: true }).fill("0")
    await dialog.getByText("Eine Änderung um 0 ändert keinen Preis.").waitFor()
    const start = dialog.getByRole("button", { name: "Preise ändern" })
    expect(await start.isDisabled()).toBeTrue()
    await dialog.getByLabel("Runden auf").first().click()
    const shown = page.getByRole("listbox").getByRole("option")
    await shown.first().waitFor()
    expect((await shown.allInnerTexts()).slice(1)).toEqual(["0,01", "0,05", "0,10", "1,00"])
    await page.getByRole("option", { name: "0,10" }).click()
    await row(0).getByText("10,20").waitFor()
  })

  test("marks prices that rise in a decrease", async () => {
    const { page, dialog, row } = await dialogFor([9.8, 100])
    await dialog.getByLabel("Decrease").check()
    await dialog.getByLabel("By", { exact: true }).fill("1")
    await choose(page, "Prices end with", "0.99")
    await row(0).getByText("Rises, although prices decrease").waitFor()
    expect(await row(1).innerText()).toEndWith("$98.99")
  })

  test("fits on a phone, also with long names and prices", async () => {
    const { page, dialog } = await dialogFor(
      [123_456_789.12, 1],
      { width: 390, height: 844 },
      "A bench of solid oak with a backrest and armrests for the garden",
    )
    await dialog.getByLabel("By", { exact: true }).fill("10")
    const table = dialog.getByRole("table", { name: "Prices before and after" })
    await table.waitFor()
    await animationsEnd(page)
    const [left, right] = await table.evaluate((element) => {
      const box = element.getBoundingClientRect()
      return [box.left, box.right]
    })
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(390)
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    expect(await accessFaults(page)).toEqual([])
  })
})

describe.skipIf(browserPath === null)("the fields of a price change", () => {
  test("text that is not a number is refused at its field, without asking the server", async () => {
    const { page, dialog } = await dialogFor([10])
    const asked: string[] = []
    page.on("request", (request) => void (request.url().includes("/reprice") && asked.push(request.url())))
    const field = dialog.getByLabel("By", { exact: true })
    for (const unit of ["Percent", "$"]) {
      await choose(page, "Unit", unit)
      await field.fill("abc")
      expect(await errorOf(field)).toStartWith("Enter a number")
    }
    await field.fill("-5")
    expect(await errorOf(field)).toBe("Enter at least 0")
    expect(await dialog.getByRole("button", { name: "Change prices" }).isEnabled()).toBeFalse()
    expect(await accessFaults(page)).toEqual([])
    await field.fill("5")
    await dialog.getByText("$15.00").waitFor()
    expect(asked).toHaveLength(1)
  })

  test("an ending disables the rounding, says why, and keeps what was chosen", async () => {
    const { page, dialog, row } = await dialogFor([10.2])
    const round = dialog.getByRole("combobox", { name: "Round to" })
    await dialog.getByLabel("By", { exact: true }).fill("0")
    await choose(page, "Round to", "1.00")
    await row(0).getByText("$10.00").waitFor()
    await choose(page, "Prices end with", "0.99")
    await row(0).getByText("$9.99").waitFor()
    expect(await round.isDisabled()).toBeTrue()
    expect(await describedBy(round)).toBe("Prices with an ending are not rounded in addition.")
    expect(await round.inputValue()).toBe("1.00")
    expect(await accessFaults(page)).toEqual([])
    await choose(page, "Prices end with", "Anything")
    await row(0).getByText("$10.00").waitFor()
    expect(await round.isEnabled()).toBeTrue()
    await choose(page, "Round to", "0.05")
    expect(await dialog.getByRole("combobox", { name: "Prices end with" }).inputValue()).toBe("Anything")
  })

  test("what the server refuses is shown at its field", async () => {
    const { page, dialog } = await dialogFor([10])
    const field = dialog.getByLabel("By", { exact: true })
    await field.fill("5000")
    await dialog.getByText("Enter at most 1000").waitFor()
    expect(await errorOf(field)).toBe("Enter at most 1000")
    await dialog.getByLabel("Decrease").check()
    await field.fill("150")
    await dialog.getByText("Enter at most 100", { exact: true }).waitFor()
    await field.fill("1.23456")
    await dialog.getByText(/4 decimals/).waitFor()
    expect(await errorOf(field)).toContain("4 decimals")
    expect(await dialog.getByRole("alert").count()).toBe(0)
    expect(await page.getByText("change.percent").count()).toBe(0)
  })

  test("what the server refuses is shown in German", async () => {
    const { dialog } = await dialogFor([10], { locale: "de-DE" })
    const field = dialog.getByLabel("Um", { exact: true })
    await field.fill("5000")
    await dialog.getByText("Höchstens 1.000").waitFor()
    expect(await errorOf(field)).toBe("Höchstens 1.000")
    expect(await dialog.getByRole("alert").count()).toBe(0)
  })
})

/** The error below a field, as a screen reader finds it. */
const errorOf = async (field: Locator): Promise<string> => {
  expect(await field.getAttribute("aria-invalid")).toBe("true")
  return describedBy(field)
}

/** The texts below a field. */
const describedBy = (field: Locator): Promise<string> =>
  field.evaluate((input) =>
    (input.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ")
      .trim(),
  )
