import { randomBytes } from "node:crypto"
import { describe, expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { zipOf } from "../../../../../test/support/zip"
import { openZip } from "./zip"

const megabyte = 1024 * 1024
const damaged = "The file is damaged: it is not a valid XLSX file."
const tooLarge =
  "The file is too large: unpacked, it has more than 256 MB. Save the table as CSV and try again."

/** Where the directory entry of a file begins. */
function directoryEntry(zip: Uint8Array, name: string): number {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 1))
    if (bytes.toString("latin1", at + 46, at + 46 + name.length) === name) return at
  throw new Error(`There is no ${name}.`)
}

/** Changes a number in the directory entry of the file `a`. */
function changed(zip: Uint8Array, offset: number, value: number, bytes: 2 | 4 = 4): Uint8Array {
  const copy = new Uint8Array(zip)
  const view = new DataView(copy.buffer)
  const at = directoryEntry(copy, "a") + offset
  if (bytes === 4) view.setUint32(at, value, true)
  else view.setUint16(at, value, true)
  return copy
}

async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "It was read."
}

const opened = (zip: Uint8Array) => openZip(Buffer.from(zip))

async function textOf(zip: Uint8Array, name = "a"): Promise<string> {
  const part = (await opened(zip)).get(name)
  if (!part) throw new Error(`There is no ${name}.`)
  return (await Array.fromAsync(part())).join("")
}

describe("A ZIP file", () => {
  test("It is unpacked, packed or stored.", async () => {
    const text = "Tür ".repeat(10_000)
    expect(await textOf(zipSync({ a: strToU8(text), b: strToU8("x") }))).toBe(text)
    expect(await textOf(zipSync({ a: strToU8(text) }, { level: 0 }))).toBe(text)
    expect(await textOf(zipSync({ a: new Uint8Array() }))).toBe("")
  })

  test("One with a comment behind it is unpacked.", async () => {
    const zip = zipSync({ a: strToU8("text") }, { comment: "a comment" })
    expect(await textOf(zip)).toBe("text")
  })

  test("One that unpacks to more than 64 MB is refused.", async () => {
    const zip = changed(zipSync({ a: strToU8("text") }), 24, 65 * megabyte)
    expect(await refusal(() => opened(zip))).toBe(
      "The file is too large: unpacked, it has more than 64 MB. Save the table as CSV and try again.",
    )
  })

  test("One that unpacks to more than 256 MB in all is refused.", async () => {
    const part = zipOf({ a: randomBytes(megabyte) })
    const declared = changed(part, 24, 60 * megabyte)
    expect(await refusal(() => opened(declared))).toBe("It was read.")
    const files = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, randomBytes(megabyte)]))
    let zip = zipOf(files)
    for (const name of Object.keys(files)) {
      const copy = new Uint8Array(zip)
      new DataView(copy.buffer).setUint32(directoryEntry(copy, name) + 24, 60 * megabyte, true)
      zip = copy
    }
    expect(await refusal(() => opened(zip))).toBe(tooLarge)
  })

  test("One that is packed far too well for a table is refused.", async () => {
    expect(await refusal(() => opened(zipOf({ a: new Uint8Array(10 * megabyte) })))).toBe(
      "The file cannot be read: it unpacks to more than 500 times its size.",
    )
  })

  test("One with a file inside that is larger than it says is stopped.", async () => {
    const zip = zipOf({ a: new Uint8Array(20 * megabyte).fill(97) })
    for (const size of [0, 1, 1000, megabyte - 1]) {
      const lying = changed(zip, 24, size)
      const part = (await opened(lying)).get("a")
      let unpacked = 0
      const message = await refusal(async () => {
        if (part) for await (const text of part()) unpacked += text.length
      })
      expect(message).toBe(damaged)
      expect(unpacked).toBeLessThanOrEqual(size)
    }
  })

  test("One with a password is refused.", async () => {
    const zip = changed(zipSync({ a: strToU8("text") }), 8, 1, 2)
    expect(await refusal(() => opened(zip))).toBe(
      "The file has a password. Save it without one and try again.",
    )
  })

  test("One with numbers that cannot be true is refused.", async () => {
    const zip = zipSync({ a: strToU8("text ".repeat(100)) })
    expect(await refusal(() => textOf(changed(zip, 20, 1_000_000)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 42, 1_000_000)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 42, 5)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 10, 99, 2)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 28, 60_000, 2)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 24, 501)))).toBe(damaged)
    expect(await refusal(() => textOf(changed(zip, 24, 0xffffffff)))).toStartWith("The file is too large")
    expect(await refusal(() => opened(zip.subarray(0, zip.length - 30)))).toBe(damaged)
    expect(await refusal(() => opened(zip.subarray(0, 10)))).toBe(damaged)
  })

  test("One with a file inside that does not have its checksum is refused.", async () => {
    const zip = zipSync({ a: strToU8("some text") }, { level: 0 })
    const text = Buffer.from(zip.buffer).indexOf("some text")
    zip[text] = (zip[text] ?? 0) ^ 1
    expect(await refusal(() => textOf(zip))).toBe(damaged)
  })

  test("One whose directory names the same bytes many times is refused.", async () => {
    const zip = zipOf({ a: randomBytes(megabyte) })
    expect(await refusal(() => opened(repeated(zip, 256)))).toBe("It was read.")
    expect(await refusal(() => opened(repeated(zip, 257)))).toBe(tooLarge)
  })

  test("One with more than 10,000 files inside is refused.", async () => {
    const zip = zipSync({ a: strToU8("text") })
    expect(await refusal(() => opened(repeated(zip, 10_000)))).toBe("It was read.")
    expect(await refusal(() => opened(repeated(zip, 10_001)))).toBe(damaged)
  })

  test("One that is cut off anywhere, or has any byte changed, is read or refused with a sentence.", async () => {
    const zip = zipSync({ a: strToU8("some text of a table ".repeat(20)), b: strToU8("x") })
    for (let i = 0; i < zip.length; i++) {
      const other = new Uint8Array(zip)
      other[i] = (other[i] ?? 0) ^ 0xff
      for (const file of [zip.subarray(0, i), other]) {
        const message = await refusal(async () => {
          for (const part of (await opened(file)).values()) for await (const _ of part());
        })
        expect(message).toMatch(/^(The file |It was read)/)
      }
    }
  })

  test("One in the ZIP64 form is unpacked.", async () => {
    expect(await textOf(inZip64(zipSync({ a: strToU8("some text") }, { level: 0 })))).toBe("some text")
  })
})

/** Repeats the directory entry of the file `a`, which is the only one. */
function repeated(zip: Uint8Array, count: number): Uint8Array {
  const source = Buffer.from(zip)
  const [at, end] = [directoryEntry(zip, "a"), source.lastIndexOf("PK\x05\x06")]
  const last = Buffer.from(source.subarray(end))
  last.writeUInt16LE(count, 8)
  last.writeUInt16LE(count, 10)
  const entries = Array.from({ length: count }, () => source.subarray(at, end))
  return Buffer.concat([source.subarray(0, at), ...entries, last])
}

/** Writes the sizes of the file `a` and the end record of a ZIP file in the ZIP64 form. */
function inZip64(zip: Uint8Array): Uint8Array {
  const source = Buffer.from(zip)
  const at = directoryEntry(zip, "a")
  const end = source.indexOf("PK\x05\x06")
  const entry = Buffer.from(source.subarray(at, at + 47))
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(24)), 4)
  extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(20)), 12)
  entry.writeUInt32LE(0xffffffff, 20)
  entry.writeUInt32LE(0xffffffff, 24)
  entry.writeUInt16LE(extra.length, 30)
  const end64 = Buffer.alloc(56)
  end64.write("PK\x06\x06", 0, "latin1")
  end64.writeBigUInt64LE(1n, 32)
  end64.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.write("PK\x06\x07", 0, "latin1")
  locator.writeBigUInt64LE(BigInt(at + entry.length + extra.length), 8)
  const last = Buffer.from(source.subarray(end))
  last.writeUInt16LE(0xffff, 10)
  last.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([source.subarray(0, at), entry, extra, end64, locator, last])
}
