import { isIP } from "node:net"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import { real } from "../../core/lib/clock"
import { randomBytes } from "../../core/lib/random/random"
import { once } from "../../core/lib/shared-runs"
import { sameSecret, signatureOf } from "../../core/lib/secret"
import type { FactorRow } from "./store"

/** Loaded by the first passkey: most starts need none of the 300 kB. */
const library = once(async () => {
  // One of its own dependencies needs it first, and the bundler leaves out its import.
  await import("reflect-metadata")
  const [server, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ])
  return { ...server, ...helpers }
})

/** Who asks for passkeys: a name, and the addresses of pages that may ask under it. */
export type RelyingParty = { id: string; isOwn: (origin: string) => boolean }

/**
 * The relying party of a server: the host of its public URL, or else `localhost`. Null if browsers have no passkeys for
 * its URL. The host of a request does not matter: another name in it must not get passkeys of this one.
 */
export function relyingPartyOf(publicUrl: string | null): RelyingParty | null {
  if (publicUrl === null) return localhost
  const { hostname, protocol, origin } = new URL(publicUrl)
  if (hostname === localhost.id) return localhost
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[")
  return protocol === "https:" && isName ? { id: hostname, isOwn: (given) => given === origin } : null
}

const localhost: RelyingParty = {
  id: "localhost",
  isOwn: (origin) => URL.canParse(origin) && new URL(origin).hostname === "localhost",
}

/** What a challenge is for. A challenge to add a passkey belongs to a session. */
export type Purpose = "sign-in" | `add ${string}`

/** In milliseconds. */
export const challengeLifetime = 5 * 60_000

/**
 * A challenge says itself when it expires and is signed, so that nothing is stored for those who only ask for one. What
 * is stored is which were answered.
 */
export function newChallenge(secret: string, purpose: Purpose): string {
  const random = Buffer.from(randomBytes("secrets", 18)).toString("base64url")
  const text = `${random}.${(real.seconds() + challengeLifetime / 1000).toString(36)}`
  return `${text}.${signatureOf(secret, `challenge ${purpose} ${text}`)}`
}

/** True for a challenge of this server for the purpose that has not expired. */
export function isChallenge(secret: string, purpose: Purpose, challenge: string): boolean {
  const [random = "", expiry = "", signature = ""] = challenge.split(".")
  const text = `${random}.${expiry}`
  return (
    sameSecret(signature, signatureOf(secret, `challenge ${purpose} ${text}`)) &&
    Number.parseInt(expiry, 36) > real.seconds()
  )
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))

type Person = { id: string; email: string; name: string }

/** Passkeys are kept on the device with their user, so that nobody types an address to sign in. */
export const optionsToAdd = async (
  { id }: RelyingParty,
  person: Person,
  challenge: string,
  known: readonly FactorRow[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: "Kontor",
    rpID: id,
    userID: bytesOf(person.id),
    userName: person.email,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    timeout: challengeLifetime,
    attestationType: "none",
    excludeCredentials: known.flatMap(({ credential }) => (credential ? [{ id: credential }] : [])),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  })

export const optionsToSignIn = async ({ id }: RelyingParty, challenge: string) =>
  (await library()).generateAuthenticationOptions({
    rpID: id,
    challenge: bytesOf(challenge),
    timeout: challengeLifetime,
    userVerification: "required",
  })

/** A passkey that a browser has made. */
export type AddedPasskey = Pick<FactorRow, "credential" | "publicKey" | "uses" | "transports">

type Given = {
  party: RelyingParty
  response: Record<string, unknown>
  isExpected: (challenge: string) => boolean
}

/** Verifies what a browser has made; null if it is not for this server, user or challenge. */
export async function verifyAdded({ party, response, isExpected }: Given): Promise<AddedPasskey | null> {
  try {
    const { isoBase64URL } = await library()
    const given = await withoutAttestation(response as unknown as RegistrationResponseJSON)
    const { verified, registrationInfo } = await (
      await library()
    ).verifyRegistrationResponse({
      response: given,
      expectedChallenge: (challenge) => isExpected(textOf(challenge)),
      expectedOrigin: originOf(party, given.response.clientDataJSON),
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified || !registrationInfo) return null
    const { id, publicKey, counter } = registrationInfo.credential
    const transports = given.response.transports?.filter((each) => typeof each === "string").slice(0, 8)
    return {
      credential: id,
      publicKey: isoBase64URL.fromBuffer(publicKey),
      uses: counter,
      transports: JSON.stringify(transports ?? []),
    }
  } catch {
    // The library throws for each of its checks. Whatever it is, the answer is not valid.
    return null
  }
}

/** Verifies what a browser has signed with a passkey, and returns its counter; null if it is not valid here. */
export async function verifyUsed(
  { party, response, isExpected }: Given,
  { credential, publicKey, uses }: FactorRow,
): Promise<number | null> {
  try {
    const { isoBase64URL } = await library()
    const given = response as unknown as AuthenticationResponseJSON
    const { verified, authenticationInfo } = await (
      await library()
    ).verifyAuthenticationResponse({
      response: given,
      expectedChallenge: (challenge) => isExpected(textOf(challenge)),
      expectedOrigin: originOf(party, given.response.clientDataJSON),
      expectedRPID: party.id,
      credential: {
        id: credential ?? "",
        publicKey: isoBase64URL.toBuffer(publicKey ?? ""),
        counter: uses ?? 0,
      },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

/**
 * Nobody asked for an attestation, so it is not looked at: the certificates in it could name addresses that the library
 * would request.
 */
async function withoutAttestation(given: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { isoBase64URL, isoCBOR } = await library()
  const decoded = isoCBOR.decodeFirst<Map<string, unknown>>(
    isoBase64URL.toBuffer(given.response.attestationObject),
  )
  const plain = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", decoded.get("authData")],
  ])
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(plain as never))
  return { ...given, response: { ...given.response, attestationObject } }
}

/** The origin that a browser names, if it is one of the relying party. */
function originOf(party: RelyingParty, clientData: string): string {
  const { origin } = JSON.parse(textOf(clientData)) as { origin?: unknown }
  if (typeof origin !== "string" || !party.isOwn(origin)) throw new Error("The origin is another one.")
  return origin
}

/** The challenge that a browser has signed; null in what is not an answer of one. */
export function challengeIn(response: Record<string, unknown>): string | null {
  try {
    const { clientDataJSON } = response["response"] as { clientDataJSON: string }
    const { challenge } = JSON.parse(textOf(clientDataJSON)) as { challenge: string }
    return textOf(challenge)
  } catch {
    return null
  }
}

const textOf = (base64: string): string => Buffer.from(base64, "base64url").toString()
