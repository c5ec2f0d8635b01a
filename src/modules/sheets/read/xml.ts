import { damaged } from "./zip-check"

/** What is called for the parts of an XML text. Names are without their namespace. `tag` is the whole tag. */
export type XmlHandlers = {
  open(name: string, tag: string): void
  close(name: string): void
  /** A text may come in several parts. */
  text(text: string): void
}

/** No tag and no text between two tags of a table is as long. */
const longestToken = 2_000_000

const slash = 0x2f
const colon = 0x3a
const greater = 0x3e
const doubleQuote = 0x22
const singleQuote = 0x27
const exclamation = 0x21
const question = 0x3f
const cdata = "<![CDATA["
const specials = [
  ["<!--", "-->"],
  [cdata, "]]>"],
  ["<?", "?>"],
] as const

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** Replaces `&amp;`, `&#228;` and so on. Other entities do not exist in tables. */
export function decodeXml(text: string): string {
  if (!text.includes("&")) return text
  return text.replaceAll(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w{2,4}));/g, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

/** Returns a function that finds the value of an attribute in a tag. Its namespace does not matter. */
export function attribute(name: string): (tag: string) => string | null {
  const pattern = new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  return (tag) => {
    const match = pattern.exec(tag)
    return match ? decodeXml(match[1] ?? match[2] ?? "") : null
  }
}

/** Reads an XML text in parts, each in one pass. Document types are refused, because they can define entities. */
export function xmlScanner(on: XmlHandlers): (text: string) => void {
  let rest = ""
  return (text) => {
    const all = rest + text
    const end = scan(all, on)
    rest = all.slice(end)
    if (rest.length > longestToken) throw damaged()
  }
}

/** Reads the complete tags and texts. Returns where the incomplete rest begins. */
function scan(all: string, on: XmlHandlers): number {
  let at = 0
  for (;;) {
    const start = all.indexOf("<", at)
    if (start < 0) return at
    const second = all.charCodeAt(start + 1)
    const isTag = second !== exclamation && second !== question
    const end = isTag ? tagEnd(all, start) : specialEnd(all, start)
    if (end < 0) return at
    if (start > at) on.text(decodeXml(all.slice(at, start)))
    if (isTag) scanTag(all.slice(start, end), on)
    else if (all.startsWith(cdata, start)) on.text(all.slice(start + cdata.length, end - 2))
    else if (all.startsWith("<!DOCTYPE", start)) throw damaged()
    at = end + 1
  }
}

/** Where the last character of a comment, an instruction or a text with its own marks is; -1 when it is incomplete. */
function specialEnd(all: string, start: number): number {
  // Without the first characters it is not known yet which one it is.
  if (start + cdata.length > all.length) return -1
  const [opening, closing] = specials.find(([mark]) => all.startsWith(mark, start)) ?? ["<!", ">"]
  const end = all.indexOf(closing, start + opening.length)
  return end < 0 ? -1 : end + closing.length - 1
}

/** Where the `>` of a tag is. An attribute may contain one too. */
function tagEnd(all: string, start: number): number {
  let quote = 0
  for (let i = start + 1; i < all.length; i++) {
    const code = all.charCodeAt(i)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === greater) return i
    else if (code === doubleQuote || code === singleQuote) quote = code
  }
  return -1
}

/** `tag` is without its `>`. */
function scanTag(tag: string, on: XmlHandlers): void {
  const isClosing = tag[1] === "/"
  let end = isClosing ? 2 : 1
  let start = end
  for (; end < tag.length; end++) {
    const code = tag.charCodeAt(end)
    if (code <= 0x20 || code === slash) break
    if (code === colon) start = end + 1
  }
  const name = tag.slice(start, end)
  if (!isClosing) on.open(name, tag)
  if (isClosing || tag.endsWith("/")) on.close(name)
}
