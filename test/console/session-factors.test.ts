import { describe, expect, test } from "bun:test"
import { send } from "../support/api"
import { codesOf } from "../support/authenticator"
import { browserPath, inspector, newPage, signInAt, startConsole, type Window } from "../support/browser"
import { adminPassword } from "../support/kontor"

const server = await startConsole()
const { api } = server
// Browsers have passkeys for names only.
const kontor = { ...server.kontor, url: server.kontor.url.replace("127.0.0.1", "localhost") }

const button = (page: Window, name: string | RegExp) => page.getByRole("button", { name })
const fillPassword = (page: Window) =>
  page.getByRole("textbox", { name: "Current password" }).last().fill(adminPassword)

/** Adds an authenticator app with the keyboard, and returns its codes and the recovery codes. */
async function addApp(page: Window) {
  await button(page, "Add an authenticator app").click()
  await fillPassword(page)
  await page.keyboard.press("Enter")
  await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor()
  const next = codesOf(await page.getByRole("textbox", { name: "Secret", exact: true }).inputValue())
  await page.getByLabel("Code of the app").fill("000000")
  await page.keyboard.press("Enter")
  await page.getByText(/check the clock of the device/).waitFor()
  await page.getByLabel("Code of the app").fill(next())
  await page.keyboard.press("Enter")
  return { next, codes: await keptCodes(page) }
}

async function keptCodes(page: Window): Promise<string[]> {
  const codes = await page.getByRole("textbox", { name: "Recovery codes" }).inputValue()
  await button(page, "I have kept them").click()
  return codes.split("\n")
}

async function signOut(page: Window): Promise<void> {
  await button(page, "Sign out on this device").click()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
}

async function typePassword(page: Window, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(adminPassword)
  await page.keyboard.press("Enter")
}

const person = async (email: string) =>
  api.create("/users", { email, name: "Anna", role: "sales", password: adminPassword })
const atAccount = (page: Window) => page.getByRole("heading", { level: 2, name: "Second factor" }).waitFor()

describe.skipIf(browserPath === null)("a second factor", () => {
  test("is added, asked for and replaced by a passkey or a recovery code", async () => {
    const email = "anna@example.com"
    await person(email)
    const page = await newPage(kontor)
    await signInAt(page, kontor, { path: "/settings/account", email })
    const { next, codes } = await addApp(page)
    expect(codes.length).toBe(10)
    await page.getByText("10 recovery codes left").waitFor()

    await signOut(page)
    await typePassword(page, email)
    await page.getByLabel("Code of the second factor").fill(next())
    await page.keyboard.press("Enter")
    await atAccount(page)

    const device = await page.context().newCDPSession(page)
    await device.send("WebAuthn.enable")
    await device.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    await button(page, "Add a passkey").click()
    await fillPassword(page)
    await page.keyboard.press("Enter")
    const [code = ""] = await keptCodes(page)
    await page.getByText("This device", { exact: true }).first().waitFor()
    const { faults, inspect } = inspector(page)
    await inspect("the account")
    await button(page, "Remove Phone").click()
    await page.getByRole("dialog").waitFor()
    await inspect("the question for the password", "[role=dialog]")
    await button(page, "Cancel").click()
    expect(faults).toEqual({})

    await signOut(page)
    await button(page, "Use a passkey").click()
    await atAccount(page)
    await signOut(page)
    await typePassword(page, email)
    await page.getByLabel("Code of the second factor").fill(code)
    await page.keyboard.press("Enter")
    await atAccount(page)

    await button(page, "Remove Phone").click()
    await fillPassword(page)
    await page.keyboard.press("Enter")
    await button(page, "Remove Phone").waitFor({ state: "detached" })
    await send(`${kontor.url}/api/v1/auth/login`, { body: { email, password: adminPassword, code } })
    page.assertQuiet()
  })

  test("that the settings ask for is added before anything else is shown", async () => {
    const email = "bert@example.com"
    await person(email)
    await api
      .put("/settings", { requireSecondFactor: "everybody" })
      .then(({ status }) => expect(status).toBe(200))
    const page = await newPage(kontor)
    await page.goto(`${kontor.url}/console/`)
    await typePassword(page, email)
    await page.getByText("Your company asks for a second factor.").waitFor()
    expect(await page.getByRole("navigation").count()).toBe(0)
    const { faults, inspect } = inspector(page)
    await inspect("all that is shown")
    expect(faults).toEqual({})
    await addApp(page)
    await page.getByRole("navigation", { name: "Main menu" }).waitFor()
    page.assertQuiet()
  })
})
