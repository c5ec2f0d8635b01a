// The bar of a demo: its time, what sets it, and the mail that was kept.
import { describe, expect, test } from "bun:test"
import { browserPath, inspector, settle, startConsole } from "../support/browser"
import { settled } from "../support/mail"

const { api, open } = await startConsole({ args: ["--demo"] })

describe.skipIf(browserPath === null)("the bar of a demo", () => {
  test("shows the time, moves it, shows the kept mail, and resets the shop", async () => {
    const page = await open("/")
    const { faults, inspect } = inspector(page)
    const bar = page.getByRole("region", { name: "Demo shop" })
    await bar.getByText("Jan 4, 2027").waitFor()
    await bar.getByRole("button", { name: "+1 day" }).click()
    await bar.getByText("Jan 5, 2027").waitFor()
    await bar.getByRole("button", { name: "+1 month" }).click()
    await bar.getByText("Feb 5, 2027").waitFor()
    await settle(page)
    await inspect("bar", "section[aria-label='Demo shop']")

    const [invoice] = (await api.get("/invoices?status=overdue&perPage=1")).body.data
    const { body } = await api.post(`/invoices/${invoice.id}/send`, { to: "late@example.com" })
    await settled(api, body.data.id)
    await bar.getByRole("button", { name: "Kept mail" }).click()
    const dialog = page.getByRole("dialog", { name: "Kept mail" })
    await dialog.getByText("To late@example.com").waitFor()
    await dialog.getByText(`Attached: ${invoice.invoiceNumber}.pdf`).waitFor()
    await inspect("mail", "[role=dialog]")
    await page.keyboard.press("Escape")

    await bar.getByRole("button", { name: "Reset" }).click()
    await page
      .getByRole("dialog", { name: "Reset the demo shop?" })
      .getByRole("button", { name: "Reset" })
      .click()
    await bar.getByText("Jan 4, 2027").waitFor()
    expect((await api.get("/sandbox/messages")).body.data).toEqual([])
    expect(faults).toEqual({})
    page.assertQuiet()
  })

  test("speaks German", async () => {
    const page = await open("/items", { locale: "de-DE" })
    const bar = page.getByRole("region", { name: "Demo-Laden" })
    await bar.getByText("04.01.2027").waitFor()
    await bar.getByRole("button", { name: "+1 Monat" }).click()
    await bar.getByText("04.02.2027").waitFor()
    page.assertQuiet()
  })
})
