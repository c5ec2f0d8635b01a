// eslint-disable-next-line no-control-regex -- these are the characters being refused
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/
// eslint-disable-next-line no-control-regex
const controlsButNewlineAndTab = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const marks = /\p{M}+/gu
/** No language writes so many; putting a run of them in order takes time that grows with the square of its length. */
const tooManyMarks = /\p{M}{9}/u
const formatCharacters = /\p{Cf}/u
// Marks and switches of direction, the zero-width space and the byte order mark. Joiners stay: Persian and Indic names need them.
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
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

const printable = /^[ -~]*$/

/** True for text of plain ASCII without control characters, which most is: nothing can be wrong with it as text. */
export const isPrintable = (value: string): boolean => printable.test(value)

/** True when a text must not be normalised: first this, then anything that is not linear. */
export const hasTooManyMarks = (value: string): boolean => tooManyMarks.test(value)

/** True when a text holds characters that are not seen and change how others are shown. */
export const hasFormatCharacters = (value: string): boolean => formatCharacters.test(value)

/** Counts characters as people do, without going through a text that is far too long for it. */
export const isLonger = (value: string, max: number): boolean =>
  value.length > 2 * max || (value.length > max && [...value].length > max)

/** What is wrong with a text as text, or null. `multiline` lets newline and tab through. */
export function errorOfText(value: string, multiline = false): string | null {
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

const longestMail = 254

/** The form in which mail addresses are compared. What cannot be one stays as it is: bringing it into form may take long. */
export const mailKey = (mail: string): string =>
  mail.length > 2 * longestMail || hasTooManyMarks(mail) ? mail : lower(tidy(mail))

/** A name without what nobody sees in it, so that two names that look alike are alike. */
export const withoutInvisible = (value: string): string => value.replace(invisible, "").trim()

/** Case and accents folded away: the form in which text is sorted and searched. */
export function fold(value: string): string {
  // eslint-disable-next-line no-control-regex -- a quick test for plain ASCII
  if (/^[\u0000-\u007f]*$/.test(value)) return value.toLowerCase()
  // Marks go before and after: what is decomposed must not hold long runs of them, and decomposing makes new ones.
  return value
    .replace(marks, "")
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(special, (letter) => letters[letter] ?? letter)
    .normalize("NFC")
}

/** The letters-and-digits words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(wordCharacters) ?? []
