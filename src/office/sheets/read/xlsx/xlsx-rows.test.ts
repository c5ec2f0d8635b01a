import { describe, expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { writeXlsx, writeXlsxStream } from "hucre/xlsx"
import { zipOf } from "../../../../../test/support/zip"
import { escapeXlsx } from "../../../../shared/sheet-escape"
import type { CellType } from "../../model"
import { mostXlsxRows } from "../limits"
import { readHead } from "../head"
import { readRows } from "../rows"

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

type Files = Record<string, Uint8Array>
type Parts = { rows: string; strings?: string; styles?: string; workbook?: string; more?: Files }

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
const sheetXml = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

/** The files inside a small XLSX file, whose second sheet says that it is the second. */
function partsOf({ rows, strings = "", styles = "", workbook, more = {} }: Parts): Files {
  const relationsOfBook = [
    relation("rId1", "worksheet", "worksheets/sheet1.xml"),
    relation("rId2", "worksheet", "/xl/worksheets/sheet2.xml"),
    relation("rId3", "sharedStrings", "sharedStrings.xml"),
    relation("rId4", "styles", "styles.xml"),
  ].join("")
  const sheets = '<sheet name="A" sheetId="1" r:id="rId1"/><sheet name="B" sheetId="2" r:id="rId2"/>'
  return {
    "[Content_Types].xml": strToU8("<Types/>"),
    "_rels/.rels": strToU8(
      `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    ),
    "xl/workbook.xml": strToU8(workbook ?? `<workbook><sheets>${sheets}</sheets></workbook>`),
    "xl/_rels/workbook.xml.rels": strToU8(`<Relationships>${relationsOfBook}</Relationships>`),
    "xl/sharedStrings.xml": strToU8(`<sst>${strings}</sst>`),
    "xl/styles.xml": strToU8(`<styleSheet>${styles}</styleSheet>`),
    "xl/worksheets/sheet1.xml": strToU8(sheetXml(rows)),
    "xl/worksheets/sheet2.xml": strToU8(
      sheetXml('<row r="1"><c t="inlineStr"><is><t>second</t></is></c></row>'),
    ),
    ...more,
  }
}

const xlsxOf = (parts: Parts): Uint8Array => zipOf(partsOf(parts))

const inline = (cell: string, text: string) => `<c r="${cell}" t="inlineStr"><is><t>${text}</t></is></c>`
const titles = `<row r="1">${inline("A1", "name")}${inline("B1", "value")}</row>`

/** Reads a whole file. All columns are text but `value`. */
async function read(file: Uint8Array, type: CellType = "text") {
  const pieceOf = (index: number) => Promise.resolve(index === 0 ? file : null)
  const { format, columns } = await readHead(pieceOf, {})
  const plan = columns.map(({ name }, index) => ({
    index,
    field: name,
    type: name === "value" ? type : ("text" as const),
  }))
  const rows = (await Array.fromAsync(readRows(pieceOf, { format, plan, from: 1 }))).flat()
  return { format, columns, rows, values: rows.map(({ input }) => input["value"]) }
}

async function refusal(file: Uint8Array): Promise<string> {
  try {
    await read(file)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "It was read."
}

const faultsOf = async (file: Uint8Array, type?: CellType) =>
  (await read(file, type)).rows.flatMap(({ faults }) => faults.map(({ row, message }) => [row, message]))

describe("An XLSX file", () => {
  test("One written by a library is read with its texts, numbers, dates and booleans.", async () => {
    const file = await writeXlsx({
      sheets: [
        {
          name: "Items",
          rows: [
            ["name", "price", "since", "active", "code"],
            ["Tür & <Öl>", 1234.5, new Date("2026-03-01T00:00:00Z"), true, "00123"],
            ["'=1+1", -0.25, new Date("1999-12-31T00:00:00Z"), false, 12345],
          ],
        },
      ],
    })
    const pieceOf = (index: number) => Promise.resolve(index === 0 ? file : null)
    const { format, columns } = await readHead(pieceOf, {})
    expect(format).toEqual({
      type: "xlsx",
      encoding: null,
      delimiter: null,
      decimal: ".",
      isDecimalGuessed: true,
      dateOrder: "dmy",
      isDateOrderGuessed: true,
      headingRow: 1,
    })
    const types: CellType[] = ["text", "number", "date", "boolean", "text"]
    const plan = columns.map(({ name }, index) => ({ index, field: name, type: types[index] ?? "text" }))
    const rows = (await Array.fromAsync(readRows(pieceOf, { format, plan, from: 1 }))).flat()
    expect(rows).toEqual([
      {
        row: 2,
        input: { name: "Tür & <Öl>", price: 1234.5, since: "2026-03-01", active: true, code: "00123" },
        faults: [],
      },
      {
        row: 3,
        input: { name: "=1+1", price: -0.25, since: "1999-12-31", active: false, code: "12345" },
        faults: [],
      },
    ])
  })

  test("One written as a stream is read with the same texts, in both forms of a ZIP file.", async () => {
    const texts = [" a ", "a\nb", "a\tb", "_x0041_", "😀", "<&>\"'", "=1", "00123", "a\r\nb"]
    for (const zip64 of [false, true]) {
      const stream = writeXlsxStream(
        [["name", "value"], ...texts.map((text, i) => [`row ${i}`, escapeXlsx(text)])],
        { name: "A", zip64 },
      )
      const { values } = await read(await new Response(stream).bytes())
      expect(values).toEqual(texts)
    }
  })

  test("It has shared texts with formats, escapes and readings.", async () => {
    const { rows } = await read(
      xlsxOf({
        strings:
          "<si><t>name</t></si><si><r><t>bold</t></r><r><t xml:space='preserve'> text</t></r><rPh><t>no</t></rPh></si>" +
          "<si><t>a_x000D_b &amp; &#228;&#x20AC;<![CDATA[<c>]]></t></si>",
        rows:
          '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>' +
          '<row r="3"><c r="A3" t="s"><v>2</v></c></row>',
      }),
    )
    expect(rows.map(({ input }) => input["name"])).toEqual(["bold text", "a\rb & ä€<c>"])
  })

  test("One with a namespace before its tags is read.", async () => {
    const file = xlsxOf({
      rows: "",
      more: {
        "xl/worksheets/sheet1.xml": strToU8(
          '<x:worksheet><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>name</x:t></x:is></x:c></x:row>' +
            "<x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>",
        ),
      },
    })
    expect((await read(file)).rows).toEqual([{ row: 2, input: { name: "7" }, faults: [] }])
  })

  test("It has numbers in text as plain digits, as Excel shows them.", async () => {
    const numbers = ["4006381333931", "12345.0", "1.2345E4", "0.30000000000000004", "1E-7", "1E22", "-5"]
    const rows = numbers.map((value, i) => `<row r="${i + 2}"><c r="B${i + 2}"><v>${value}</v></c></row>`)
    const file = xlsxOf({ rows: titles + rows.join("") })
    expect((await read(file)).values).toEqual([
      "4006381333931",
      "12345",
      "12345",
      "0.3",
      "0.0000001",
      "10000000000000000000000",
      "-5",
    ])
    expect((await read(file, "number")).values).toEqual([4006381333931, 12345, 12345, 0.3, 1e-7, 1e22, -5])
  })

  test("It has dates by the format of their cells, and as numbers in a column of dates.", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="[Red]0.00 &quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>'
    const cells = [0, 1, 2, 3, 4].map(
      (style, i) => `<row r="${i + 2}"><c r="B${i + 2}" s="${style}"><v>46082.5</v></c></row>`,
    )
    const iso = '<row r="9"><c r="B9" t="d"><v>2026-03-01T00:00:00Z</v></c></row>'
    const file = xlsxOf({ rows: titles + cells.join("") + iso, styles })
    expect((await read(file)).values).toEqual([
      "46082.5",
      "2026-03-01",
      "2026-03-01",
      "46082.5",
      "46082.5",
      "2026-03-01",
    ])
    expect((await read(file, "date")).values).toEqual(Array.from({ length: 6 }, () => "2026-03-01"))
    const from1904 = xlsxOf({
      rows: `${titles}<row r="2"><c r="B2" s="1"><v>44620</v></c></row>`,
      styles,
      workbook:
        '<workbook><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    })
    expect((await read(from1904)).values).toEqual(["2026-03-01"])
  })

  test("It has numbers where the format of a cell is longer than any spreadsheet program allows.", async () => {
    const styles = (code: string) =>
      `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>`
    const rows = `${titles}<row r="2"><c r="B2" s="1"><v>46082</v></c></row>`
    const valueWith = async (code: string) => (await read(xlsxOf({ rows, styles: styles(code) }))).values
    expect(await valueWith(`yyyy${" ".repeat(251)}`)).toEqual(["2026-03-01"])
    expect(await valueWith(`yyyy${" ".repeat(252)}`)).toEqual(["46082"])
    // Searching the end of each bracket would take minutes.
    expect(await valueWith("[".repeat(900_000))).toEqual(["46082"])
  })

  test("It has the last value of a formula, and a fault without one.", async () => {
    const file = xlsxOf({
      rows:
        `${titles}<row r="2"><c r="B2"><f>1+1</f><v>2</v></c></row>` +
        '<row r="3"><c r="B3" t="str"><f>A1&amp;"x"</f><v>ax</v></c></row>' +
        '<row r="4"><c r="B4"><f>1+1</f></c></row><row r="5"><c r="B5"><f>1+1</f><v></v></c></row>' +
        `<row r="6">${inline("A6", "a")}<c r="B6" t="str"><f>""</f><v></v></c></row>`,
    })
    const { values, rows } = await read(file)
    expect(values).toEqual(["2", "ax", undefined, undefined, undefined])
    const message = "The cell has a formula without a value: save the file once in your spreadsheet program."
    const fault = { column: "value", field: "value", code: "FORMULA_ERROR" as const, params: {}, message }
    expect(rows.flatMap(({ faults }) => faults)).toEqual([
      { row: 4, ...fault },
      { row: 5, ...fault },
    ])
  })

  test("It has a fault where a formula has an error.", async () => {
    const rows = `${titles}<row r="2"><c r="B2" t="e"><f>A0</f><v>#REF!</v></c></row>`
    expect(await faultsOf(xlsxOf({ rows }))).toEqual([[2, "The cell has the error #REF! of a formula."]])
  })

  test("It is read from its first visible sheet.", async () => {
    const sheets = (state: string) =>
      `<workbook><sheets><sheet name="A" sheetId="1" state="${state}" r:id="rId1"/><sheet name="a > b" sheetId="2" r:id="rId2"/></sheets></workbook>`
    expect((await read(xlsxOf({ rows: titles, workbook: sheets("hidden") }))).columns[0]?.name).toBe("second")
    expect((await read(xlsxOf({ rows: titles, workbook: sheets("visible") }))).columns[0]?.name).toBe("name")
    const hidden =
      '<workbook><sheets><sheet name="A" sheetId="1" state="veryHidden" r:id="rId1"/></sheets></workbook>'
    expect(await refusal(xlsxOf({ rows: titles, workbook: hidden }))).toBe("The file has no visible sheet.")
  })

  test("It has its rows numbered as the spreadsheet shows them.", async () => {
    const rows = `<row r="3">${inline("A3", "name")}</row><row r="4"/><row r="9">${inline("A9", "a")}</row>`
    expect((await read(xlsxOf({ rows }))).rows).toEqual([{ row: 9, input: { name: "a" }, faults: [] }])
  })

  test("It may have fewer cells in a row than titles, but not more.", async () => {
    const rows = `${titles}<row r="2">${inline("A2", "a")}</row><row r="3">${inline("C3", "c")}</row><row r="4">${inline("XFD4", "z")}</row>`
    expect(await faultsOf(xlsxOf({ rows }))).toEqual([
      [3, "The row has 3 cells, but the first row has 2."],
      [4, "The row has more than 500 cells, but the first row has 2."],
    ])
  })

  test("One with too many columns or rows is refused.", async () => {
    expect(await refusal(xlsxOf({ rows: `<row r="1">${inline("XFD1", "far")}</row>` }))).toBe(
      "The file has more than 500 columns, so it cannot be read.",
    )
    const many = (count: number) =>
      xlsxOf({ rows: titles + '<row><c t="b"><v>1</v></c><c><v>1</v></c></row>'.repeat(count) })
    expect((await read(many(mostXlsxRows))).rows).toHaveLength(mostXlsxRows)
    expect(await refusal(many(mostXlsxRows + 1))).toBe(
      "The file has more than 20,000 rows. Split it into several files.",
    )
  })

  test("One that is another kind of file is refused.", async () => {
    expect(await refusal(zipSync({ "word/document.xml": strToU8("<x/>") }))).toBe(
      "The file is a ZIP file, but not an XLSX file.",
    )
    expect(
      await refusal(zipSync({ mimetype: strToU8("application/vnd.oasis.opendocument") }, { level: 0 })),
    ).toStartWith("The file is an OpenDocument file")
    expect(await refusal(strToU8("PK\x03\x04 and nothing else of a ZIP file"))).toBe(
      "The file is damaged: it is not a valid XLSX file.",
    )
    expect(await refusal(xlsxOf({ rows: "" }))).toBe("The file is empty.")
  })

  test("One with a document type is refused.", async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>'
    expect(await refusal(xlsxOf({ rows: "", more: { "xl/worksheets/sheet1.xml": strToU8(bomb) } }))).toBe(
      "The file is damaged: it is not a valid XLSX file.",
    )
  })
})

test("A text that is too long is stored once, and cut for each of its cells.", async () => {
  const strings = `<si>${"<r><t>long text </t></r>".repeat(300_000)}</si><si><t>a${"_x000A_".repeat(90_000)}</t></si>`
  const cells = `<row>${inline("A2", "x")}<c t="s"><v>0</v></c></row>`.repeat(200)
  const file = xlsxOf({ rows: `${titles}${cells}<row><c/><c t="s"><v>1</v></c></row>`, strings })
  const { rows } = await read(file)
  expect(rows).toHaveLength(201)
  expect(rows[0]?.faults).toMatchObject([
    { code: "CELL_TOO_LONG", message: "The cell has more than 100,000 characters." },
  ])
  expect(rows[200]).toMatchObject({ faults: [], input: { value: `a${"\n".repeat(90_000)}` } })
})
