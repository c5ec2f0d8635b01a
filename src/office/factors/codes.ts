import { Secret, TOTP } from "otpauth"
import { digestOf } from "../../core/lib/secret"
import { randomBytes } from "../../core/lib/random/random"

/** In seconds, with six digits and SHA-1: what every authenticator app understands. */
const period = 30
const [digits, algorithm] = [6, "SHA1"]

const totpOf = (secret: string, label = "") =>
  new TOTP({ issuer: "Kontor", label, secret: Secret.fromBase32(secret), period, digits, algorithm })

/** A secret of 160 bits in base 32. */
export const newTotpSecret = (): string => new Secret({ buffer: randomBytes("secrets", 20).buffer }).base32

/** The address that a QR code shows to an app. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * Returns the step of a code that is valid at a time: that of the time, or the one before or after it. Null if the code
 * is wrong.
 */
export function stepOf(secret: string, code: string, seconds: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: seconds * 1000, window: 1 })
  return delta === null ? null : Math.floor(seconds / period) + delta
}

/** True for text that looks like a one-time code. Apps show it in two groups. */
export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(plainCode(text))

/** A code without the characters that only make it readable. */
export const plainCode = (text: string): string => text.replaceAll(/[\s-]/g, "").toLowerCase()

const letters = "abcdefghijkmnpqrstuvwxyz23456789"
const codes = 10

/** Ten codes of 80 random bits, as `abcd-efgh-jkmn-pqrs`, without letters that look alike. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: codes }, () => {
    const text = Array.from(randomBytes("secrets", 16), (byte) => letters[byte % 32]).join("")
    return text.replaceAll(/(.{4})(?=.)/g, "$1-")
  })

/** What is stored of a recovery code. It has enough random bits to need no slow hash. */
export const recoveryDigest = (code: string): string => digestOf(`recovery ${plainCode(code)}`)
