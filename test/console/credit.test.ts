import { describe, expect, test } from "bun:test"
import { browserPath, chooseAction, startConsole } from "../support/browser"
import { adminPassword } from "../support/kontor"

const { api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("credit in the console", () => {
  test("a draft invoice over the limit is issued only by a manager whom the dialog has told so", async () => {
    const customer = (await shop.customer({ creditLimit: 5 })).id
    const draft = await api.create("/invoices", {
      customer,
      items: [{ item: (await shop.item()).id, quantity: 1, rate: 20 }],
    })
    const page = await open(`/invoices/${draft.id}`)
    await page.getByText("This exceeds the available credit").waitFor()
    for (const answer of ["Cancel", "Issue anyway"]) {
      await page.getByRole("button", { name: "Issue invoice" }).click()
      const question = page.getByRole("dialog", { name: "Issue this invoice?" })
      await question
        .getByText(/has a credit limit of \$5\.00; \$0\.00 of it is used and this invoice totals \$20\.00/)
        .waitFor()
      await question.getByRole("button", { name: answer }).click()
      if (answer === "Cancel") expect((await shop.get("invoices", draft.id)).status).toBe("draft")
    }
    await page.getByText(/Invoice INV-\d{4}-00001 was issued/).waitFor()
    expect((await shop.get("invoices", draft.id)).status).toBe("unpaid")
    page.assertQuiet()
  })

  test("an order that is revised over the limit is saved only by a manager whom the dialog has told so", async () => {
    const customer = (await shop.customer({ creditLimit: 50 })).id
    const items = [{ description: "Work", quantity: 2, rate: 20 }]
    const order = await shop.submitted({ customer, items })
    const page = await open(`/orders/${order.id}`)
    await chooseAction(page, "Edit")
    await page.getByLabel("Quantity, line 1").fill("3")
    await page.getByText("This exceeds the available credit").waitFor()
    for (const answer of ["Cancel", "Save anyway"]) {
      await page.getByRole("button", { name: "Save the new revision" }).click()
      const question = page.getByRole("dialog")
      await question
        .getByText(/has a credit limit of \$50\.00; \$0\.00 of it is used and this order totals \$60\.00/)
        .waitFor()
      await question.getByText("The order stays as it was").waitFor()
      await question.getByRole("button", { name: answer }).click()
      if (answer === "Cancel") expect((await shop.get("sales-orders", order.id)).revision).toBe(1)
    }
    await page.getByText(`${order.orderNumber} was revised.`).waitFor()
    expect(await shop.get("sales-orders", order.id)).toMatchObject({ revision: 2, total: 60 })
    page.assertQuiet()
  })

  test("a new invoice over the limit is kept as a draft if the manager declines, or if it is refused", async () => {
    const { id } = await shop.customer({ name: "Over", creditLimit: 5 })
    const item = await shop.item({ itemName: "Crane", itemType: "Service", sellingPrice: 20 })
    await api.create("/users", {
      email: "books@example.com",
      name: "Bo",
      role: "accountant",
      password: adminPassword,
    })
    for (const visit of [{}, { email: "books@example.com" }]) {
      const page = await open(`/invoices/new?customer=${id}`, visit)
      await page.getByLabel("Item, line 1").fill("Crane")
      await page.getByRole("option", { name: item.itemCode }).click()
      await page.getByRole("button", { name: "Issue invoice" }).click()
      if (visit.email)
        await page
          .getByRole("alert")
          .getByText(/credit/)
          .waitFor()
      else
        await page
          .getByRole("dialog", { name: "Issue this invoice?" })
          .getByRole("button", { name: "Cancel" })
          .click()
      await page.getByRole("heading", { level: 1, name: "Draft for Over" }).waitFor()
      page.assertQuiet()
    }
    const { data } = (await api.get(`/invoices?customer=${id}`)).body
    expect(data.map(({ status }: { status: string }) => status)).toEqual(["draft", "draft"])
  })

  test("a sales user cannot update a customer's credit limit, but can update other fields", async () => {
    const email = "sales@example.com"
    await api.create("/users", { email, name: "Sal", role: "sales", password: adminPassword })
    const { id } = await shop.customer({ creditLimit: 500 })
    const page = await open(`/customers/${id}`, { email })
    expect(await page.getByLabel("Credit limit").isDisabled()).toBeTrue()
    await page.getByLabel("Phone").click()
    await page.keyboard.type("+49 40 1")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("was saved.").waitFor()
    expect(await shop.get("customers", id)).toMatchObject({ creditLimit: 500, phone: "+49 40 1" })
  })
})
