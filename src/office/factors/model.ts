import { type Static, Type } from "@sinclair/typebox"
import { type Body, body } from "../../core/kind/body"
import { field, required, type Given } from "../../core/kind/field"
import { secretText, text } from "../../core/kind/text-field"
import { reporter, refusalsOf } from "../../core/lib/refusal"

export const factorTypes = ["totp", "passkey"] as const
export type FactorType = (typeof factorTypes)[number]

/** Why a factor cannot be added. */
export const factorRefusals = refusalsOf({
  PASSKEYS_NOT_AVAILABLE: {
    about: "Passkeys need `--public-url` with https and a name, or `localhost`",
    de: "Passkeys brauchen eine Adresse mit https und einem Namen. Die Adresse stellen Sie mit --public-url ein.",
  },
})

const Text = Type.String()
const timeOrNull = Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time" })
const textOrNull = Type.Unsafe<string | null>({ type: ["string", "null"] })

export const Factor = Type.Object(
  {
    id: Text,
    type: Type.Unsafe<FactorType>({ type: "string", enum: [...factorTypes] }),
    name: Text,
    createdAt: Type.String({ format: "date-time" }),
    lastUsedAt: timeOrNull,
  },
  { $id: "Factor" },
)
export type Factor = Static<typeof Factor>

export const Factors = Type.Object(
  {
    factors: Type.Array(Factor),
    recoveryCodesLeft: Type.Integer(),
    isRequired: Type.Boolean({ description: "True if the settings ask this user for a second factor" }),
    offersPasskeys: Type.Boolean({ description: "True if passkeys work under the URL of this server" }),
  },
  { $id: "Factors" },
)
export type Factors = Static<typeof Factors>

export const NewTotp = Type.Object(
  {
    id: Text,
    secret: Type.String({ description: "In base 32, to type into an authenticator app; shown once" }),
    uri: Type.String({ description: "The same as `otpauth://…`, for a QR code" }),
  },
  { $id: "NewFactor" },
)
export type NewTotp = Static<typeof NewTotp>

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Text, {
      description: "Ten codes, each of which can be used once instead of a factor; shown once",
    }),
  },
  { $id: "RecoveryCodes" },
)

export const NewPasskey = Type.Composite([Factor, RecoveryCodes], { $id: "NewPasskey" })

export const Session = Type.Object(
  {
    id: Text,
    createdAt: Type.String({ format: "date-time" }),
    lastUsedAt: Type.String({ format: "date-time", description: "When it was last renewed" }),
    ip: textOrNull,
    userAgent: textOrNull,
    isCurrent: Type.Boolean(),
  },
  { $id: "OwnSession" },
)
export type Session = Static<typeof Session>

/** A one-time code, or a recovery code. */
export const code = (): Given<string> => ({
  ...text({ max: 64 }),
  schema: Type.String({
    maxLength: 64,
    description:
      "For users with a second factor: the six digits that the authenticator app shows, or a recovery code",
  }),
})

const name = () => required(text({ max: 100, examples: ["Phone"] }))
const currentPassword = () => required(secretText())

export const totpBody = body(
  {
    type: required({
      ...text({ max: 10 }),
      schema: Type.String({ enum: ["totp"] }),
      read: (value, at, errors) =>
        value === "totp"
          ? value
          : reporter(errors, at)("FORMAT", "must be totp; passkeys have routes of their own", {
              allowed: ["totp"],
            }),
    }),
    name: name(),
    currentPassword: currentPassword(),
  },
  { example: { type: "totp", name: "Phone", currentPassword: "correct horse battery" } },
)

export const confirmBody = body({ code: required(code()) }, { example: { code: "123456" } })

export const passwordOnlyBody = body(
  { currentPassword: currentPassword() },
  { example: { currentPassword: "correct horse battery" } },
)

/** What a browser returns, as the library for browsers writes it. Its content is checked when it is verified. */
const credential = (): Given<Record<string, unknown>> =>
  field("json", Type.Object({}, { additionalProperties: true }), (value, at, errors) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : reporter(errors, at)("TYPE", "must be an object", { type: "object" }),
  )

/** In bytes. The answer of a device has far less. */
const mostBytes = 32_768
const small = <T>(given: Body<T>): Body<T> => ({ ...given, mostBytes })

const answered = { id: "AQIDBA", rawId: "AQIDBA", type: "public-key", response: { clientDataJSON: "e30" } }

export const passkeyBody = small(
  body(
    { name: name(), response: required(credential()) },
    { example: { name: "Laptop", response: answered } },
  ),
)
export const passkeySignInBody = small(
  body({ response: required(credential()) }, { example: { response: answered } }),
)

/** The options for a browser, as WebAuthn defines them in JSON. */
export const PasskeyOptions = Type.Object(
  { challenge: Text },
  { $id: "PasskeyOptions", additionalProperties: true },
)
