/** A document that was read: the path of each element with a text, such as `Invoice/cbc:ID`, and the text. */
export type ReadXml = { path: string; text: string; attributes: string }[]

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}
const tag = /<(\/?)([A-Za-z][\w:.-]*)((?: [\w:.-]+="[^"<&]*")*)>/y
/** The characters that XML 1.0 allows. */
const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

/** Reads XML as strictly as Kontor writes it: no comments, no empty elements, five entities. Throws on anything else. */
export function readXml(xml: string): ReadXml {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!xml.startsWith(declaration)) throw new Error("The declaration is missing.")
  if (!allowed.test(xml)) throw new Error("A character is not allowed.")
  const found: ReadXml = []
  const open: string[] = []
  let attributes = ""
  let at = declaration.length
  while (at < xml.trimEnd().length) {
    tag.lastIndex = at
    const [whole, slash, name = "", given = ""] = tag.exec(xml) ?? []
    if (whole === undefined) throw new Error(`No tag at ${at}: ${xml.slice(at, at + 40)}`)
    if (slash && open.pop() !== name) throw new Error(`${name} closes another element at ${at}.`)
    if (!slash) open.push(name)
    attributes = slash ? "" : given
    at += whole.length
    const next = xml.indexOf("<", at)
    const text = plain(xml.slice(at, next < 0 ? xml.length : next))
    if (text.trim() !== "") {
      if (slash) throw new Error(`Text after ${name} at ${at}.`)
      found.push({ path: open.join("/"), text, attributes })
    }
    at += next < 0 ? xml.length : next - at
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join(", ")}`)
  return found
}

/** Replaces the entities. */
function plain(text: string): string {
  if (/[<>]/.test(text)) throw new Error(`Not escaped: ${text}`)
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = entities[entity]
    if (character === undefined) throw new Error(`Unknown entity: ${entity}`)
    return character
  })
}

/** Returns the texts of the elements whose path ends so. */
export const textsAt = (xml: ReadXml, end: string): string[] =>
  xml.flatMap(({ path, text }) => (path.endsWith(end) ? [text] : []))
