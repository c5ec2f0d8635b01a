import { timingSafeEqual } from "node:crypto"

/** A random secret of 256 bits that is safe in a URL. */
export const newSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")

/** What is stored instead of a secret that has 128 or more random bits. */
export const digestOf = (secret: string): string =>
  new Bun.CryptoHasher("sha256").update(secret).digest("hex")

/** An authentication code over `text`, safe in a URL; 16 bytes are enough to sign, 32 to be a secret itself. */
export const signatureOf = (key: string, text: string, bytes = 16): string =>
  new Bun.CryptoHasher("sha256", key).update(text).digest().subarray(0, bytes).toString("base64url")

/** Compares two secrets in a time that tells nothing about where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
