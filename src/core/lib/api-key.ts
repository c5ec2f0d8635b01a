const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const pattern = /^kon_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/**
 * `kon_<id8>_<secret32><checksum6>`: secret scanners recognize it, and a typing error is found without a database
 * lookup.
 */
export function newApiKey(): { key: string; prefix: string } {
  const prefix = `kon_${randomText(8)}`
  const body = `${prefix}_${randomText(32)}`
  return { key: body + checksumOf(body), prefix }
}

/** True when the text has the format and the checksum of a key. Such a key need not exist. */
export const isApiKey = (text: string): boolean =>
  pattern.test(text) && checksumOf(text.slice(0, -6)) === text.slice(-6)

function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text)
  let shown = ""
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) shown = digits[rest % 62] + shown
  return shown
}

function randomText(length: number): string {
  let text = ""
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      // 248 is the largest multiple of 62 in a byte; higher values would make some characters more frequent.
      if (byte < 248 && text.length < length) text += digits[byte % 62]
  return text
}
