import { xmlTextOf } from "../../../shared/sheet-escape"

/** Bun escapes a megabyte of the reserved characters in some milliseconds. Old programs know only decimal references. */
const escaped = (text: string): string => Bun.escapeHTML(text).replaceAll("&#x27;", "&#39;")

/** Writes an element with a text. An absent text gives no element: empty elements are invalid in an e-invoice. */
export function textElement(name: string, text: string | null, attributes = ""): string {
  const clean = xmlTextOf(text)
  return clean === null ? "" : `<${name}${attributes}>${escaped(clean)}</${name}>`
}

/** Writes an element around others. Without content it is left out. */
export const group = (name: string, content: string): string =>
  content === "" ? "" : `<${name}>${content}</${name}>`
