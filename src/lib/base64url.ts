// One buffer for all of it: a new one for every text would keep the garbage collector busy.
const scratch = Buffer.alloc(4096)

/** Text as base64 that is safe in a URL. */
export const toBase64Url = (text: string): string =>
  text.length * 3 > scratch.length
    ? Buffer.from(text).toString("base64url")
    : scratch.toString("base64url", 0, scratch.write(text))

/** The text that `toBase64Url` was given; of anything else, some text or other. */
export const fromBase64Url = (encoded: string): string =>
  encoded.length > scratch.length
    ? Buffer.from(encoded, "base64url").toString()
    : scratch.toString("utf8", 0, scratch.write(encoded, "base64url"))
