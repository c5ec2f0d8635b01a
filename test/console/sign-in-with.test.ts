import { afterAll, describe, expect, test } from "bun:test"
import { browserPath, newPage, startConsole } from "../support/browser"
import { inFile } from "../support/file"
import { provider, signInWith } from "../support/oidc"

const { kontor, api } = await startConsole({ args: ["--allow-private-webhooks", "127.0.0.0/8"] })
const at = await provider()
afterAll(() => at.stop())

describe.skipIf(browserPath === null)("signing in with a provider", () => {
  test("a button leads there and back, also in a tab of its own when the session has ended", async () => {
    const entry = { name: "Example", issuer: at.issuer, clientId: "kontor", clientSecret: "very secret text" }
    await signInWith(api, [{ ...entry, create: true }])
    at.person = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
    const page = await newPage(kontor)
    await page.goto(`${kontor.url}/console/`)
    await page.getByRole("link", { name: "Sign in with Example" }).click()
    await page.getByRole("link", { name: "Items" }).click()
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    expect(new URL(page.url()).hash).toBe("")

    inFile(kontor, (db) => {
      db.query("UPDATE sessions SET ends_at = '2020-01-01T00:00:00.000Z' WHERE ends_at IS NOT NULL").run()
    })
    const lock = page.getByRole("dialog", { name: "Sign in again" })
    await lock.waitFor()
    const tab = page.context().waitForEvent("page")
    await lock.getByRole("link", { name: "Sign in with Example" }).click()
    await tab
    await lock.waitFor({ state: "detached" })
    await page.getByRole("heading", { level: 1, name: "Items" }).waitFor()
    expect(page.complaints.filter((each) => !each.startsWith(`requested ${at.issuer}`))).toEqual([])
  })
})
