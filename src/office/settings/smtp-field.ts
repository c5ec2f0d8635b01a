import { Type, type TSchema } from "@sinclair/typebox"
import { field, type Field, choice, integer, type Given } from "../../core/kind/field"
import { isObject, nullableSchema, refuseOther, tellUnknown } from "../../core/kind/object"
import { email, text } from "../../core/kind/text-field"
import type { FieldError } from "../../core/lib/refusal"
import { errorOfUrl } from "../webhooks/addresses"

/** The server that sends mail. Its secrets are stored apart, and no response has them. */
export type Smtp = {
  host: string | null
  port: number
  security: "tls" | "starttls" | "none"
  auth: "none" | "password" | "oauth2"
  user: string | null
  oauth: { tokenUrl: string | null; clientId: string | null; scope: string | null }
  from: string | null
  fromName: string | null
  replyTo: string | null
  bcc: string | null
  perMinute: number
}

/** The same as responses show it, with the parts that are missing before anything can be sent. */
export type ShownSmtp = Smtp & { missing: string[] }

type Values = Record<string, unknown>
type Parts = Record<string, Field>

const host = text({
  max: 253,
  isCode: true,
  examples: ["smtp.example.com"],
  check: (value) =>
    /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$|^[0-9A-Fa-f:.]+$/.test(value)
      ? { value: value.toLowerCase() }
      : { error: "must be the name or the address of a server", format: "host" },
})

const tokenUrl = text({
  max: 2_048,
  isCode: true,
  format: "uri",
  examples: ["https://login.example.com/oauth2/v2.0/token"],
  check: (value) => {
    const error = errorOfUrl(value)
    return error ? { error, format: "uri" } : { value }
  },
})

const oauthParts: Parts = {
  tokenUrl,
  clientId: text({ max: 200, isCode: true }),
  scope: text({
    max: 1_000,
    isCode: true,
    examples: ["https://outlook.office.com/SMTP.Send offline_access"],
  }),
}

const parts: Parts = {
  host,
  port: integer({ min: 1, max: 65_535 }),
  security: choice(["tls", "starttls", "none"]),
  auth: choice(["none", "password", "oauth2"]),
  user: text({ max: 254, isCode: true, examples: ["shop@example.com"] }),
  from: email(),
  fromName: text({ max: 100, examples: ["Nordlicht GmbH"] }),
  replyTo: email(),
  bcc: email(),
  perMinute: integer({ min: 1, max: 1_000 }),
}

/** The secrets, by their paths in the settings. */
export const smtpSecrets = ["smtp.password", "smtp.oauth.clientSecret", "smtp.oauth.refreshToken"] as const
export type SecretPath = (typeof smtpSecrets)[number]

/** The names of secrets in an object of the settings: `["password"]` in `smtp`. */
export const secretsIn = (path: string): string[] =>
  smtpSecrets.flatMap((secret) => {
    const name = secret.slice(path.length + 1)
    return secret.startsWith(`${path}.`) && !name.includes(".") ? [name] : []
  })

const ports = { tls: 465, starttls: 587, none: 25 }

/** What responses have and bodies may send back. */
const shownOnly = ["missing"]

/** Reads the parts of an object. A missing part is that of `before`, and null removes it. */
function readParts(known: Parts, given: Values, before: Values, at: string, errors: FieldError[]): Values {
  return Object.fromEntries(
    Object.entries(known).map(([name, part]) => {
      if (!Object.hasOwn(given, name)) return [name, before[name] ?? null]
      const value = given[name] ?? null
      if (value === null || value === before[name]) return [name, value]
      return [name, part.read(value, `${at}.${name}`, errors, "update") ?? null]
    }),
  )
}

function read(
  value: unknown,
  at: string,
  errors: FieldError[],
  _: unknown,
  stored?: unknown,
): Smtp | undefined {
  if (!isObject(value)) return refuseOther(at, errors)
  const before = isObject(stored) ? stored : {}
  tellUnknown(value, [...Object.keys(parts), "oauth", ...shownOnly], errors, `${at}.`)
  const found = errors.length
  const read = readParts(parts, value, before, at, errors)
  const oauth = readOauth(value.oauth, before.oauth, `${at}.oauth`, errors)
  if (errors.length > found) return undefined
  const security = (read.security ?? "starttls") as Smtp["security"]
  return {
    ...read,
    port: read.port ?? ports[security],
    security,
    auth: read.auth ?? "password",
    oauth,
    perMinute: read.perMinute ?? 30,
  } as Smtp
}

function readOauth(value: unknown, stored: unknown, at: string, errors: FieldError[]): Smtp["oauth"] {
  const before = isObject(stored) ? stored : {}
  const none = readParts(oauthParts, {}, {}, at, errors)
  if (value === null) return none as Smtp["oauth"]
  if (value === undefined) return { ...none, ...before } as Smtp["oauth"]
  if (!isObject(value)) return (refuseOther(at, errors) ?? none) as Smtp["oauth"]
  tellUnknown(value, oauthParts, errors, `${at}.`)
  return readParts(oauthParts, value, before, at, errors) as Smtp["oauth"]
}

const secretSchema = (about: string): TSchema =>
  Type.Unsafe({
    type: ["string", "null"],
    format: "password",
    writeOnly: true,
    description: `${about} No response has it. Missing keeps it, null removes it.`,
  })

const about =
  "The server that sends mail; null for none. `missing` names what is needed before anything can be sent: after a restore, the secrets. `security: none` is only for loopback and private addresses. `perMinute` is how many messages are sent at most."

const objectSchema = (properties: Record<string, TSchema>, more: object = {}): TSchema =>
  Type.Unsafe({ type: "object", properties, additionalProperties: false, ...more })

const schemasOf = (fields: Parts): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, nullableSchema(part)]))

/** What a body may have. */
const givenSchema = (): TSchema =>
  objectSchema(
    {
      ...schemasOf(parts),
      password: secretSchema("The password of `user`."),
      oauth: Type.Unsafe({
        ...objectSchema({
          ...schemasOf(oauthParts),
          clientSecret: secretSchema("The secret of the client."),
          refreshToken: secretSchema(
            "The refresh token. Without one, the client gets tokens by its own credentials.",
          ),
        }),
        type: ["object", "null"],
      }),
      missing: Type.Array(Type.String(), { description: "Ignored." }),
    },
    { description: about },
  )

export function smtpField(): Given<Smtp> {
  const shown = objectSchema(
    {
      ...schemasOf(parts),
      oauth: objectSchema(schemasOf(oauthParts)),
      missing: Type.Array(Type.String(), { examples: [["password"]] }),
    },
    { description: about },
  )
  return {
    ...field<Smtp>("json", shown, read),
    givenSchema: () =>
      Type.Unsafe({
        ...givenSchema(),
        examples: [{ host: "smtp.example.com", user: "shop@example.com", from: "shop@example.com" }],
      }),
  }
}

/** Returns what must be set before anything can be sent, by the chosen way to sign in. */
export function missingOf(smtp: Smtp, hasSecret: (path: SecretPath) => boolean): string[] {
  const { host: server, from, user, auth, oauth } = smtp
  const needed: [string, boolean][] = [
    ["host", server !== null],
    ["from", from !== null],
  ]
  if (auth !== "none") needed.push(["user", user !== null])
  if (auth === "password") needed.push(["password", hasSecret("smtp.password")])
  if (auth === "oauth2") {
    const isKnown = hasSecret("smtp.oauth.clientSecret") || hasSecret("smtp.oauth.refreshToken")
    needed.push(["oauth.tokenUrl", oauth.tokenUrl !== null], ["oauth.clientId", oauth.clientId !== null])
    needed.push(["oauth.clientSecret", isKnown])
  }
  return needed.flatMap(([name, isSet]) => (isSet ? [] : [name]))
}
