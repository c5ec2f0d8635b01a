import { randomBytes } from "./random/random"

/** A random secret of 256 bits that is safe in a URL. */
export const newSecret = (): string => Buffer.from(randomBytes("secrets", 32)).toString("base64url")

/** A secret that no seed decides on. */
export const newRandomSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")

/** Returns the digest that is stored instead of a secret. The secret must have at least 128 random bits. */
export const digestOf = (secret: string): string => Bun.SHA256.hash(secret, "hex")

/** An HMAC of `text`, safe in a URL, and long enough to be a secret itself. */
export const signatureOf = (key: string, text: string): string =>
  signing(key).update(text).digest("base64url")

/** Signs a text that comes in parts. */
export const signing = (key: string): Bun.CryptoHasher => new Bun.CryptoHasher("sha256", key)

const left = Buffer.alloc(256)
const right = Buffer.alloc(256)

/** Compares two secrets of at most 256 bytes in constant time. */
export function sameSecret(a: string, b: string): boolean {
  if (Buffer.byteLength(a) > left.length || Buffer.byteLength(b) > right.length) return false
  const [lengthA, lengthB] = [left.fill(0).write(a), right.fill(0).write(b)]
  return crypto.timingSafeEqual(left, right) && lengthA === lengthB
}
