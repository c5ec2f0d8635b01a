import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { browserPath, closeBrowser, newPage, signInAt } from "../support/browser"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

describe.skipIf(browserPath === null)("credit in the console", () => {
  let kontor: Kontor
  let admin: Api
  let shop: Trade
  beforeAll(async () => {
    kontor = await serve()
    admin = await signIn(kontor)
    shop = trade(admin)
  })
  afterAll(async () => {
    await closeBrowser()
    await cleanUp()
  })
  const open = async (path: string, email?: string) => {
    const page = await newPage(kontor)
    await signInAt(page, kontor, { path, ...(email ? { email } : {}) })
    return page
  }

  test("a draft invoice beyond the limit is issued only when a manager says so a second time", async () => {
    const customer = (await shop.customer({ creditLimit: 5 })).id
    const draft = await admin.create("/invoices", {
      customer,
      items: [{ item: (await shop.item()).id, quantity: 1, rate: 20 }],
    })
    const page = await open(`/invoices/${draft.id}`)
    await page.getByText("This is over the credit that is left.").waitFor()
    for (const answer of ["Cancel", "Issue anyway"]) {
      await page.getByRole("button", { name: "Issue invoice" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Issue invoice" }).click()
      await page.getByRole("dialog", { name: "Over the credit limit" }).waitFor()
      await page.getByRole("dialog").getByRole("button", { name: answer }).click()
      if (answer === "Cancel") expect((await shop.get("invoices", draft.id)).status).toBe("draft")
    }
    await page.getByText(/Invoice INV-\d{4}-00001 was issued/).waitFor()
    expect((await shop.get("invoices", draft.id)).status).toBe("unpaid")
    page.assertQuiet()
    await page.closeAll()
  })

  test("somebody in sales sees a customer's limit and changes the rest", async () => {
    const email = "sales@example.com"
    await admin.create("/users", { email, name: "Sal", role: "sales", password: adminPassword })
    const { id } = await shop.customer({ creditLimit: 500 })
    const page = await open(`/customers/${id}`, email)
    expect(await page.getByLabel("Credit limit").isDisabled()).toBeTrue()
    await page.getByLabel("Phone").click()
    await page.keyboard.type("+49 40 1")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("was saved.").waitFor()
    expect(await shop.get("customers", id)).toMatchObject({ creditLimit: 500, phone: "+49 40 1" })
    await page.closeAll()
  })
})
