import { describe, expect, test } from "bun:test"
import type { Delimiter } from "../model"
import { addDecimalVote, decimalOf as decimalOfColumns } from "./numbers"
import { SheetError } from "./sheet-error"
import { sniff, recognizeDelimiter } from "./recognize"

const delimiterOf = (...lines: string[]) => recognizeDelimiter(lines.join("\r\n"), true)

describe("The delimiter", () => {
  test("It is recognized by the number of cells.", () => {
    expect(delimiterOf("a,b", "1,2")).toBe(",")
    expect(delimiterOf("a;b", "1;2")).toBe(";")
    expect(delimiterOf("a\tb", "1\t2")).toBe("\t")
    expect(delimiterOf("a;b")).toBe(";")
  })

  test("It is not a comma in numbers or titles.", () => {
    expect(delimiterOf("price;stock", "1,50;3", "2,50;4")).toBe(";")
    expect(delimiterOf("price, net;price, gross", "1,50;1,80", "2,50;2,80")).toBe(";")
    expect(delimiterOf("price\tstock", "1,50\t3,0")).toBe("\t")
  })

  test("It is not a sign inside quotes.", () => {
    expect(delimiterOf('"a;b;c",d', '"1;2;3",4', '"x ""y;"" z;",5')).toBe(",")
    expect(delimiterOf('"a, b\nc, d";e', "1;2")).toBe(";")
  })

  test("It is recognized although an inch sign is in a row.", () => {
    expect(delimiterOf("size;name", '3/4";Rohr, lang', '1";Rohr, kurz')).toBe(";")
  })

  test("It is recognized although a few rows have another number of cells.", () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i};${i},5`)
    expect(delimiterOf("a;b", ...rows, "1;2;3", "just text, and, commas")).toBe(";")
  })

  test("In a file with one column, it is a sign that the values do not have.", () => {
    expect(delimiterOf("price", "12,50", "13,50")).toBe(";")
    expect(delimiterOf("name", "a", "b")).toBe(",")
  })

  test("It is recognized by a part of a file, whose last line is not complete.", () => {
    expect(recognizeDelimiter("a;b\n1;2\n3", false)).toBe(";")
  })
})

describe("The decimal sign", () => {
  const decimalOf = (cells: string[], delimiter: Delimiter | null = ";") => {
    const decimals = { ".": 0, ",": 0 }
    for (const cell of cells) addDecimalVote(decimals, cell)
    return decimalOfColumns([{ decimals }], delimiter, {}).decimal
  }

  test("It is certain in a number with both signs, or twice the same.", () => {
    expect(decimalOf(["1.234,56"], ",")).toBe(",")
    expect(decimalOf(["1,234.56"])).toBe(".")
    expect(decimalOf(["-1'234.50"])).toBe(".")
    expect(decimalOf(["1 234,50"], ",")).toBe(",")
    expect(decimalOf(["1.234.567"], ",")).toBe(",")
    expect(decimalOf(["1,234,567"])).toBe(".")
    expect(decimalOf(["1,23,456"])).toBe(".")
  })

  test("It is the only sign when it is not between thousands.", () => {
    expect(decimalOf(["12,50"], ",")).toBe(",")
    expect(decimalOf(["12.5"])).toBe(".")
    expect(decimalOf(["0.125"])).toBe(".")
    expect(decimalOf(["1234.567"])).toBe(".")
    expect(decimalOf(["0,125"], ",")).toBe(",")
  })

  test("It is the one of most numbers.", () => {
    expect(decimalOf(["12,50", "13,50", "1.5", "2026-03-01", "01.03.2026"])).toBe(",")
    expect(decimalOf(["1.5", "2.5", "3.5", "1.234,56"])).toBe(",")
  })

  test("It is the usual one of the delimiter when the numbers do not tell.", () => {
    for (const cells of [[], ["1,234"], ["1.234"], ["12", "a", "01.03.2026", "+49 30 123.456"]]) {
      expect(decimalOf(cells, ";")).toBe(",")
      expect(decimalOf(cells, ",")).toBe(".")
      expect(decimalOf(cells, "\t")).toBe(".")
      expect(decimalOf(cells, null)).toBe(".")
    }
  })
})

describe("The type of a file", () => {
  const sniffed = (bytes: string | number[]) =>
    sniff(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : Uint8Array.from(bytes))

  test("It is recognized by its first bytes.", () => {
    expect(sniffed("PK\x03\x04\x14\x00")).toBe("xlsx")
    expect(sniffed("a;b\n1;2\n")).toBe("csv")
    expect(sniffed("BMW;Audi\nGIF;Bild\n")).toBe("csv")
    expect(sniff(Buffer.from("\ufeffa;b", "utf16le"))).toBe("csv")
    expect(sniff(Buffer.from("a;b\nc;d", "utf16le"))).toBe("csv")
  })

  test("It is no table for other files.", () => {
    const others: [string | number[], string][] = [
      ["", "The file is empty."],
      [" \r\n\t", "The file is empty."],
      [[0xef, 0xbb, 0xbf], "The file is empty."],
      [[0xff, 0xfe], "The file is empty."],
      ["%PDF-1.7", "The file is a PDF"],
      ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "The file is an old Excel file"],
      ["\x89PNG\r\n\x1a\n", "The file is an image"],
      ["\xff\xd8\xff\xe0", "The file is an image"],
      ["GIF89a", "The file is an image"],
      ["\x1f\x8b\x08", "The file is compressed"],
      ["text\x00with\x01binary\x02", "The file is not a table"],
      ["\n<!DOCTYPE html><table>", "The file is a web page"],
      ["<?xml version='1.0'?>", "The file is a web page"],
    ]
    for (const [bytes, sentence] of others) {
      const type = sniffed(bytes)
      expect(type instanceof SheetError ? type.message : type).toStartWith(sentence)
    }
  })
})
