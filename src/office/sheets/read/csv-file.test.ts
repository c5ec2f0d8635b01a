import { describe, expect, test } from "bun:test"
import { bytesOf, readSheet, refusalOf } from "../../../../test/support/sheets"
import { isLong } from "../../../../test/support/long"
import { mostColumns, mostCsvRows } from "./limits"

describe("A CSV file", () => {
  test("One of Excel in German has its numbers, dates and umlauts.", async () => {
    const text =
      "Artikelnummer;Bezeichnung;Preis;Seit\r\nA-1;Tür groß;1.234,56;01.03.2026\r\nA-2;Öl;12,5;1.4.26\r\n"
    const { format, inputs, columns } = await readSheet(Buffer.from(text, "latin1"), {
      types: { Preis: "number", Seit: "date" },
    })
    expect(format).toEqual({
      type: "csv",
      encoding: "windows-1252",
      delimiter: ";",
      decimal: ",",
      isDecimalGuessed: false,
      dateOrder: "dmy",
      isDateOrderGuessed: true,
      headingRow: 1,
    })
    expect(inputs).toEqual([
      { Artikelnummer: "A-1", Bezeichnung: "Tür groß", Preis: 1234.56, Seit: "2026-03-01" },
      { Artikelnummer: "A-2", Bezeichnung: "Öl", Preis: 12.5, Seit: "2026-04-01" },
    ])
    expect(columns[1]).toMatchObject({ name: "Bezeichnung", samples: ["Tür groß", "Öl"] })
  })

  test("It is the same in UTF-8 and UTF-16, with a byte order mark and without.", async () => {
    const text = "name,note\nTür,10 €\nÖl,ok\n"
    const little = Buffer.from(text, "utf16le")
    const files: [string, Uint8Array][] = [
      ["utf-8", bytesOf(text)],
      ["utf-8", bytesOf(`\ufeff${text}`)],
      ["utf-16le", Buffer.from(`\ufeff${text}`, "utf16le")],
      ["utf-16be", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
      ["utf-16le", little],
      ["utf-16be", Buffer.from(little).swap16()],
    ]
    for (const [encoding, file] of files) {
      const { format, inputs } = await readSheet(file)
      expect(format.encoding).toBe(encoding as "utf-8")
      expect(inputs).toEqual([
        { name: "Tür", note: "10 €" },
        { name: "Öl", note: "ok" },
      ])
    }
  })

  test("One that is Windows-1252 only in its last row is recognized.", async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `Schraube ${i};${i}`)
    const file = Buffer.from(`name;no\n${rows.join("\n")}\nTür;1\n`, "latin1")
    const { format, inputs } = await readSheet(file)
    expect(format.encoding).toBe("windows-1252")
    expect(inputs.at(-1)).toEqual({ name: "Tür", no: "1" })
  })

  test("One that is not in the given encoding is refused.", async () => {
    const file = Buffer.from("name\nTür\n", "latin1")
    expect(await refusalOf(file, { given: { encoding: "utf-8" } })).toBe(
      "The file has characters that are not UTF-8. Choose another encoding.",
    )
  })

  test("It can have quotes, delimiters and line breaks in its fields.", async () => {
    const { inputs, rows } = await readSheet('name,note\n"a ""b"", c","first\r\nsecond"\nRohr 3/4",x\n')
    expect(inputs).toEqual([
      { name: 'a "b", c', note: "first\r\nsecond" },
      { name: 'Rohr 3/4"', note: "x" },
    ])
    expect(rows.map(({ row }) => row)).toEqual([2, 3])
  })

  test("It is read in pieces of any size.", async () => {
    const text = 'name;note\r\n"Tür; €";"1\r\n2"\r\n\r\nÖl;ü\r\n'
    for (const size of [5, 6, 7, 11]) {
      const { inputs } = await readSheet(text, { size })
      expect(inputs).toEqual([
        { name: "Tür; €", note: "1\r\n2" },
        { name: "Öl", note: "ü" },
      ])
    }
  })

  test("It has its rows numbered as in a spreadsheet, and empty rows left out.", async () => {
    const { rows } = await readSheet("\n\nname,note\n\na,1\n,\nb,2\n\n")
    expect(rows).toEqual([
      { row: 5, input: { name: "a", note: "1" }, faults: [] },
      { row: 7, input: { name: "b", note: "2" }, faults: [] },
    ])
  })

  test("It is read from a row on.", async () => {
    const { rows } = await readSheet("name\na\nb\nc\n", { from: 3 })
    expect(rows.map(({ row, input }) => [row, input])).toEqual([
      [3, { name: "b" }],
      [4, { name: "c" }],
    ])
  })

  test("It can name its delimiter in the first line, as Excel does.", async () => {
    const { format, rows } = await readSheet("sep=;\r\nname, first;note\r\na;1\r\n")
    expect(format.delimiter).toBe(";")
    expect(rows).toEqual([{ row: 2, input: { "name, first": "a", note: "1" }, faults: [] }])
    expect(await refusalOf("sep=|\nname|note\n")).toStartWith('The first line says that "|"')
  })

  test("It uses what is given instead of what would be recognized.", async () => {
    const { format, inputs } = await readSheet("name;price\na;1,234\n", {
      given: { decimal: ".", delimiter: ";", dateOrder: "mdy", encoding: "windows-1252" },
      types: { price: "number" },
    })
    expect(format).toEqual({
      type: "csv",
      encoding: "windows-1252",
      delimiter: ";",
      decimal: ".",
      isDecimalGuessed: false,
      dateOrder: "mdy",
      isDateOrderGuessed: false,
      headingRow: 1,
    })
    expect(inputs).toEqual([{ name: "a", price: 1234 }])
  })

  test("It can have 300 columns, but not more than 500.", async () => {
    const columns = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join(",")
    const { inputs } = await readSheet(`${columns(300)}\n${columns(300)}\n`)
    expect(Object.keys(inputs[0] ?? {})).toHaveLength(300)
    expect(await refusalOf(`${columns(mostColumns + 1)}\n`)).toBe(
      "The file has more than 500 columns, so it cannot be read.",
    )
  })

  test("It has a name for each column.", async () => {
    const { columns } = await readSheet("name,,name, name ,\na,b,c,d,e\n")
    expect(columns.map(({ name }) => name)).toEqual(["name", "B", "name (2)", "name (3)", "E"])
  })

  test("It may have fewer cells in a row than titles, but not more.", async () => {
    const { rows } = await readSheet("name,note\na\nb,1,2\nc,3,,\n")
    expect(rows).toEqual([
      { row: 2, input: { name: "a" }, faults: [] },
      {
        row: 3,
        input: { name: "b", note: "1" },
        faults: [
          {
            row: 3,
            column: null,
            field: null,
            code: "TOO_MANY_CELLS",
            params: { cells: 3, titles: 2 },
            message: "The row has 3 cells, but the first row has 2.",
          },
        ],
      },
      { row: 4, input: { name: "c", note: "3" }, faults: [] },
    ])
  })

  test("It has faults with row, column and field.", async () => {
    const { rows } = await readSheet("name,price\na,12x\n", { types: { price: "number" } })
    expect(rows[0]).toEqual({
      row: 2,
      input: { name: "a" },
      faults: [
        {
          row: 2,
          column: "price",
          field: "price",
          code: "NOT_A_NUMBER",
          params: { value: "12x" },
          message: '"12x" is not a number.',
        },
      ],
    })
  })

  test("It builds objects of fields with a point, and nothing of names that objects inherit.", async () => {
    const { inputs } = await readSheet(
      "address.city,address.street,__proto__.polluted,constructor,address.__proto__.x\nBonn,Weg 1,yes,yes,yes\n",
    )
    expect(inputs).toEqual([{ address: { city: "Bonn", street: "Weg 1" } }])
    expect(Object.keys({})).toEqual([])
    expect("polluted" in {}).toBe(false)
  })

  test("One whose quotation mark is never closed is refused with the row.", async () => {
    expect(await refusalOf('name,note\na,1\nb,"2\nc,3\n')).toBe(
      "A quotation mark is opened in row 3 and never closed.",
    )
    const long = `name,note\na,1\nb,"2\n${"c,3\n".repeat(1_000_000)}`
    expect(await refusalOf(long)).toBe(
      "Row 3 is too long: perhaps a quotation mark is opened in it and never closed.",
    )
  })

  test("One whose rows do not end is refused with the row, without having them in memory.", async () => {
    const commas = `name\na\n${",".repeat(3_000_000)}\n`
    expect(await refusalOf(commas, { given: { delimiter: "," } })).toStartWith("Row 3 is too long")
    const quotes = `name\na\n${`${",".repeat(1000)}"\n"`.repeat(3_000)}\n`
    expect(await refusalOf(quotes, { given: { delimiter: "," } })).toStartWith("Row 3 is too long")
  })

  // 20 seconds, because an empty row takes 20 µs.
  if (isLong)
    test("One with too many empty rows is refused.", async () => {
      expect(await refusalOf(`name\n${"\n".repeat(1_100_000)}`)).toStartWith(
        "The file has more than 1,048,576 rows.",
      )
    })

  test("One with a cell that is too long has a fault.", async () => {
    const { faults } = await readSheet(`name\n${"x".repeat(100_001)}\n${"x".repeat(100_000)}\n`)
    expect(faults.map(({ row, message }) => [row, message])).toEqual([
      [2, "The cell has more than 100,000 characters."],
    ])
  })

  test("One with too many rows is refused.", async () => {
    const file = `name\n${"a\n".repeat(mostCsvRows)}`
    expect((await readSheet(file)).rows).toHaveLength(mostCsvRows)
    expect(await refusalOf(`${file}a\n`)).toBe(
      "The file has more than 100,000 rows. Split it into several files.",
    )
  })

  test("One that is empty or not a table is refused.", async () => {
    expect(await refusalOf("")).toBe("The file is empty.")
    expect(await refusalOf("\ufeff")).toBe("The file is empty.")
    expect(await refusalOf("\r\n \r\n")).toBe("The file is empty.")
    expect(await refusalOf("%PDF-1.7\n%âãÏÓ\n")).toStartWith("The file is a PDF")
  })
})
