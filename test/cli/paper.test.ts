// What `kontor check` proves about the files of issued documents, and files from before they were kept.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { problemsIn } from "../support/check"
import { changeAhead, inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { allForms, buyer, download, fillCompany, forms, loggedForms } from "../support/downloads"
import { trade } from "../support/trade"

afterAll(cleanUp)

const issueIn = async (kontor: Kontor, over: object = {}) => {
  const api = await signIn(kontor)
  const customer = await trade(api).customer(buyer)
  const invoice = await api.create("/invoices", {
    customer: customer.id,
    status: "unpaid",
    items: [{ description: "Work", quantity: 2, rate: 40 }],
    notes: "Notes of the issue",
    buyerReference: "04011000-1",
    ...over,
  })
  const note = await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Damaged" })
  return { api, invoice: String(invoice.id), note: String(note.id) }
}

describe("kontor check", () => {
  let kontor: Kontor
  let invoice: string
  const backup = join(emptyFolder(), "backup.db")

  beforeAll(async () => {
    kontor = await serve()
    await fillCompany(await signIn(kontor))
    const issued = await issueIn(kontor)
    invoice = issued.invoice
    await allForms(kontor, issued.api, `/invoices/${invoice}`)
    await allForms(kontor, issued.api, `/credit-notes/${issued.note}`)
    await download(kontor, issued.api, `/invoices/${invoice}/pdf`)
    expect(await run(["backup", backup], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  })

  test("finds no problem in the files of issued documents, also while the server runs", async () => {
    expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0, stderr: "" })
    expect(await run(["check", "--db", backup])).toMatchObject({ code: 0, stderr: "" })
    inFile({ file: backup }, (db) =>
      expect(db.query("SELECT count(*) AS n FROM papers").get()).toEqual({
        n: 2 * Object.keys(forms).length,
      }),
    )
  })

  /** What the check finds in a copy that was changed by hand. */
  function foundAfter(change: (copy: ReturnType<typeof paperOf>) => void): string[] {
    const file = join(emptyFolder(), "copy.db")
    copyFileSync(backup, file)
    change(paperOf(file))
    return problemsIn(file)
  }

  /** Reads and changes the forms of the invoice in a file. */
  const paperOf = (file: string) => ({
    bytes: (form: string) =>
      inFile({ file }, (db) => {
        const row = db.query("SELECT bytes FROM papers WHERE document = ? AND form = ?").get(invoice, form)
        return Buffer.from((row as { bytes: Uint8Array }).bytes)
      }),
    set: (form: string, column: "bytes" | "sha256", value: Uint8Array | string) =>
      inFile({ file }, (db) => {
        const { changes } = db
          .query(`UPDATE papers SET ${column} = ? WHERE document = ? AND form = ?`)
          .run(value, invoice, form)
        expect(changes).toBe(1)
      }),
    run: (sql: string) =>
      inFile({ file }, (db) => expect(db.query(sql).run(invoice).changes).toBeGreaterThan(0)),
    /** Changes a text in the audit log, which its trigger would refuse. */
    rewriteLog: (from: string, to: string) =>
      inFile({ file }, (db) => {
        const name = "audit_logs_no_update"
        const trigger = db.query("SELECT sql FROM sqlite_schema WHERE name = ?").get(name) as { sql: string }
        db.run(`DROP TRIGGER ${name}`)
        db.query("UPDATE audit_logs SET changes = replace(changes, ?, ?)").run(from, to)
        db.run(trigger.sql)
      }),
  })
  const changedByte = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes)
    copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1
    return copy
  }
  const sha256 = (bytes: Uint8Array) => Bun.SHA256.hash(bytes, "hex")
  const wasChanged = (form: string) =>
    `The paper ${invoice} ${form} was changed: its hash is not the one in the audit log.`

  test("finds a changed byte of a PDF", () => {
    expect(foundAfter(({ bytes, set }) => set("pdf-de", "bytes", changedByte(bytes("pdf-de"))))).toEqual([
      wasChanged("pdf-de"),
    ])
  })

  test("finds another XML, and one that cannot be unpacked", () => {
    const other = (text: string) => text.replace("Work", "Cork")
    expect(
      foundAfter(({ bytes, set }) => {
        const text = Buffer.from(Bun.gunzipSync(bytes("ubl-en16931"))).toString()
        expect(other(text)).not.toBe(text)
        set("ubl-en16931", "bytes", Bun.gzipSync(Buffer.from(other(text))))
      }),
    ).toEqual([wasChanged("ubl-en16931")])
    expect(foundAfter(({ set }) => set("ubl-en16931", "bytes", Buffer.from("not packed")))).toEqual([
      wasChanged("ubl-en16931"),
    ])
  })

  test("finds a changed hash, also when the bytes are changed with it", () => {
    expect(foundAfter(({ set }) => set("pdf-en", "sha256", sha256(Buffer.from("x"))))).toEqual([
      wasChanged("pdf-en"),
    ])
    expect(
      foundAfter(({ bytes, set }) => {
        const other = changedByte(bytes("pdf-en"))
        set("pdf-en", "bytes", other)
        set("pdf-en", "sha256", sha256(other))
      }),
    ).toEqual([wasChanged("pdf-en")])
  })

  test("finds deleted paper", () => {
    expect(
      foundAfter(({ run: change }) =>
        change("DELETE FROM papers WHERE document = ? AND form = 'cii-en16931'"),
      ),
    ).toEqual([`The paper ${invoice} cii-en16931 is missing.`])
  })

  test("finds paper that is not in the audit log", () => {
    const copied =
      "INSERT INTO papers SELECT NULL, document, 'pdf-xx', sha256, bytes, is_packed, has_missing_glyphs, created_at"
    expect(
      foundAfter(({ run: change }) => change(`${copied} FROM papers WHERE document = ? AND form = 'pdf-en'`)),
    ).toEqual([`The paper ${invoice} pdf-xx is not in the audit log.`])
  })

  test("finds a hash that was changed in the audit log too", () => {
    const faults = foundAfter(({ bytes, set, rewriteLog }) => {
      const other = changedByte(bytes("pdf-en"))
      const before = sha256(bytes("pdf-en"))
      set("pdf-en", "bytes", other)
      set("pdf-en", "sha256", sha256(other))
      rewriteLog(before, sha256(other))
    })
    expect(faults.length).toBe(1)
    expect(faults[0]).toStartWith("The audit log was changed: entry ")
  })
})

describe("a document that was issued before files were kept", () => {
  /**
   * A file with documents that were issued by a company without a VAT ID, so that nothing was kept. The
   * VAT ID is filled in by hand, because the documents of a real file can have one.
   */
  let old: { file: string; invoice: string; note: string }
  beforeAll(async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    await fillCompany(api, { vatId: null, taxNumber: null })
    const { invoice, note } = await issueIn(kontor)
    await kontor.stop()
    inFile(kontor, (db) => {
      expect(db.query("SELECT * FROM papers").all()).toEqual([])
      db.run("DELETE FROM paper_values")
      db.run("UPDATE seller_versions SET body = json_set(body, '$.vatId', 'DE811569869')")
    })
    old = { file: kontor.file, invoice, note }
  })

  function oldFolder() {
    const cwd = emptyFolder()
    copyFileSync(old.file, join(cwd, "kontor.db"))
    return { ...old, cwd }
  }

  test("is put on paper at its first download", async () => {
    const { cwd, invoice, note } = oldFolder()
    const kontor = await serve({ cwd })
    const api = await signIn(kontor)
    const documents = [`/invoices/${invoice}`, `/credit-notes/${note}`]
    for (const document of documents) {
      expect(await loggedForms(api, document)).toEqual([])
      expect((await api.get(`${document}/e-invoice`)).body.data).toEqual({ valid: true, missing: [] })
    }
    const first = await Promise.all(documents.map((document) => allForms(kontor, api, document)))
    for (const [i, document] of documents.entries()) {
      const logged = await loggedForms(api, document)
      expect(Object.assign({}, ...logged)).toEqual(first[i] ?? {})
      expect(logged.length).toBe(Object.keys(forms).length)
    }
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0, stderr: "" })
    await kontor.stop()
  })

  test("keeps with the first download what a document prints, for all further ones", async () => {
    const { cwd, invoice } = oldFolder()
    const kontor = await serve({ cwd })
    const api = await signIn(kontor)
    const edit = (notes: string) => api.put(`/invoices/${invoice}`, { notes })
    const text = async (format: string) =>
      (await download(kontor, api, `/invoices/${invoice}/xml?format=${format}`)).bytes.toString()
    await edit("Edited before")
    // The first PDF also keeps the e-invoice that is inside.
    expect((await download(kontor, api, `/invoices/${invoice}/pdf`)).status).toBe(200)
    expect((await loggedForms(api, `/invoices/${invoice}`)).flatMap((each) => Object.keys(each))).toEqual([
      "cii-en16931",
      "pdf-en",
    ])
    await edit("Edited after")
    for (const format of ["cii", "ubl"]) {
      expect(await text(format)).toContain("Edited before")
      expect(await text(format)).not.toContain("Edited after")
    }
    await kontor.stop()
  })

  test.each(["pdf", "xml"])(
    "keeps no %s of other values than another request has kept meanwhile",
    async (path) => {
      let late = await downloadLate(path)
      // The server writes its counters from time to time. A request behind such a write also waits for the change, and
      // then it is not late.
      for (let again = 0; again < 5 && late.status !== 503; again++) late = await downloadLate(path)
      expect(late).toEqual({ status: 503, retryAfter: "1", logged: [] })
    },
  )

  /** Downloads a file while another process keeps other values of the document. */
  async function downloadLate(path: string) {
    const { cwd, invoice } = oldFolder()
    const kontor = await serve({ cwd })
    const api = await signIn(kontor)
    const get = () => download(kontor, api, `/invoices/${invoice}/${path}`)
    const values =
      "INSERT INTO paper_values (document, notes, due_date, unit_codes) VALUES (?, 'Other notes', NULL, '{}')"
    const { status, headers } = await changeAhead(kontor, (db) => db.run(values, [invoice]), get)
    const logged = await loggedForms(api, `/invoices/${invoice}`)
    await kontor.stop()
    return { status, retryAfter: headers.get("retry-after"), logged }
  }
})
