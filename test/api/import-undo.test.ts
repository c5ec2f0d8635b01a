import { afterAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn } from "../support/api"
import { manyRecords } from "../support/engine"
import { copyImport, importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"
import { inFile } from "../support/file"

const kontor = await serve()
const api = await signIn(kontor)
const shop = trade(api)
const imports = importer(api)
afterAll(cleanUp)

/** Undoes an import, and returns the job when it has ended. */
async function undo(id: string) {
  const answer = await api.post(`/imports/${id}/undo`)
  expect(answer.status).toBe(202)
  const job = answer.body.data.id as string
  expect(answer.headers.get("location")).toBe(`/api/v1/jobs/${job}`)
  for (;;) {
    const { data } = (await api.get(`/jobs/${job}`)).body
    if (data.status === "finished" || data.status === "failed") return data
    await Bun.sleep(20)
  }
}

const itemsBy = async (query: string) => (await api.get(`/items?${query}&sort=itemCode&order=asc`)).body.data
const importOf = async (id: string) => (await api.get(`/imports/${id}`)).body.data

describe("POST /imports/{id}/undo", () => {
  test("deletes what was created and gives what was updated its old values", async () => {
    const before = await shop.item({ itemCode: "UN-1", itemName: "Old", category: "A", metadata: { a: "1" } })
    const file = 'itemCode,itemName,category,metadata\nUN-1,New,B,"{""b"":""2""}"\nUN-2,Two,,\nUN-3,Three,,\n'
    const { id, canUndo, undoJob } = await imports.run("kind=items&mode=upsert", file)
    expect({ canUndo, undoJob }).toEqual({ canUndo: true, undoJob: null })
    const job = await undo(id)
    expect(job).toMatchObject({
      kind: "import-undos",
      status: "finished",
      progress: 100,
      counts: { matched: 3, deleted: 2, restored: 1, unchanged: 0, failed: 0 },
      faults: [],
    })
    expect(await itemsBy("itemCode[like]=UN-%25")).toMatchObject([
      { id: before.id, itemName: "Old", category: "A", metadata: { a: "1" }, version: 3 },
    ])
    expect(await importOf(id)).toMatchObject({
      canUndo: false,
      undoJob: job.id,
      undoneAt: job.finishedAt,
      undoneBy: (await api.get("/auth/me")).body.data.name,
    })
    const entries = (await api.get(`/audit-logs?recordId=${id}&order=asc`)).body.data
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "imports.create",
      "imports.end",
      "imports.undo",
      "imports.undone",
    ])
    expect(refusalOf(await api.post(`/imports/${id}/undo`))).toMatchObject({ status: 422, fields: ["id"] })
  })

  test("gives a record its old values again that several rows have updated by different keys", async () => {
    const { id: item } = await shop.item({
      itemCode: "KEYS",
      itemName: "Old",
      category: "A",
      externalId: "keys-1",
    })
    await api.put(`/items/${item}`, { barcode: "5901234123457" })
    const rows = ["KEYS,,New,B,", ",keys-1,Newer,C,", ",,Newest,,5901234123457"]
    const file = `itemCode,externalId,itemName,category,barcode\n${rows.join("\n")}\n`
    const { id, counts } = await imports.run("kind=items&mode=update", file)
    expect(counts).toMatchObject({ updated: 3 })
    expect(await undo(id)).toMatchObject({ counts: { restored: 3, failed: 0 } })
    expect((await api.get(`/items/${item}`)).body.data).toMatchObject({ itemName: "Old", category: "A" })
  })

  test("leaves what was changed or used since, lists it, and takes it back later when it is free", async () => {
    const { id } = await imports.run("kind=customers", "Kundennummer,Name\n501,Used\n502,Changed\n503,Free\n")
    const [used, changed] = (await api.get("/customers?customerNumber[in]=501,502&sort=createdAt&order=asc"))
      .body.data
    const open = await imports.run(
      "kind=opening-invoices",
      "invoiceNumber,customerNumber,invoiceDate,balance\nUNDO/1,501,2025-12-01,10\n",
    )
    await api.patch(`/customers/${changed.id}`, { phone: "1" })
    const job = await undo(id)
    expect(job).toMatchObject({ counts: { matched: 3, deleted: 1, failed: 2 }, faultCount: 2 })
    expect(job.faults).toMatchObject([
      {
        row: 3,
        record: changed.id,
        code: "CHANGED",
        message: expect.stringContaining("changed after the import"),
      },
      {
        row: 2,
        record: used.id,
        code: "RECORD_IN_USE",
        message: expect.stringContaining("used by other records"),
      },
    ])
    expect(await importOf(id)).toMatchObject({ canUndo: true })
    expect(await undo(open.id)).toMatchObject({ counts: { deleted: 1, failed: 0 } })
    expect((await api.get("/invoices?invoiceNumber=UNDO/1")).body.data).toEqual([])
    expect(await undo(id)).toMatchObject({ counts: { matched: 2, deleted: 1, failed: 1 } })
    expect((await api.get("/customers?customerNumber[in]=501,502,503")).body.data).toMatchObject([
      { id: changed.id },
    ])
  })

  test("is refused for a check, a stock count and an import that still runs", async () => {
    const dry = await imports.run("kind=items&dryRun=true", "itemCode,itemName\nDRY,x\n")
    await shop.item({ itemCode: "UC-1" })
    const count = await imports.run("kind=stock-counts", "itemCode,counted\nUC-1,3\n")
    for (const { id, canUndo } of [dry, count]) {
      expect(canUndo).toBeFalse()
      expect(refusalOf(await api.post(`/imports/${id}/undo`))).toEqual({
        status: 422,
        code: "VALIDATION_ERROR",
        fields: ["id"],
      })
    }
    const rows = Array.from({ length: manyRecords(3_000) }, (_, i) => `RUN-${i},x`)
    const { id } = (await imports.send("kind=items", `itemCode,itemName\n${rows.join("\n")}\n`)).body.data
    while ((await importOf(id)).counts.created === 0) await Bun.sleep(5)
    expect(refusalOf(await api.post(`/imports/${id}/undo`))).toMatchObject({ fields: ["status"] })
    await api.post(`/imports/${id}/cancel`)
    const { counts } = await imports.wait(id)
    expect((await undo(id)).counts).toMatchObject({ matched: counts.created, deleted: counts.created })
    expect(await itemsBy("itemCode[like]=RUN-%25")).toEqual([])
    expect(refusalOf(await api.post("/imports/imp_none/undo"))).toMatchObject({ status: 404 })
  })

  test("needs the right to delete, and is not for the imports of others", async () => {
    const { id } = await imports.run("kind=items", "itemCode,itemName\nRIGHT-1,x\n")
    const { key } = await api.create("/api-keys", { name: "writer", scopes: ["read", "write"] })
    const writer = apiWith(kontor, { "x-api-key": key })
    expect(refusalOf(await writer.post(`/imports/${id}/undo`))).toMatchObject({
      status: 403,
      code: "INSUFFICIENT_SCOPE",
    })
    const password = "correct horse battery"
    await api.create("/users", { email: "other@undo.example", name: "Other", role: "manager", password })
    const other = await signIn(kontor, "other@undo.example", password)
    expect(refusalOf(await other.post(`/imports/${id}/undo`))).toMatchObject({ status: 404 })
    expect(await itemsBy("itemCode=RIGHT-1")).toHaveLength(1)
  })

  test("is not possible for an import of an earlier version, which did not note what it has written", async () => {
    const { id } = await imports.run("kind=items", "itemCode,itemName\nEARLY-1,x\n")
    const [copy = ""] = copyImport(kontor, id, 1)
    inFile(kontor, (db) => {
      const read = db.query<{ output: string }, [string]>("SELECT output FROM jobs WHERE id = ?")
      const { beginning: _, ...earlier } = JSON.parse(read.get(copy)?.output ?? "{}")
      db.query("UPDATE jobs SET output = ? WHERE id = ?").run(JSON.stringify(earlier), copy)
    })
    expect(await importOf(copy)).toMatchObject({ canUndo: false, beginning: [], skippedRows: [] })
    expect(refusalOf(await api.post(`/imports/${copy}/undo`))).toMatchObject({ status: 422 })
  })
})
