import { afterAll, describe, expect, test } from "bun:test"
import { browserPath, inspector, startConsole } from "../support/browser"
import { adminEmail, adminPassword } from "../support/kontor"
import { startStorage, stopStorage } from "../support/s3"

const storage = await startStorage()
const { kontor, api, open } = await startConsole({
  env: { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword, ...storage.env },
  args: ["--backup-to", "s3://missing/shop"],
})
afterAll(stopStorage)

describe.skipIf(browserPath === null)("uploads of backups", () => {
  test("a failed one is shown with what to do", async () => {
    while ((await api.get("/backups")).body.data.upload.error === null) await Bun.sleep(50)
    const page = await open("/settings/backups")
    const { faults, inspect } = inspector(page)
    await page.getByRole("status").getByText("The bucket does not exist.").waitFor()
    await page.getByText(`There is no bucket missing at ${storage.env.KONTOR_S3_ENDPOINT}.`).waitFor()
    await page.getByText("s3://missing/shop/").waitFor()
    await page.getByText("Not encrypted").waitFor()
    await inspect("backups", "main")
    expect(faults).toEqual({})
  })

  test("a failed one is shown in German", async () => {
    const page = await open("/settings/backups", { locale: "de-DE" })
    await page.getByText("Den Bucket gibt es nicht.").waitFor()
  })

  test("the newest one is in the command that restores it", async () => {
    const page = await open("/settings/backups")
    const latest = "s3://backups/shop/kontor-2026-03-01T120000Z.db.age"
    const upload = { target: "s3://backups/shop/", isEncrypted: true, latest, error: null }
    const data = { database: kontor.file, latestBackup: null, upload }
    await page.route("**/api/v1/backups", (route) => route.fulfill({ json: { success: true, data } }))
    await page.reload()
    await page.getByText("Encrypted with a passphrase").waitFor()
    expect(await page.getByLabel("Command", { exact: true }).inputValue()).toBe(
      `kontor restore ${latest} --db ${kontor.file}`,
    )
    await page.getByText("The command needs the same variables as the server").waitFor()
  })
})
