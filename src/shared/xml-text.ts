/** What XML 1.0 does not allow in text, and the other control characters. Tab and newline stay. */
// eslint-disable-next-line no-control-regex -- these are the characters being removed
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g

/** Returns a text as XML can contain it: well-formed, without control characters, trimmed. Null when nothing is left. */
export function xmlTextOf(text: string | null): string | null {
  if (text === null) return null
  const plain = text.toWellFormed().replace(forbidden, "").trim()
  return plain === "" ? null : plain
}
