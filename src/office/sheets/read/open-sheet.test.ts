import { describe, expect, test } from "bun:test"
import { writeXlsx } from "hucre/xlsx"
import { bytesOf, inPieces, readSheet, refusalOf } from "../../../../test/support/sheets"
import { zipOf } from "../../../../test/support/zip"
import { openSheet } from "./open-sheet"

describe("An XLSX file", () => {
  test("It is read in pieces.", async () => {
    const rows = [["name", "value"], ...Array.from({ length: 500 }, (_, i) => [`Tür ${i}`, i])]
    const file = await writeXlsx({ sheets: [{ name: "A", rows }] })
    const { inputs } = await readSheet(file, { types: { value: "number" }, size: 1000 })
    expect(inputs).toHaveLength(500)
    expect(inputs[499]).toEqual({ name: "Tür 499", value: 499 })
  })

  test("One that would unpack to much more is refused.", async () => {
    const bomb = zipOf({ "xl/worksheets/sheet1.xml": new Uint8Array(20 * 1024 * 1024) })
    expect(await refusalOf(bomb)).toBe("The file cannot be read: it unpacks to more than 500 times its size.")
  })

  test("One with more than 8 MB is refused.", async () => {
    const file = Buffer.alloc(9 * 1024 * 1024)
    file.write("PK\x03\x04")
    expect(await refusalOf(file)).toBe("The file has more than 8 MB. Save the table as CSV and try again.")
  })
})

describe("The thread", () => {
  test("It can be closed while rows are read.", async () => {
    const sheet = openSheet(inPieces(bytesOf(`name\n${"a\n".repeat(10_000)}`)), {})
    const { format } = await sheet.head()
    for await (const batch of sheet.rows(format, [], 1)) {
      expect(batch.length).toBeGreaterThan(0)
      break
    }
    sheet.close()
    expect(sheet.head()).rejects.toThrow("The file has been closed.")
  })

  test("It reads the rows again after the first time was stopped.", async () => {
    const sheet = openSheet(inPieces(bytesOf(`name\n${"a\n".repeat(10_000)}`)), {})
    const { format } = await sheet.head()
    for await (const _ of sheet.rows(format, [], 1)) break
    let rows = 0
    for await (const batch of sheet.rows(format, [], 1)) rows += batch.length
    expect(rows).toBe(10_000)
    sheet.close()
  })

  test("It reads no further than it is asked.", async () => {
    const asked: number[] = []
    const pieces = inPieces(bytesOf(`name\n${"some text of a row\n".repeat(100_000)}`), 64 * 1024)
    const sheet = openSheet((index) => (asked.push(index), pieces(index)), {
      encoding: "utf-8",
      delimiter: ",",
    })
    const format = {
      type: "csv",
      encoding: "utf-8",
      delimiter: ",",
      decimal: ".",
      isDecimalGuessed: false,
      dateOrder: "ymd",
      isDateOrderGuessed: false,
      headingRow: 1,
    } as const
    for await (const _ of sheet.rows(format, [], 1)) {
      await Bun.sleep(100)
      break
    }
    expect(Math.max(...asked)).toBeLessThan(5)
    sheet.close()
  })

  /** A thread that never answers, and when it has ended. */
  function stuck() {
    const code = "self.onmessage = () => { for (;;); }"
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })))
    const ended = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()))
    return { threadOf: () => worker, ended }
  }

  test("One that makes no progress is ended, and the file is refused.", async () => {
    const { threadOf, ended } = stuck()
    const sheet = openSheet(inPieces(bytesOf("name\na\n")), {}, { threadOf, silent: 20 })
    await expect(sheet.head()).rejects.toMatchObject({ reason: "STUCK" })
    await ended
  })

  test("One that makes no progress is ended when it is closed.", async () => {
    const { threadOf, ended } = stuck()
    const sheet = openSheet(inPieces(bytesOf("name\na\n")), {}, { threadOf })
    const head = sheet.head()
    sheet.close()
    await expect(head).rejects.toThrow("The file has been closed.")
    await ended
  })

  test("It tells that it goes on while it unpacks.", async () => {
    const rows = [["name"], ...Array.from({ length: 15_000 }, (_, i) => [`${i} ${"long text ".repeat(20)}`])]
    const file = await writeXlsx({ sheets: [{ name: "A", rows }] })
    let told = 0
    const sheet = openSheet(
      inPieces(file),
      {},
      {
        threadOf: () => {
          const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url).href)
          worker.addEventListener("message", ({ data }) => (told += "progress" in data ? 1 : 0))
          return worker
        },
      },
    )
    await sheet.head()
    expect(told).toBeGreaterThan(1)
    sheet.close()
  })

  test("It rejects with the error of the pieces.", async () => {
    const sheet = openSheet(() => {
      throw new Error("The disk is gone.")
    }, {})
    expect(sheet.head()).rejects.toThrow("The disk is gone.")
  })
})
