import { describe, expect, test } from "bun:test"
import { browserPath, startConsole, type Window } from "../support/browser"
import { checkRows, choose, fileOf, heading } from "../support/wizard"

const { open } = await startConsole()

describe.skipIf(browserPath === null)("the wizard", () => {
  const question = (page: Window) => page.getByRole("dialog", { name: "Unsaved changes" })
  const keep = async (page: Window) => {
    await question(page).getByRole("button", { name: "Keep editing" }).click()
    await question(page).waitFor({ state: "detached" })
  }
  const toItems = (page: Window) =>
    page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Items" }).click()
  /** Returns the type of the question that the browser asks before it reloads the page, and answers no. */
  const questionAtReload = async (page: Window): Promise<string> => {
    const asked = page.waitForEvent("dialog").then(async (dialog) => {
      await dialog.dismiss()
      return dialog.type()
    })
    await page.evaluate(() => setTimeout(() => location.reload()))
    return asked
  }

  test("asks before it is left with a file, but not between its steps and not after the import has begun", async () => {
    const page = await open("/items", { isFresh: true })
    await page.getByRole("link", { name: "Import" }).click()
    await choose(page, fileOf("leave.csv", "itemCode,itemName\nLEAVE-1,Left\n"))
    await heading(page, "Columns of leave.csv").waitFor()
    await page.goBack()
    await keep(page)
    await toItems(page)
    await keep(page)
    await checkRows(page)
    await page.getByRole("button", { name: "Back to the columns" }).click()
    await checkRows(page)
    await heading(page, "Check of leave.csv").waitFor()
    await page.goBack()
    await keep(page)
    expect(await questionAtReload(page)).toBe("beforeunload")
    await page.getByRole("button", { name: "Import 1 row" }).click()
    await heading(page, "The import is finished").waitFor()
    await toItems(page)
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    page.assertQuiet()
  })

  test("is left without a question when no file is chosen", async () => {
    const page = await open("/items")
    await page.getByRole("link", { name: "Import" }).click()
    await heading(page, "Choose a file").waitFor()
    await page.goBack()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
  })
})
