import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { unzipSync } from "fflate"
import { join } from "node:path"
import { apiWith, signIn } from "../support/api"
import { browserPath, inspector, newPage, show, startConsole, type Window } from "../support/browser"
import { adminPassword, emptyFolder, run } from "../support/kontor"
import { ask, askUrl, clientOf, credentials, pkce, type Client } from "../support/oauth"

const { kontor, api, open } = await startConsole()

const mia = { email: "mia@shop.example", password: adminPassword }

describe.skipIf(browserPath === null)("OAuth clients, connected apps and backups", () => {
  /** The app's server, to which the browser is redirected. */
  let application: Bun.Server<undefined>
  let redirectUri: string
  /** The credentials that the console has shown to the developer of the app. */
  let client: Client

  beforeAll(async () => {
    await api.create("/items", { itemCode: "DESK", itemName: "Standing desk" })
    await api.create("/users", { ...mia, name: "Mia", role: "sales" })
    application = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      // Like many apps, it redirects to another origin, which the page's policy must allow as well.
      fetch: ({ url }) => {
        const { pathname, search, port } = new URL(url)
        if (pathname === "/callback") return Response.redirect(`http://localhost:${port}/welcome${search}`)
        const page = "<!doctype html><title>Back at the shop</title>"
        return new Response(page, { headers: { "content-type": "text/html" } })
      },
    })
    redirectUri = `http://127.0.0.1:${application.port}/callback`
  })
  afterAll(async () => {
    await application.stop(true)
  })

  const bearer = (token: string) => apiWith(kontor, { authorization: `Bearer ${token}` })

  /** Opens the page to which the app redirects, and signs in there. */
  const visit = async (page: Window, { challenge = pkce().challenge, scope = "read write" } = {}) => {
    await page.goto(
      kontor.url + askUrl(client, challenge, { redirect_uri: redirectUri, scope, state: "s-7" }),
    )
    await page.getByLabel("Email").fill(mia.email)
    await page.getByLabel("Password").fill(mia.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { level: 1, name: /^Connect / }).waitFor()
  }
  const answerAt = async (page: Window) => {
    await page.waitForURL(/\/welcome\?/)
    expect(await page.title()).toBe("Back at the shop")
    return Object.fromEntries(new URL(page.url()).searchParams)
  }
  const exchange = (code: string | undefined, verifier: string, by = client) =>
    ask(kontor, "token", {
      grant_type: "authorization_code",
      code: code ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...credentials(by),
    })
  const connectMia = async () => {
    const { verifier, challenge } = pkce()
    const page = await newPage(kontor)
    await visit(page, { challenge })
    await page.getByRole("button", { name: "Allow" }).click()
    const back = await answerAt(page)
    return { back, verifier }
  }

  test("an admin registers an OAuth client, after an error next to the field of its address", async () => {
    const page = await open("/settings/oauth-clients")
    await page.getByText("No OAuth clients yet").waitFor()
    await page.getByRole("button", { name: "New OAuth client" }).first().click()
    const dialog = page.getByRole("dialog", { name: "New OAuth client" })
    await dialog.getByLabel("Name").fill("Web shop")
    const addresses = dialog.getByRole("combobox", { name: "Redirect URIs" })
    await addresses.fill("http://shop.example/cb")
    await addresses.press("Enter")
    await dialog.getByLabel(/^Write/).check()
    await dialog.getByRole("button", { name: "Create OAuth client" }).click()
    await dialog.getByText("http://shop.example/cb must use https").waitFor()
    await addresses.press("Backspace")
    await addresses.fill(redirectUri)
    await dialog.getByRole("button", { name: "Create OAuth client" }).click()
    const shown = page.getByRole("dialog", { name: "Credentials for Web shop" })
    const clientId = await shown.getByLabel("Client ID", { exact: true }).inputValue()
    const clientSecret = await shown.getByLabel("Client secret", { exact: true }).inputValue()
    for (const place of ["authorize", "token", "revoke", "introspect"])
      await shown.getByText(`${kontor.url}/oauth/${place}`).waitFor()
    client = { id: clientId, clientId, clientSecret }
    await shown.getByRole("button", { name: "I have stored the secret" }).click()
    await page.getByText(redirectUri).waitFor()
    expect(await page.content()).not.toContain(clientSecret)
    expect((await api.get(`/oauth-clients/${clientId}`)).body.data).toMatchObject({
      name: "Web shop",
      type: "confidential",
      redirectUris: [redirectUri],
      scopes: ["read", "write"],
    })
    page.assertQuiet()
  })

  test("a user signs in, allows the app, and is redirected back; then Disconnect revokes its access", async () => {
    const { back, verifier } = await connectMia()
    expect(back).toEqual({ code: expect.any(String), state: "s-7", iss: kontor.url })
    const { body: tokens } = await exchange(back["code"], verifier)
    const app = bearer(tokens.access_token)
    expect((await app.get("/items")).body.data).toMatchObject([{ itemCode: "DESK" }])

    const page = await open("/settings/connections", { email: mia.email })
    await page.getByRole("heading", { level: 2, name: "Web shop" }).waitFor()
    await page.getByText("View your items, stock, customers, orders, invoices").waitFor()
    await page.getByText("Create and update records").waitFor()
    await page.getByRole("button", { name: "Disconnect Web shop" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    expect((await app.get("/items")).status).toBe(200)
    await page.getByRole("button", { name: "Disconnect Web shop" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click()
    await page.getByText("No connected apps yet").waitFor()
    expect((await app.get("/items")).status).toBe(401)
    page.assertQuiet()
  })

  test("Deny redirects back without a code", async () => {
    const page = await newPage(kontor)
    await visit(page)
    await page.getByRole("button", { name: "Deny" }).click()
    expect(await answerAt(page)).toMatchObject({ error: "access_denied", state: "s-7" })
    expect((await (await signIn(kontor, mia.email)).get("/auth/grants")).body.data).toEqual([])
  })

  test("a new secret replaces the old one, and removing the client revokes its tokens", async () => {
    const { back, verifier } = await connectMia()
    const page = await open("/settings/oauth-clients")
    const row = page.getByRole("button", { name: "Web shop", exact: true })
    await row.click()
    await page.getByRole("button", { name: "Rotate secret" }).click()
    await page.getByRole("button", { name: "Rotate", exact: true }).click()
    const secret = page.getByRole("dialog").getByLabel("Client secret", { exact: true })
    const renewed = { ...client, clientSecret: await secret.inputValue() }
    await page.getByRole("button", { name: "I have stored the secret" }).click()
    expect((await exchange(back["code"], verifier)).body.error).toBe("invalid_client")
    const { body: tokens } = await exchange(back["code"], verifier, renewed)
    expect((await bearer(tokens.access_token).get("/items")).status).toBe(200)
    client = renewed

    await row.click()
    const dialog = page.getByRole("dialog", { name: "Web shop" })
    await dialog.getByLabel("Name").fill("Shop of old")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Shop of old", exact: true }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const question = page.getByRole("dialog", { name: "Delete Shop of old?" })
    await question.getByText("Its tokens stop working immediately").waitFor()
    await question.getByRole("button", { name: "Delete" }).click()
    await page.getByText("No OAuth clients yet").waitFor()
    expect((await bearer(tokens.access_token).get("/items")).status).toBe(401)
    page.assertQuiet()
  })

  test("a public client gets an ID, no secret, and no button for one", async () => {
    const page = await open("/settings/oauth-clients")
    await page.getByRole("button", { name: "New OAuth client" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("Till")
    await dialog.getByLabel(/^Public/).check()
    await dialog.getByRole("combobox", { name: "Redirect URIs" }).fill("com.example.till:/done")
    await dialog.getByRole("button", { name: "Create OAuth client" }).click()
    await page.getByText("A public client has no secret.").waitFor()
    expect(await page.getByLabel("Client secret", { exact: true }).count()).toBe(0)
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Till", exact: true }).click()
    await page.getByRole("button", { name: "Save" }).waitFor()
    expect(await page.getByRole("button", { name: "Rotate secret" }).count()).toBe(0)
  })

  describe("a backup", () => {
    test("is downloaded under its name, and contains everything except the sessions", async () => {
      const page = await open("/settings/backups")
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download backup" }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^kontor-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)
      await page.getByText(`${file.suggestedFilename()} (`).waitFor()
      const path = join(emptyFolder(), "copy.db")
      await file.saveAs(path)
      const copy = new Database(path, { readonly: true })
      expect(copy.query("SELECT item_code FROM items").all()).toEqual([{ item_code: "DESK" }])
      expect(copy.query("SELECT id FROM sessions").all()).toEqual([])
      copy.close()
      page.assertQuiet()
    })

    test("is beside the download of all data as one archive", async () => {
      const page = await open("/settings/backups")
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download all data" }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^kontor-\d{4}-\d\d-\d\d\.zip$/)
      await page.getByText(`${file.suggestedFilename()} (`).waitFor()
      const path = join(emptyFolder(), "all.zip")
      await file.saveAs(path)
      const { "items.ndjson": items } = unzipSync(new Uint8Array(await Bun.file(path).arrayBuffer()))
      expect(JSON.parse(new TextDecoder().decode(items))).toMatchObject({ itemCode: "DESK" })
      page.assertQuiet()
    })

    test("is restored by the command on the page, which names the database of this server", async () => {
      const page = await open("/settings/backups")
      const command = await page.getByLabel("Command", { exact: true }).inputValue()
      expect(command).toBe(`kontor restore BACKUP-FILE --db ${kontor.file}`)
      await page.getByText("Replace BACKUP-FILE with the path of the backup on that machine.").waitFor()
      const copy = join(emptyFolder(), "copy.db")
      await run(["backup", copy], { cwd: kontor.cwd })
      const [, ...args] = command.replace("BACKUP-FILE", copy).split(" ")
      // In another folder, and while the server runs: it is refused because it means the file of this server.
      expect(await run(args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Another Kontor process is using ${kontor.file}.`),
      })
    })

    test("that cannot be created now shows an error, and can be tried again", async () => {
      const page = await open("/settings/backups")
      const error = { code: "SERVICE_UNAVAILABLE", message: "Not now.", details: [] }
      await page.route("**/api/v1/backups", (route) => route.fulfill({ status: 503, json: { error } }))
      await page.getByRole("button", { name: "Download backup" }).click()
      await page.getByRole("alert").getByText("Another backup is running").waitFor()
      await page.unroute("**/api/v1/backups")
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download backup" }).click()
      await download
      await page.getByRole("alert").waitFor({ state: "detached" })
    })

    test("is only for administrators, like the OAuth clients", async () => {
      const page = await open("/settings/backups", { email: mia.email })
      await page.getByText("Only admins can view this page").waitFor()
      await show(page, kontor, "/settings/oauth-clients")
      await page.getByText("Only admins can view this page").waitFor()
    })
  })

  describe("every step has no serious accessibility violation and fits each screen", () => {
    test("for the user who connects", async () => {
      client = await clientOf(api, {
        name: "A shop with a rather long name of its own",
        redirectUris: [redirectUri],
      })
      const page = await newPage(kontor)
      const { faults, inspect } = inspector(page)
      const { challenge } = pkce()
      await page.goto(kontor.url + askUrl(client, challenge, { redirect_uri: redirectUri }))
      await inspect("sign-in")
      await page.getByLabel("Email").fill(mia.email)
      await page.getByLabel("Password").fill("not hers")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("alert").waitFor()
      await inspect("sign-in refused")
      await visit(page)
      await inspect("consent")
      await page.getByRole("button", { name: "Allow" }).click()
      await answerAt(page)
      await page.goto(`${kontor.url}/oauth/authorize?client_id=nobody`)
      await inspect("unknown")
      expect(faults).toEqual({})
    })

    test("for the user who disconnects", async () => {
      const page = await open("/settings/connections", { email: mia.email })
      const { faults, inspect } = inspector(page)
      await page
        .getByRole("heading", { level: 2, name: /^A shop/ })
        .first()
        .waitFor()
      await inspect("connections", "main")
      await page
        .getByRole("button", { name: /^Disconnect A shop/ })
        .first()
        .click()
      await page.getByRole("dialog").waitFor()
      await inspect("disconnect", "[role=dialog]")
      expect(faults).toEqual({})
    })

    test("for the administrator", async () => {
      const page = await open("/settings/oauth-clients")
      const { faults, inspect } = inspector(page)
      await page.getByText(redirectUri).first().waitFor()
      await inspect("list", "main")
      await page.getByRole("button", { name: "New OAuth client" }).first().click()
      await page.getByRole("dialog").getByLabel("Name").fill("Books")
      await page.getByRole("button", { name: "Create OAuth client" }).click()
      await page.locator("[aria-invalid=true]").first().waitFor()
      await inspect("new, refused", "[role=dialog]")
      await page.getByRole("combobox", { name: "Redirect URIs" }).fill("https://books.example/callback")
      await page.getByRole("button", { name: "Create OAuth client" }).click()
      await page.getByText(`${kontor.url}/oauth/introspect`).waitFor()
      await inspect("shown once", "[role=dialog]")
      await page.getByRole("button", { name: "I have stored the secret" }).click()
      await page
        .getByRole("button", { name: /^Books/ })
        .first()
        .click()
      await page.getByText(`${kontor.url}/oauth/introspect`).waitFor()
      await inspect("edit", "[role=dialog]")
      await show(page, kontor, "/settings/backups")
      await page.getByRole("button", { name: "Download backup" }).click()
      await page.getByText("was downloaded").waitFor()
      await inspect("backups", "main")
      expect(faults).toEqual({})
      page.assertQuiet()
    })
  })
})
