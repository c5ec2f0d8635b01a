// A server of low priority. Its threads lower theirs, and may not raise it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { importer } from "../support/imports"
import {
  adminEmail,
  adminPassword,
  cleanUp,
  emptyFolder,
  program,
  serve,
  type Kontor,
} from "../support/kontor"
import { startStorage, stopStorage } from "../support/s3"
import { trade } from "../support/trade"
import { until } from "../support/until"
import { withoutRights } from "../support/without-rights"

afterAll(async () => {
  await cleanUp()
  await stopStorage()
})

describe("a server that was started with nice -n 15", () => {
  const [cwd, backups] = [emptyFolder(), emptyFolder()]
  let kontor: Kontor
  let api: Api
  beforeAll(async () => {
    const storage = await startStorage()
    const first = await serve({ cwd })
    await first.stop()
    inFile(first, (db) => fillItems(db, { from: 1, to: 20_100 }))
    kontor = await serve({
      cwd,
      command: [...withoutRights, "nice", "-n", "15", ...program],
      args: ["--backup-to", "s3://backups/nice", "--backup-dir", backups],
      env: { ...storage.env, KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword },
    })
    api = await signIn(kontor)
    await until(() => storage.names("nice").length > 0)
  })

  test("makes backups, and uploads them", async () => {
    expect(readdirSync(backups)).toHaveLength(1)
    expect(await api.post("/backups", {})).toMatchObject({ status: 200 })
  })

  test("draws PDFs", async () => {
    const shop = trade(api)
    const invoice = await shop.invoice()
    const { status, text } = await api.get(`/invoices/${invoice.id}/pdf`)
    expect([status, text.slice(0, 5)]).toEqual([200, "%PDF-"])
  })

  test("exports lists and everything", async () => {
    expect(await api.get("/customers/export?format=xlsx")).toMatchObject({ status: 200 })
    expect(await api.get("/export.zip")).toMatchObject({ status: 200 })
  })

  test("reads imported files", async () => {
    const { run } = importer(api)
    const imported = await run("kind=items", "Item code,Item name\nNICE-1,Desk\n")
    expect(imported).toMatchObject({ status: "finished", error: null })
  })

  test("scans long lists", async () => {
    const { status, body } = await api.get("/items?itemName[like]=Other&perPage=1")
    expect([status, body.meta?.total]).toEqual([200, 20_100])
  })

  test("and its database is as it should be", () => expect(join(cwd, "kontor.db")).toBe(kontor.file))
})
