import { afterAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { signIn } from "../support/api"
import {
  browserPath,
  chooseAction,
  inspector,
  newPage,
  settle,
  signInAt,
  startConsole,
  type Window,
  reloadUntilGone,
} from "../support/browser"
import { emptyFolder, run, serve } from "../support/kontor"
import {
  allowLoopback,
  deliveriesOf,
  isSigned,
  itemOf,
  receiver,
  stopReceivers,
  webhookOf,
} from "../support/receiver"
import { until } from "../support/until"

const { kontor: served, api, open } = await startConsole({ args: allowLoopback })
afterAll(stopReceivers)

describe.skipIf(browserPath === null)("the webhooks of the console", () => {
  test("are explained in the empty list, and one is created with its secret shown once", async () => {
    const shop = receiver()
    const page = await open("/settings/webhooks")
    const { faults, inspect } = inspector(page)
    await page.getByText("A webhook tells another program at once what happens here").waitFor()
    await inspect("empty list")
    await page.getByRole("button", { name: "New webhook" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill(`${shop.url}/hooks`)
    await dialog.getByLabel("Description").fill("Web shop")
    await dialog.getByRole("button", { name: "Create webhook" }).click()
    await dialog.getByText("Required").waitFor()
    const items = dialog.getByRole("group", { name: "Items" })
    await items.getByRole("checkbox", { name: "Items: all" }).check()
    await items.getByRole("checkbox", { name: "Deleted" }).uncheck()
    await dialog.getByRole("group", { name: "Invoices" }).getByRole("checkbox", { name: "Paid" }).check()
    await inspect("form", "[role=dialog]")
    await dialog.getByRole("button", { name: "Create webhook" }).click()
    const secret = await dialog.getByLabel("Secret", { exact: true }).inputValue()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await inspect("secret", "[role=dialog]")
    await dialog.getByRole("button", { name: "I have stored the secret" }).click()
    await page.getByRole("heading", { level: 1, name: "Web shop" }).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
    const [webhook] = (await api.get("/webhooks")).body.data
    expect(webhook).toMatchObject({
      types: ["items.created", "items.updated", "items.low-stock", "invoices.paid"],
      payload: "thin",
      isActive: true,
    })
    await itemOf(api, "CREATED")
    await until(() => shop.hits.length === 1)
    expect(shop.hits[0] && isSigned(shop.hits[0], secret)).toBe(true)
    expect(faults).toEqual({})
    page.assertQuiet()
    await api.delete(`/webhooks/${webhook.id}`)
  })

  test("show the request and the response of a test event, and send an event again", async () => {
    let status = 500
    const shop = receiver(() => new Response("Try later", { status }))
    const webhook = await webhookOf(api, shop.url, { types: ["customers.*"], payload: "full" })
    const page = await open(`/settings/webhooks/${webhook.id}`)
    const { faults, inspect } = inspector(page)
    await page.getByText("Nothing was sent yet.").waitFor()
    await page.getByRole("button", { name: "Send test event" }).click()
    const dialog = page.getByRole("dialog", { name: "Delivery of webhooks.test" })
    await dialog.getByText("Try later").waitFor()
    await dialog.getByText(`POST ${shop.url}`).waitFor()
    await dialog.getByText('"type": "webhooks.test"').waitFor()
    const signature = shop.hits[0]?.headers.get("webhook-signature") ?? ""
    await dialog.getByText(`webhook-signature: ${signature}`).waitFor()
    await inspect("delivery", "[role=dialog]")
    await dialog.getByRole("button", { name: "Close" }).last().click()

    await api.create("/customers", { name: "Café Øresund" })
    await until(async () => (await deliveriesOf(api, webhook)).length === 2)
    await page.reload()
    const row = page.getByRole("row", { name: /customers\.created/ })
    await row.getByText("Waiting").waitFor()
    await inspect("page")
    status = 200
    await row.getByRole("button").click()
    const failed = page.getByRole("dialog", { name: "Delivery of customers.created" })
    await failed.getByText('"type": "customers.created"').waitFor()
    await failed.getByText("Records that were sent with an event are not kept here.").waitFor()
    expect(await failed.getByText("Café Øresund").count()).toBe(0)
    await failed.getByRole("button", { name: "Send again" }).click()
    await failed.getByText("Succeeded").waitFor()
    await page.keyboard.press("Escape")
    await row.getByText("Succeeded").waitFor()
    expect(faults).toEqual({})
    page.assertQuiet()
    await api.delete(`/webhooks/${webhook.id}`)
  })

  test("tell in German why there was no response", async () => {
    const shop = receiver()
    const webhook = await webhookOf(api, shop.url)
    shop.stop()
    const page = await open(`/settings/webhooks/${webhook.id}`, { locale: "de-DE" })
    await page.getByRole("button", { name: "Testereignis senden" }).click()
    await page.getByText("Der Empfänger hat die Verbindung abgelehnt.").waitFor()
    await api.delete(`/webhooks/${webhook.id}`)
  })

  test("are changed, rotated and deleted", async () => {
    const shop = receiver()
    const webhook = await webhookOf(api, shop.url)
    const page = await open(`/settings/webhooks/${webhook.id}`)
    await page.getByRole("radio", { name: "The event and the record" }).check()
    await page.getByRole("checkbox", { name: "All events" }).uncheck()
    await page.getByRole("checkbox", { name: "Payments: all" }).check()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("was saved.").waitFor()
    expect((await api.get(`/webhooks/${webhook.id}`)).body.data).toMatchObject({
      payload: "full",
      types: ["payments.*"],
    })
    await chooseAction(page, "Rotate secret")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("The old one works for 24 more hours").waitFor()
    await dialog.getByRole("button", { name: "Rotate" }).click()
    const secret = await dialog.getByLabel("Secret", { exact: true }).inputValue()
    expect(secret).not.toBe(webhook.secret)
    await dialog.getByRole("button", { name: "I have stored the secret" }).click()
    await chooseAction(page, "Delete")
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    await reloadUntilGone(page, api, `/webhooks/${webhook.id}`)
  })

  test("refuse an address inside the network with a sentence at the field", async () => {
    const page = await open("/settings/webhooks")
    await page.getByRole("button", { name: "New webhook" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill("https://169.254.169.254/latest")
    await dialog.getByRole("checkbox", { name: "All events" }).check()
    await dialog.getByRole("button", { name: "Create webhook" }).click()
    const url = dialog.getByLabel("URL")
    await page.waitForFunction(() => document.querySelector("[aria-invalid=true]") !== null)
    expect(await url.getAttribute("aria-invalid")).toBe("true")
    await dialog.getByRole("button", { name: "Cancel" }).click()
  })

  test("tell on every page that one was disabled, until the notice is hidden", async () => {
    const shop = receiver(() => new Response("", { status: 410 }))
    const webhook = await webhookOf(api, shop.url)
    await itemOf(api, "GONE")
    await until(async () => !(await api.get(`/webhooks/${webhook.id}`)).body.data.isActive)
    const page = await open("/customers", { isFresh: true })
    const { faults, inspect } = inspector(page)
    const notice = page.getByText("A webhook was disabled: its receiver gets no events.")
    await notice.waitFor()
    await inspect("notice")
    await page.getByRole("link", { name: "Show webhooks" }).click()
    await page.getByText("Disabled", { exact: true }).waitFor()
    expect(await notice.count()).toBe(0)
    await page.getByRole("link", { name: shop.url }).click()
    await page.getByText("The receiver responded that it no longer exists (410).").waitFor()
    await inspect("disabled webhook")
    await page.getByRole("link", { name: "Customers" }).click()
    await notice.waitFor()
    await page.getByRole("button", { name: "Hide this notice" }).click()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor()
    await settle(page)
    expect(await notice.count()).toBe(0)
    expect(faults).toEqual({})
    await api.delete(`/webhooks/${webhook.id}`)
  })

  test("tell on every page that one is paused because its owner has left, and another admin takes it over", async () => {
    const password = "leaving horse 1"
    const user = { email: "leaving@example.com", name: "Leaving", role: "admin", password }
    const { id } = await api.create("/users", user)
    const shop = receiver()
    const webhook = await webhookOf(await signIn(served, user.email, password), shop.url)
    await api.patch(`/users/${id}`, { isActive: false })
    const item = await itemOf(api, "LEFT")
    const page = await open("/customers", { isFresh: true })
    const { faults, inspect } = inspector(page)
    await page
      .getByText("A webhook is paused: its owner is disabled, or its API key or app is gone.")
      .waitFor()
    await page.getByRole("link", { name: "Show webhooks" }).click()
    await page.getByText("Paused", { exact: true }).waitFor()
    await page.getByRole("link", { name: shop.url }).click()
    await page.getByText("Kontor sends nothing to this webhook").waitFor()
    await inspect("paused webhook")
    await page.getByRole("button", { name: "Take over" }).click()
    await page.getByText("You are responsible for the webhook now.").waitFor()
    await page.getByText("Kontor sends nothing to this webhook").waitFor({ state: "detached" })
    await until(() => shop.hits.length === 1)
    expect(shop.hits[0]?.event.recordId).toBe(item.id)
    expect(faults).toEqual({})
    await api.delete(`/webhooks/${webhook.id}`)
  })

  test("send nothing after a restore until an admin resumes it, and are activated by a new secret", async () => {
    const { kontor, page } = await restoredShop()
    await page.getByText("Webhooks send nothing since the database was restored.").waitFor()
    await page.getByRole("link", { name: "Show webhooks" }).click()
    await page.getByText("Sending is paused").waitFor()
    await page.getByRole("button", { name: "Resume sending" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Resume sending" }).click()
    await page.getByText("Events are sent again.").waitFor()
    await page.getByText("Sending is paused").waitFor({ state: "detached" })
    await page.getByRole("link", { name: "http://" }).click()
    await page.getByText("backups contain no secrets").waitFor()
    await chooseAction(page, "Rotate secret")
    await dialog.getByText("This creates a new secret and activates the webhook.").waitFor()
    await dialog.getByRole("button", { name: "Rotate" }).click()
    await dialog.getByRole("button", { name: "I have stored the secret" }).click()
    await page.getByText("backups contain no secrets").waitFor({ state: "detached" })
    const [webhook] = (await (await signIn(kontor)).get("/webhooks")).body.data
    expect(webhook).toMatchObject({ isActive: true, disabledReason: null })
  })

  test("are in German, too", async () => {
    const webhook = await webhookOf(api, receiver().url)
    const page = await open("/settings/webhooks", { locale: "de-DE" })
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    await page.getByRole("button", { name: "Neuer Webhook" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("checkbox", { name: "Rechnungen: alle" }).check()
    await dialog.getByText("Was mit welchem Eintrag geschah.").waitFor()
    await dialog.getByRole("button", { name: "Abbrechen" }).click()
    await api.delete(`/webhooks/${webhook.id}`)
  })
})

/** A page of a database with one webhook that was restored from a backup. */
async function restoredShop(): Promise<{ kontor: Awaited<ReturnType<typeof serve>>; page: Window }> {
  const first = await serve({ args: allowLoopback })
  await webhookOf(await signIn(first), receiver().url)
  const copy = join(emptyFolder(), "copy.db")
  expect((await run(["backup", copy], { cwd: first.cwd })).code).toBe(0)
  await first.stop()
  const cwd = emptyFolder()
  expect((await run(["restore", copy], { cwd })).code).toBe(0)
  const kontor = await serve({ args: allowLoopback, cwd })
  const page = await newPage(kontor)
  await signInAt(page, kontor)
  return { kontor, page }
}
