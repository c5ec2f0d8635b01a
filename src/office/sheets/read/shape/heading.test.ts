import { describe, expect, test } from "bun:test"
import { readSheet, refusalOf } from "../../../../../test/support/sheets"
import { titleForm } from "../../title-form"

const known = ["Artikelnummer", "Bezeichnung", "VK", "Name", "PLZ", "Ort"].map(titleForm)

/** The number of the row with the titles, the titles, and the rows below. */
async function found(file: string, given = {}) {
  const { format, columns, rows, beginning } = await readSheet(file, { given, known })
  return {
    row: format.headingRow,
    delimiter: format.delimiter,
    titles: columns.map(({ name }) => name),
    rows: rows.map(({ row }) => row),
    beginning,
  }
}

describe("The row of the titles", () => {
  const list =
    "Preisliste 2026\r\nStand: 1.3.2026; netto\r\n\r\nNr;Bezeichnung;VK\r\nA-1;Stuhl;12,50\r\nA-2;Tisch;99,00\r\n"

  test("It is the one with the most known titles, and rows above it are no records.", async () => {
    expect(await found(list)).toMatchObject({
      row: 4,
      delimiter: ";",
      titles: ["Nr", "Bezeichnung", "VK"],
      rows: [5, 6],
    })
  })

  test("It is below a single text, also if no title is known.", async () => {
    const file = "My shop\nfoo,bar,baz\n1,2,3\n4,5,6\n"
    expect(await found(file)).toMatchObject({ row: 2, titles: ["foo", "bar", "baz"], rows: [3, 4] })
    expect(await found(`My shop,,\n${file.slice(8)}`)).toMatchObject({ row: 2, rows: [3, 4] })
  })

  test("It is the first row otherwise: data may look like titles.", async () => {
    expect(await found("Name,Note\nVK,Ort\nPLZ,Name\n")).toMatchObject({ row: 1, rows: [2, 3] })
    expect(await found("Name\nMeier, Eva\nMüller, Ida\n")).toMatchObject({ row: 1 })
    expect(await found("x,y\n1,2\n")).toMatchObject({ row: 1, rows: [2] })
  })

  test("It can be given, and the first rows of the file are shown to choose it.", async () => {
    const { row, titles, beginning } = await found(list, { headingRow: 1 })
    expect({ row, titles }).toEqual({ row: 1, titles: ["Preisliste 2026"] })
    expect(beginning.slice(0, 3)).toEqual([
      { row: 1, cells: ["Preisliste 2026"] },
      { row: 2, cells: ["Stand: 1.3.2026", "netto"] },
      { row: 4, cells: ["Nr", "Bezeichnung", "VK"] },
    ])
    expect(await refusalOf(list, { given: { headingRow: 50 } })).toBe(
      "The file has no titles in row 50: it has fewer rows.",
    )
  })

  test("It is found in rows of megabytes, of which only a part is shown.", async () => {
    const wide = Array.from({ length: 500 }, () => "x".repeat(1_900)).join(";")
    const { row, beginning } = await found(`${`${wide}\n`.repeat(30)}`)
    expect(row).toBe(1)
    expect(JSON.stringify(beginning).length).toBeLessThan(10_000)
  })
})

describe("Rows of sums at the end", () => {
  const file = "Nr;VK\nA;1\nSumme;1\nB;2\nSumme;3\nMwSt 19 %;1\nGesamt;4\n"

  test("They are marked on request, but not those with rows below.", async () => {
    const { rows } = await readSheet(file, { known, marksTotals: true })
    expect(rows.map(({ row, total }) => [row, total])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, undefined],
      [5, "Summe · 3"],
      [6, "MwSt 19 % · 1"],
      [7, "Gesamt · 4"],
    ])
    const plain = await readSheet(file, { known })
    expect(plain.rows.every(({ total }) => total === undefined)).toBeTrue()
  })

  test("The only row of a file is none.", async () => {
    const { rows } = await readSheet("Name;VK\nTotal;5\n", { marksTotals: true })
    expect(rows).toMatchObject([{ row: 2 }])
    expect(rows[0]).not.toHaveProperty("total")
  })
})
