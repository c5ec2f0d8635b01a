import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readData } from "./data"

const folder = mkdtempSync(join(tmpdir(), "kontor-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

const written = async (text: string): Promise<string> => {
  const file = join(folder, `${Bun.hash(text)}.ndjson`)
  await Bun.write(file, text)
  return file
}

describe("The file of a demo", () => {
  test("is read as lines, also without a line feed at its end.", async () => {
    const texts = async (text: string) =>
      readData(await written(text)).lines.map((line) => new TextDecoder().decode(line))
    expect(await texts("{}\n\nÄ")).toEqual(["{}", "", "Ä"])
    expect(await texts("{}\n")).toEqual(["{}"])
    expect(await texts("")).toEqual([])
  })

  test("may have a largest size and number of lines, also if it has no end.", async () => {
    const many = await written("\n".repeat(50_001))
    expect(() => readData(many)).toThrow("more than 50000 lines")
    expect(() => readData("/dev/zero")).toThrow("/dev/zero is larger than 16 MiB")
    expect(() => readData(folder)).toThrow(`${folder} cannot be read`)
    expect(() => readData(join(folder, "none"))).toThrow("cannot be read")
  })
})
