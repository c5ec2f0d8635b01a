import { afterAll, describe, expect, test } from "bun:test"
import { strToU8 } from "fflate"
import { refusalOf, signIn } from "../support/api"
import { inFile } from "../support/file"
import { faultsOf, importer, xlsxType, type File } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { sendRaw } from "../support/raw"
import { trade } from "../support/trade"
import { zipOf } from "../support/zip"

const kontor = await serve()
const api = await signIn(kontor)
const imports = importer(api)
afterAll(cleanUp)

const countIn = (table: string) =>
  inFile(kontor, (db) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n)

/** Checks that nothing of a file is left and the server answers. */
async function assertNothingWritten(): Promise<void> {
  while (countIn("uploads") !== 0) await Bun.sleep(20)
  expect(countIn("items")).toBe(0)
  expect((await api.get("/items?perPage=1")).status).toBe(200)
}

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relation = (id: string, type: string, target: string) =>
  strToU8(
    `<Relationships><Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/></Relationships>`,
  )
/** A small XLSX file whose sheet is given as XML. */
const xlsxOf = (sheet: string | Uint8Array, more: Record<string, Uint8Array> = {}): Uint8Array =>
  zipOf({
    "[Content_Types].xml": strToU8("<Types/>"),
    "_rels/.rels": relation("rId1", "officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": strToU8(
      '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    "xl/_rels/workbook.xml.rels": relation("rId1", "worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": typeof sheet === "string" ? strToU8(sheet) : sheet,
    ...more,
  })
const sheetOf = (...rows: string[][]) =>
  `<worksheet><sheetData>${rows.map((cells) => `<row>${cells.join("")}</row>`).join("")}</sheetData></worksheet>`
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const titles = [inline("itemCode"), inline("itemName"), inline("sellingPrice")]

const random = (size: number) => {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}
const startsWith = (start: string, size = 5_000) =>
  Buffer.concat([Buffer.from(start, "latin1"), random(size)])
const rowsOf = (n: number) =>
  `itemCode,itemName\n${Array.from({ length: n }, (_, i) => `X-${i},x`).join("\n")}\n`

describe("A file that is not a table is refused at once with a sentence, and nothing of it is stored", () => {
  const files: [string, File, number, string, string | null][] = [
    ["an empty file", "", 422, "is empty", null],
    ["only spaces and line breaks", " \r\n\r\n ", 415, "The file is empty.", "EMPTY"],
    ["only a byte order mark of UTF-16", new Uint8Array([0xff, 0xfe]), 415, "The file is empty.", "EMPTY"],
    ["a renamed PDF", startsWith("%PDF-1.7\n"), 415, "is a PDF", "PDF"],
    [
      "an old .xls file",
      startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
      415,
      "old Excel file (.xls)",
      "OLD_EXCEL",
    ],
    ["an image", startsWith("\x89PNG\r\n\x1a\n"), 415, "is an image", "IMAGE"],
    ["a compressed CSV file", Bun.gzipSync(strToU8(rowsOf(10))), 415, "Unpack it", "COMPRESSED"],
    ["a web page", "<!doctype html><table></table>", 415, "web page", "WEB_PAGE"],
    ["random bytes", new Uint8Array([1, 2, 0, 3, 0, 0]), 415, "is not a table", "NOT_A_TABLE"],
    ["an XLSX file above 8 MB", xlsxOf(random(9 * 1024 * 1024)), 413, "8", null],
    ["a CSV file above 32 MB", `itemCode\n${"x\n".repeat(17 * 1024 * 1024)}`, 413, "32", null],
  ]
  test.each(files)("%s", async (_, file, status, says, reason) => {
    const answer = await imports.send("kind=items", file)
    expect(refusalOf(answer)).toMatchObject({ status })
    expect(JSON.stringify(answer.body.error)).toContain(says)
    expect(answer.body.error.params?.reason ?? null).toBe(reason)
    await assertNothingWritten()
  })

  test("2 GB, as the length in the head says, before a byte of it is sent", async () => {
    const head = [
      "POST /api/v1/imports?kind=items HTTP/1.1",
      "Host: localhost",
      "Content-Type: text/csv",
      `Content-Length: ${2 * 1024 ** 3}`,
      ...Object.entries(api.credential).map(([name, value]) => `${name}: ${value}`),
    ]
    const received = await sendRaw(kontor.url, `${head.join("\r\n")}\r\n\r\nitemCode,itemName\r\n`)
    expect(received).toStartWith("HTTP/1.1 413 ")
    await assertNothingWritten()
  })
})

describe("A table that cannot be imported fails with a sentence, and nothing of it is written", () => {
  const wide = (n: number) => Array.from({ length: n }, (_, i) => `column ${i}`).join(",")
  const zeros = new Uint8Array(60 * 1024 * 1024)
  const files: [string, File, string, string | null][] = [
    ["a ZIP bomb", xlsxOf(zeros), "unpacks to more than 500 times its size", "UNPACKS_TOO_LARGE"],
    [
      "a ZIP bomb of many files",
      xlsxOf("<a/>", { a: zeros, b: zeros }),
      "unpacks to more than 500 times",
      "UNPACKS_TOO_LARGE",
    ],
    ["a ZIP file of something else", zipOf({ "a.txt": strToU8("a") }), "not an XLSX file", "OTHER_ZIP"],
    ["a damaged XLSX file", xlsxOf(sheetOf(titles)).slice(0, -40), "damaged", "DAMAGED"],
    ["titles only", "itemCode,itemName\n", "no rows below its titles", "NO_ROWS"],
    ["unknown columns only", "a,b\n1,2\n", "column", "COLUMN_MISSING"],
    ["300 columns without a known one", `${wide(300)}\n${"1,".repeat(299)}1\n`, "column", "COLUMN_MISSING"],
    ["501 columns", `itemCode,itemName,${wide(499)}\nx,y\n`, "more than 500 columns", "TOO_MANY_COLUMNS"],
    [
      "a quotation mark without its end",
      `itemCode,itemName\n"x,${"y".repeat(2_000_000)}`,
      "quotation mark",
      "ROW_TOO_LONG",
    ],
    [
      "a cell of 200,000 characters",
      `itemCode,itemName\nx,${"y".repeat(200_000)}\n`,
      "The only row is wrong, so nothing was imported.",
      null,
    ],
  ]
  test.each(files)("%s", async (_, file, says, reason) => {
    const headers = { "content-type": typeof file === "string" ? "text/csv" : xlsxType }
    const ended = await imports.run("kind=items", file, headers)
    expect(ended).toMatchObject({ status: "failed", counts: { created: 0 } })
    expect(ended.error.message).toContain(says)
    expect(ended.error.message).toEndWith(".")
    expect(ended.error.params?.reason ?? null).toBe(reason)
    expect(ended.error.code).not.toBe("INTERNAL_ERROR")
    await assertNothingWritten()
  })

  test.each([
    ["a CSV file", rowsOf(100_001), "more than 100,000 rows"],
    ["an XLSX file", manyRows(20_001), "more than 20,000 rows"],
  ])("too many rows of %s, before a row is checked", async (_, file, sentence) => {
    const { status, error, counts, columns } = await imports.run("kind=items", file)
    expect(status).toBe("failed")
    expect(error).toMatchObject({ message: expect.stringContaining(sentence) })
    expect(error.params.reason).toBe("TOO_MANY_ROWS")
    expect(counts.rows).toBe(0)
    expect(columns).toEqual([])
    await assertNothingWritten()
  })

  test("an XLSX file with very many sheets and relations, each of which could be looked for among all others", async () => {
    const many = <T>(of: (i: number) => T) => Array.from({ length: 400_000 }, (_, i) => of(i))
    const file = xlsxOf(sheetOf(titles), {
      "xl/workbook.xml": strToU8(
        `<workbook><sheets>${many((i) => `<sheet id="s${i}"/>`).join("")}</sheets></workbook>`,
      ),
      "xl/_rels/workbook.xml.rels": strToU8(
        `<Relationships>${many((i) => `<Relationship Id="r${i}" Type="/worksheet"/>`).join("")}</Relationships>`,
      ),
    })
    const ended = await imports.run("kind=items", file, { "content-type": xlsxType })
    expect(ended).toMatchObject({ status: "failed", error: { params: { reason: "NO_VISIBLE_SHEET" } } })
  })

  test("formulas without a value, and errors of formulas, as faults of their rows", async () => {
    const sheet = sheetOf(
      titles,
      [inline("F-1"), inline("x"), "<c><f>1+1</f></c>"],
      [inline("F-2"), inline("x"), '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'],
    )
    const ended = await imports.run("kind=items", xlsxOf(sheet), { "content-type": xlsxType })
    expect(ended).toMatchObject({ status: "failed", error: { code: "IMPORT_INVALID" } })
    expect(faultsOf(ended)).toEqual([
      [2, "sellingPrice", expect.stringContaining("formula")],
      [3, "sellingPrice", expect.stringContaining("#DIV/0!")],
    ])
    await assertNothingWritten()
  })
})

function manyRows(n: number): Uint8Array {
  return xlsxOf(sheetOf(titles, ...Array.from({ length: n }, (_, i) => [inline(`X-${i}`), inline("x")])))
}

describe("A file that is unusual but readable", () => {
  test("with 300 columns of which two are known is checked", async () => {
    const more = Array.from({ length: 298 }, (_, i) => `column ${i}`).join(",")
    const ended = await imports.run(
      "kind=items&dryRun=true",
      `itemCode,${more},itemName\nx,${"1,".repeat(298)}y\n`,
    )
    expect(ended).toMatchObject({ status: "finished", counts: { rows: 1, valid: 1 } })
    expect(ended.columns).toHaveLength(300)
    await assertNothingWritten()
  })

  test("may write dates in five ways, with one order in a file", async () => {
    const customer = await trade(api).customer()
    const rows = ["2025-12-31", "31.12.2025", "31/12/2025", "31-12-25", "20251231"].map(
      (date, i) => `OLD/${i};${customer.customerNumber};${date};${i + 1},50`,
    )
    const file = `invoiceNumber;customerNumber;invoiceDate;balance\n${rows.join("\n")}\n`
    const ended = await imports.run("kind=opening-invoices", file)
    expect(ended).toMatchObject({ status: "finished", faults: [], counts: { created: 5 } })
    const { data } = (await api.get("/invoices?invoiceNumber[like]=OLD/%25")).body
    expect(data.map(({ invoiceDate }: { invoiceDate: string }) => invoiceDate)).toEqual(
      Array(5).fill("2025-12-31"),
    )
    const wrong = `invoiceNumber;customerNumber;invoiceDate;balance\nOLD/9;${customer.customerNumber};30.02.2025;1\n`
    expect(faultsOf(await imports.run("kind=opening-invoices", wrong))).toEqual([
      [2, "invoiceDate", expect.stringContaining("30.02.2025")],
    ])
  })
})
