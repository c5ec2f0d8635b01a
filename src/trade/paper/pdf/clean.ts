// Control characters, and invisible ones that change how the text around them is displayed. A font has no glyphs for
// them, and XML does not allow all of them. Line breaks and tabs are handled first.
// eslint-disable-next-line no-control-regex -- these are the characters being removed
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cf}|[\ufe00-\ufe0f]/gu
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const longGaps = /\n\s*\n\s*\n/g

/** Signs that the fonts lack, and what is drawn instead. */
const substitutes: Readonly<Record<string, string>> = {
  "≤": "<=",
  "≥": ">=",
  "≈": "~",
  "≠": "!=",
  "→": "->",
  "←": "<-",
  "⌀": "Ø",
  "∅": "Ø",
  "●": "•",
  "■": "•",
  "▪": "•",
  "∙": "·",
  "∆": "Δ",
  "∑": "Σ",
}
const lackingSigns = new RegExp(`[${Object.keys(substitutes).join("")}]`, "g")

/** Returns a text that can be drawn and written into metadata: well-formed, composed, without control characters. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(lineBreaks, "\n")
    .replaceAll("\t", " ")
    .replace(unprintable, "")
    .normalize("NFC")
    .replace(lackingSigns, (sign) => substitutes[sign] ?? sign)
    .replace(longGaps, "\n\n")
    .trim()

/** Cleans every text of a value, at any depth. */
export function clean<T>(value: T): T {
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleaned(part)]))
}
