import { afterAll, describe, expect, test } from "bun:test"
import { browserPath, inspector, startConsole } from "../support/browser"
import { isPostgresInstalled, postgres } from "../support/postgres"

const isPossible = browserPath !== null && isPostgresInstalled()

describe.skipIf(!isPossible)("the page of backups with a PostgreSQL database", async () => {
  if (!isPossible) return
  const server = await postgres()
  const { open } = await startConsole({ args: ["--db", server.createDatabase("shop")] })
  afterAll(() => server.stop())

  test("names the programs that make backups, and offers only the export", async () => {
    const page = await open("/settings/backups")
    await page.getByText("use pg_dump or pgBackRest on the machine of the database.").waitFor()
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Backups of PostgreSQL",
      "Export all data",
    ])
    const { faults, inspect } = inspector(page)
    await inspect("backups", "main")
    expect(faults).toEqual({})
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download all data" }).click()
    expect((await download).suggestedFilename()).toMatch(/^kontor-.*\.zip$/)
    page.assertQuiet()
  })

  test("names them in German too", async () => {
    const page = await open("/settings/backups", { locale: "de-DE" })
    await page.getByText("Verwenden Sie pg_dump oder pgBackRest auf dem Rechner der Datenbank.").waitFor()
  })
})
