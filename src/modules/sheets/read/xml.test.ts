import { describe, expect, test } from "bun:test"
import { attribute, decodeXml, xmlScanner } from "./xml"

/** What the scanner calls for a text that is given in parts. Texts that follow each other are one. */
function eventsOf(...parts: string[]): string[] {
  const events: string[] = []
  const scan = xmlScanner({
    open: (name) => void events.push(`<${name}>`),
    close: (name) => void events.push(`</${name}>`),
    text(text) {
      if (events.at(-1)?.startsWith("<") === false) events.push(`${events.pop()}${text}`)
      else events.push(text)
    },
  })
  for (const part of parts) scan(part)
  return events
}

describe("An XML text", () => {
  const xml =
    '<?xml version="1.0"?><!-- a <b> --><x:a n="1 > 0" m=\'"\'><b/>a &amp; b<![CDATA[<c>&amp;]]>ä\n<d e="f" /></x:a>'

  test("It is read as tags and texts.", () => {
    expect(eventsOf(xml)).toEqual(["<a>", "<b>", "</b>", "a & b<c>&amp;ä\n", "<d>", "</d>", "</a>"])
  })

  test("It is the same in parts of any size.", () => {
    const whole = eventsOf(xml)
    for (let size = 1; size < xml.length; size++) {
      const parts = Array.from({ length: Math.ceil(xml.length / size) }, (_, i) =>
        xml.slice(i * size, (i + 1) * size),
      )
      expect(eventsOf(...parts)).toEqual(whole)
    }
  })

  test("It must not define its own entities.", () => {
    expect(() => eventsOf('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toThrow("The file is damaged")
    expect(eventsOf("<a>&b;</a>")).toEqual(["<a>", "&b;", "</a>"])
  })

  test("One with a tag that does not end is refused before it takes much memory.", () => {
    const parts = Array.from({ length: 100 }, () => "x".repeat(100_000))
    expect(() => eventsOf("<a ", ...parts)).toThrow("The file is damaged")
    expect(() => eventsOf("<a>", ...parts)).toThrow("The file is damaged")
  })

  test("It has characters by their number.", () => {
    expect(decodeXml("&lt;&gt;&quot;&apos;&#228;&#x20ac;&#x1F600;")).toBe("<>\"'ä€😀")
    expect(decodeXml("&#x110000; &nothing; & &amp")).toBe("&#x110000; &nothing; & &amp")
  })
})

test("An attribute is found with any quotes and namespace.", () => {
  const id = attribute("id")
  expect(id('<sheet sheetId="1" r:id="rId2"')).toBe("rId2")
  expect(id("<sheet id = 'a &amp; b'/")).toBe("a & b")
  expect(id('<sheet sheetId="1"')).toBeNull()
})
