// eslint-disable-next-line no-control-regex -- these are the characters being refused
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/
// eslint-disable-next-line no-control-regex
const controlsButNewlineAndTab = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const marks = /\p{M}+/gu
const letters: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ð: "d",
  þ: "th",
  ı: "i",
}
const special = /[ßæœøđłðþı]/g
const wordCharacters = /[\p{L}\p{N}]+/gu

/** What is wrong with a text as text, or null. `multiline` lets newline and tab through. */
export function faultOfText(value: string, multiline = false): string | null {
  if (!value.isWellFormed()) return "must be well-formed Unicode"
  if ((multiline ? controlsButNewlineAndTab : controlCharacters).test(value))
    return "must not contain control characters"
  return null
}

/** In lower case, with the two small sigmas as one: the form in which text is compared ignoring case. */
export const lower = (value: string): string => value.toLowerCase().replaceAll("ς", "σ")

/** Trimmed and composed, the one form in which text is stored and compared. */
export function tidy(value: string, multiline = false): string {
  const text = value.normalize("NFC").trim()
  return multiline ? text.replaceAll("\r\n", "\n") : text
}

/** Case and accents folded away: the form in which text is sorted and searched. */
export function fold(value: string): string {
  // eslint-disable-next-line no-control-regex -- a quick test for plain ASCII
  if (/^[\u0000-\u007f]*$/.test(value)) return value.toLowerCase()
  return value
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(special, (letter) => letters[letter] ?? letter)
    .normalize("NFC")
}

/** The letters-and-digits words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(wordCharacters) ?? []
