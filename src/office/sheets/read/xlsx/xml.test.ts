import { describe, expect, test } from "bun:test"
import { xmlScanner, type Attributes } from "./xml"

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

function attributesOf(tag: string): Attributes {
  let found: Attributes = {}
  xmlScanner({ open: (_, attributes) => void (found = attributes) })(tag)
  return found
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

  test("One with a tag, a text or an attribute that does not end is refused before it takes much memory.", () => {
    const parts = Array.from({ length: 100 }, () => "x".repeat(100_000))
    for (const start of ["<", "<a ", '<a b="', "<a>", "<!--", "<?", "<!", "<![CDATA[", "<a>&"])
      expect(() => eventsOf(start, ...parts)).toThrow("The file is damaged")
    const attributes = Array.from({ length: 100 }, (_, i) => ` a${i}=""`.repeat(20_000))
    expect(() => eventsOf("<a", ...attributes)).toThrow("The file is damaged")
  })

  test("One with tags deep inside each other is refused.", () => {
    expect(eventsOf("<a>".repeat(100), "</a>".repeat(100))).toHaveLength(200)
    expect(() => eventsOf("<a>".repeat(101))).toThrow("The file is damaged")
    expect(eventsOf("<b>", "<a></a><a/>".repeat(1_000), "</b>")).toHaveLength(4_002)
  })

  test("It has characters by their number.", () => {
    expect(eventsOf("<a>x&lt;&gt;&quot;&apos;&#228;&#x20ac;&#x1F600;</a>")[1]).toBe("x<>\"'ä€😀")
    expect(eventsOf("<a>&nothing; & &amp</a>")[1]).toBe("&nothing; & &amp")
    expect(attributesOf("<a b='1 &amp; 2' c = \"&#228;\"/>")).toEqual({ b: "1 & 2", c: "ä" })
  })
})
