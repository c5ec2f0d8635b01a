import { beforeAll, describe, expect, test } from "bun:test"
import {
  accessFaults,
  browserPath,
  chooseAction,
  looks,
  newPage,
  overflow,
  startConsole,
} from "../support/browser"

const { kontor, api, shop, open } = await startConsole()

describe.skipIf(browserPath === null)("quotations", () => {
  let customer: string
  beforeAll(async () => {
    await api.put("/settings", {
      legalName: "Nordlicht GmbH",
      currency: "EUR",
      publicPages: true,
      phone: "+49 40 1",
    })
    customer = (await shop.customer({ name: "Café Elbe", language: "de" })).id
  })
  const lines = [{ description: "Montage einer Küche mit allen Anschlüssen", quantity: 2, rate: 1234.5 }]
  const sent = (over: object = {}) =>
    api.create("/quotations", { customer, items: lines, status: "sent", terms: "Ab Werk.", ...over })
  const now = (id: string) => shop.get("quotations", id)
  const linkOf = async (id: string) =>
    kontor.url + new URL((await api.create(`/quotations/${id}/link`, {})).url).pathname

  test.each(looks)("the page for the customer fits $name, and everybody can use it", async ({ look }) => {
    const { id } = await sent()
    const page = await newPage(kontor, look)
    await page.goto(await linkOf(id))
    expect(await accessFaults(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
    await page.getByText("Ablehnen", { exact: true }).click()
    await page.getByLabel("Grund").fill("Zu teuer")
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole("button", { name: "Angebot ablehnen" }).click()
    await page.getByRole("status").getByText("abgelehnt").waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect(await now(id)).toMatchObject({ status: "declined", reason: "Zu teuer" })
    page.assertQuiet()
  })

  test("the page for the customer shows a new revision instead of accepting the old one, without scripts", async () => {
    const { id } = await sent()
    const page = await newPage(kontor, { ...looks[1].look, hasScripts: false })
    await page.goto(await linkOf(id))
    await page.getByLabel("Ihr Name").fill("Jonas Weber")
    await api.patch(`/quotations/${id}`, { notes: "Jetzt mit Lieferung." })
    await page.getByRole("button", { name: "Annehmen" }).click()
    await page.getByRole("alert").getByText("inzwischen geändert").waitFor()
    await page.getByText("Jetzt mit Lieferung.").waitFor()
    await page.getByLabel("Ihr Name").fill("Jonas Weber")
    await page.getByRole("button", { name: "Annehmen" }).click()
    await page.getByRole("status").getByText("Jonas Weber").waitFor()
    expect(await now(id)).toMatchObject({ status: "accepted", acceptedRevision: 2 })
    page.assertQuiet()
  })

  test("are revised, accepted by staff and ordered in the console", async () => {
    const { id, quotationNumber } = await sent()
    const page = await open(`/quotations/${id}`)
    await chooseAction(page, "Revise")
    await page.getByLabel("Notes").fill("With delivery.")
    await page.getByRole("button", { name: "Save the new revision" }).click()
    await page.getByText(`${quotationNumber} was revised.`).waitFor()
    await chooseAction(page, "Record acceptance")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Accepted by").fill("Jonas Weber")
    await dialog.getByLabel("Reference").fill("By phone")
    await dialog.getByRole("button", { name: "Record acceptance" }).click()
    await dialog.waitFor({ state: "detached" })
    expect(await now(id)).toMatchObject({
      status: "accepted",
      acceptedBy: "Jonas Weber",
      acceptedRevision: 2,
    })
    await page.getByText("recorded that Jonas Weber accepted the quotation").waitFor()
    await page.getByRole("button", { name: "Make order" }).click()
    await page.getByRole("link", { name: quotationNumber }).waitFor()
    expect((await now(id)).salesOrder).toMatch(/^so_/)
    page.assertQuiet()
  })

  test("are declined and withdrawn with a reason, and listed as such", async () => {
    const [one, two] = [await sent(), await sent()]
    const page = await open(`/quotations/${one.id}`)
    await chooseAction(page, "Record refusal")
    await page.getByRole("dialog").getByLabel("Reason").fill("Too late")
    await page.getByRole("dialog").getByRole("button", { name: "Record refusal" }).click()
    await page.getByText(`${one.quotationNumber} is declined.`).waitFor()
    await open(`/quotations/${two.id}`)
    await chooseAction(page, "Withdraw")
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click()
    await page.getByText(`${two.quotationNumber} was withdrawn.`).waitFor()
    await open("/quotations")
    const row = page.getByRole("row", { name: new RegExp(one.quotationNumber) })
    await row.getByText("Declined").waitFor()
    page.assertQuiet()
  })
})
