import { describe, expect, test } from "bun:test"
import { writeXlsx } from "hucre/xlsx"
import { bytesOf, inPieces } from "../../../../test/support/sheets"
import { readHead } from "./head"

/** The number of rows that the head of a file tells. */
async function rowsOf(file: Uint8Array, size?: number): Promise<number> {
  const pieces = inPieces(file, size)
  return (await readHead(async (index) => pieces(index), {})).rows
}

const lines = (n: number, line: (i: number) => string, end = "\n") =>
  `code,name${end}${Array.from({ length: n }, (_, i) => line(i)).join(end)}`

describe("The head of a file tells the number of its rows, exactly for a short file", () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
  const simple = (i: number) => `A-${i},Tür`
  const files: [string, Uint8Array, number][] = [
    ["titles only", bytesOf("code,name\n"), 0],
    ["a short file with line breaks in cells", bytesOf(lines(3, (i) => `${i},"a\nb"`)), 3],
    ["a file without a line break at its end", bytesOf(lines(5_000, simple)), 5_000],
    ["a file with a line break at its end", bytesOf(`${lines(5_000, simple)}\n`), 5_000],
    ["line breaks of Windows", bytesOf(lines(5_000, simple, "\r\n")), 5_000],
    ["line breaks of old Macintosh computers", bytesOf(lines(5_000, simple, "\r")), 5_000],
    ["UTF-16", utf16(lines(5_000, simple, "\r\n")), 5_000],
    ["UTF-16 with letters whose bytes look like line breaks", utf16(lines(5_000, () => "ਊ,ഊ")), 5_000],
    ["Windows-1252", Buffer.from(lines(5_000, simple), "latin1"), 5_000],
    ["line breaks in the cells of each row", bytesOf(lines(5_000, (i) => `${i},"a\nb\r\nc"`)), 5_000],
    ["an empty line after each row", bytesOf(lines(5_000, (i) => `${i},a\n`)), 5_000],
  ]
  test.each(files)("%s", async (_, file, rows) => {
    const found = await rowsOf(file, 1_001)
    expect(Math.abs(found - rows)).toBeLessThanOrEqual(rows / 1_000)
  })

  test("XLSX", async () => {
    const rows = [["code", "name"], ...Array.from({ length: 3_000 }, (_, i) => [`A-${i}`, "x"])]
    expect(await rowsOf(await writeXlsx({ sheets: [{ name: "A", rows }] }))).toBe(3_000)
  })
})

describe("The head of a file refuses too many rows, which is certain only after they are counted", () => {
  test("100,001 rows are refused.", async () => {
    const refused = "The file has more than 100,000 rows. Split it into several files."
    await expect(rowsOf(bytesOf(lines(100_001, (i) => `${i},"x"`)))).rejects.toThrow(refused)
  })

  test("60,000 rows of two lines each are not refused, and neither are 100,000 rows with empty lines.", async () => {
    expect(await rowsOf(bytesOf(lines(60_000, (i) => `${i},"a\nb"`)))).toBe(60_000)
    expect(await rowsOf(bytesOf(`${lines(100_000, (i) => `${i},a`)}\n\n\n,\n`))).toBe(100_000)
  })

  test("20,001 rows of an XLSX file are refused.", async () => {
    const rows = Array.from({ length: 20_002 }, (_, i) => [`A-${i}`])
    const file = await writeXlsx({ sheets: [{ name: "A", rows }] })
    await expect(rowsOf(file)).rejects.toThrow("more than 20,000 rows")
  })
})
