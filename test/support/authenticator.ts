import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from "node:crypto"

/** The code that an authenticator app shows for a secret, `offset` steps from now (RFC 6238, written from the standard). */
export function totp(secret: string, step: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac("sha1", key).update(counter).digest()
  const place = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

/** The codes of a secret, each of a later step than the one before. Three are valid at any time. */
export function codesOf(secret: string) {
  let last = 0
  return () => {
    // The code of the step before is refused when the next step begins.
    const left = step - (Date.now() % step)
    if (left < enough) Bun.sleepSync(left)
    last = Math.max(last + 1, Math.floor(Date.now() / step) - 1)
    return totp(secret, last)
  }
}

/** In milliseconds: how long a code is shown, and how long a test may take to type and send it. */
const [step, enough] = [30_000, 6_000]

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest()
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url")
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Uint8Array) =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value])

type Flags = { isVerified?: boolean }
type Where = { origin: string; rpId?: string }

/** A device with passkeys, as a browser uses it: ES256, without an attestation. */
export function authenticator() {
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  let uses = 0

  const dataOf = (rpId: string, more: Uint8Array, { isVerified = true }: Flags, hasKey: boolean) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++uses)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (hasKey ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more])
  }
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} }

  return {
    id: base64url(id),
    /** Lets the counter say that the device was used less often than it was, as a copy of it would. */
    rewind: () => void (uses = 0),

    /** Answers the options for a new passkey. */
    create({ challenge }: { challenge: string }, { origin, rpId = "localhost" }: Where, flags: Flags = {}) {
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ])
      const more = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text("fmt"),
        text("none"),
        text("attStmt"),
        Buffer.from([0xa0]),
        text("authData"),
        bytes(dataOf(rpId, more, flags, true)),
      ])
      const response = {
        clientDataJSON: base64url(clientData("webauthn.create", challenge, origin)),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      }
      return { ...common, response }
    },

    /** Answers the options for a sign-in. */
    get({ challenge }: { challenge: string }, { origin, rpId = "localhost" }: Where, flags: Flags = {}) {
      const data = dataOf(rpId, new Uint8Array(), flags, false)
      const client = clientData("webauthn.get", challenge, origin)
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return { ...common, response }
    },
  }
}
