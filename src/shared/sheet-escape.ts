/** What XML 1.0 does not allow in text, and the other control characters. Tab and newline stay. */
// eslint-disable-next-line no-control-regex -- these are the characters being removed
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g

/** Returns a text as XML can contain it: well-formed, without control characters, trimmed. Null when nothing is left. */
export function xmlTextOf(text: string | null): string | null {
  if (text === null) return null
  const plain = text.toWellFormed().replace(forbidden, "").trim()
  return plain === "" ? null : plain
}

/** What a spreadsheet program takes for a formula, and the escape character itself. */
const escapable = /^[=+\-@'\t\r]/

/** What `escapeText` writes. */
const escaped = /^'[=+\-@'\t\r]/

/** Marks a text that a spreadsheet program would take for a formula as text: `=1+1` becomes `'=1+1`. */
export const escapeText = (text: string): string => (escapable.test(text) ? `'${text}` : text)

/** The inverse of `escapeText`. Any other text stays as it is. */
export const unescapeText = (text: string): string => (escaped.test(text) ? text.slice(1) : text)

/**
 * A program that expects another delimiter cuts a cell at this one, and at its line breaks, because it does not see the
 * quotation mark that the cell begins with. What follows must not be a formula either. "10,-" and "10,- EUR" are none.
 */
const formula = /["']*(?:[=@]|[+-](?:[^\s,;]|[ \u00a0]+(?=[^,;\t\r\n]*[(|!=\d])[^\s,;]))/
const innerFormula = new RegExp(`([,;\\t\\r\\n])(?=${formula.source})`, "g")
const escapedInner = new RegExp(`([,;\\t\\r\\n])'(?=${formula.source})`, "g")

/** Marks a text of a CSV file: `=1+1` becomes `'=1+1`, and `a;=1+1` becomes `a;'=1+1`, with any delimiter. */
export const escapeCsv = (text: string): string => escapeText(text).replaceAll(innerFormula, "$1'")

/** The inverse of what `escapeCsv` does inside of a text. `unescapeText` does the rest. */
export const unescapeCsvInner = (text: string): string =>
  text.includes("'") ? text.replaceAll(escapedInner, "$1") : text

/** Marks a text that an XLSX file would have for an escaped character: `_x0041_` becomes `_x005F_x0041_`. */
export const escapeXlsx = (text: string): string =>
  text.includes("_x") ? text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_") : text

/** The inverse of `escapeXlsx`. Excel also writes characters in this way that XML cannot have: `_x000D_`. */
export const unescapeXlsx = (text: string): string =>
  text.includes("_x")
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text
