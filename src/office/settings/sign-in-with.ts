import { Type, type TSchema } from "@sinclair/typebox"
import { boolean, type Field, field, withDefault } from "../../core/kind/field"
import { isObject, nullableSchema } from "../../core/kind/object"
import { text } from "../../core/kind/text-field"
import type { Input } from "../../core/kind/read"
import { fieldError, type FieldError, reporter } from "../../core/lib/refusal"
import { digestOf } from "../../core/lib/secret"
import { type Role, roles } from "../../shared/rights"
import { errorOfUrl, hostOf } from "../webhooks/addresses"
import { closed, objectAt } from "./mail-texts"

/** An OpenID provider with which people sign in. The secret of the client is stored apart. */
export type SignInProvider = {
  /** What the button says. */
  name: string
  issuer: string
  clientId: string
  scopes: string
  /** Creates a user for somebody who has none. */
  create: boolean
  /** Lets somebody sign in as the user with the same verified address, and remembers that. */
  joinByEmail: boolean
  /** The claim with the role, as a path with dots; null if roles are set in Kontor. */
  roleClaim: string | null
  /** The roles by the values of the claim. */
  roles: Record<string, Role>
  /** The domains of the addresses that may sign in; any if there are none. */
  domains: string[]
}

/** The same as responses show it. */
export type ShownProvider = SignInProvider & { callbackPath: string; missing: string[] }

const mostProviders = 10
const mostEntries = 50
const usualScopes = "openid email profile"

/** Names a provider in paths, and its secret. It changes with the issuer, so that no other one gets the secret. */
export const keyOf = ({ issuer, clientId }: Pick<SignInProvider, "issuer" | "clientId">): string =>
  digestOf(`${issuer}\n${clientId}`).slice(0, 16)

export const secretPathOf = (provider: Pick<SignInProvider, "issuer" | "clientId">) =>
  `signInWith.${keyOf(provider)}.clientSecret` as const

/** Where browsers begin to sign in. The provider sends them to `/callback` below it. */
export const signInPath = (provider: Pick<SignInProvider, "issuer" | "clientId">): string =>
  `/console/session/with/${keyOf(provider)}`

const discovery = "/.well-known/openid-configuration"

/** Plain http is only for a provider on this machine. */
export const isLoopback = (url: URL): boolean => ["localhost", "127.0.0.1", "::1"].includes(hostOf(url))

const issuer = text({
  max: 2_048,
  isCode: true,
  format: "uri",
  examples: ["https://login.example.com/realms/shop"],
  check: (given) => {
    const value = given.endsWith(discovery) ? given.slice(0, -discovery.length) : given
    const error = errorOfUrl(value) ?? issuerError(new URL(value))
    return error ? { error, format: "uri" } : { value }
  },
})

function issuerError(url: URL): string | null {
  if (url.search) return "must not have a query"
  return url.protocol === "https:" || isLoopback(url) ? null : "must use https, except on this machine"
}

const parts = {
  name: text({ max: 50, examples: ["Example"] }),
  issuer,
  clientId: text({ max: 500, isCode: true, examples: ["kontor"] }),
  scopes: text({
    max: 1_000,
    isCode: true,
    examples: [usualScopes],
    check: (value) => ({ value: value.split(" ").includes("openid") ? value : `openid ${value}` }),
  }),
  create: boolean(),
  joinByEmail: boolean(),
  roleClaim: text({ max: 200, isCode: true, examples: ["resource_access.kontor.roles"] }),
}
const domain = text({
  max: 253,
  isCode: true,
  check: (value) =>
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value)
      ? { value: value.toLowerCase() }
      : { error: "must be a domain such as example.com", format: "host" },
})
const requiredParts = ["name", "issuer", "clientId"] as const
const shownOnly = ["callbackPath", "missing"]
const known = [...Object.keys(parts), "roles", "domains", ...shownOnly]

function readProviders(value: unknown, at: string, errors: FieldError[]): SignInProvider[] | undefined {
  const error = reporter(errors, at)
  if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" })
  if (value.length > mostProviders)
    return error("TOO_LONG", `must have at most ${mostProviders} entries`, { max: mostProviders })
  const found = errors.length
  const providers = value.map((each, i) => readProvider(each, `${at}[${i}]`, errors))
  if (errors.length > found) return undefined
  const all = providers as SignInProvider[]
  all.forEach((provider, i) => {
    const isSame = (other: SignInProvider) => other.name === provider.name || keyOf(other) === keyOf(provider)
    if (all.findIndex(isSame) < i)
      errors.push(
        fieldError(`${at}[${i}].name`, "RULE", "has the name, or issuer and clientId, of another entry", {
          rule: "REPEATED",
        }),
      )
  })
  return errors.length > found ? undefined : all
}

function readProvider(value: unknown, at: string, errors: FieldError[]): SignInProvider | undefined {
  const given = objectAt(value, at, known, errors)
  if (!given) return undefined
  for (const name of requiredParts)
    if (given[name] == null) errors.push(fieldError(`${at}.${name}`, "REQUIRED", "is required"))
  const read = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      given[name] == null ? null : (part.read(given[name], `${at}.${name}`, errors, "create") ?? null),
    ]),
  )
  const provider = {
    ...read,
    scopes: read.scopes ?? usualScopes,
    create: read.create ?? false,
    joinByEmail: read.joinByEmail ?? false,
    roles: readRoles(given["roles"] ?? {}, `${at}.roles`, errors),
    domains: readDomains(given["domains"] ?? [], `${at}.domains`, errors),
  } as SignInProvider
  if (provider.roleClaim !== null && Object.keys(provider.roles).length === 0)
    errors.push(fieldError(`${at}.roles`, "REQUIRED", "is required with roleClaim"))
  return provider
}

function readRoles(value: unknown, at: string, errors: FieldError[]): Record<string, Role> {
  const error = reporter(errors, at)
  if (!isObject(value)) return error("TYPE", "must be an object", { type: "object" }) ?? {}
  const entries = Object.entries(value)
  if (entries.length > mostEntries || entries.some(([name]) => name.length > 200))
    return (
      error("TOO_LONG", `must have at most ${mostEntries} entries with names of 200 characters`, {
        max: mostEntries,
      }) ?? {}
    )
  for (const [name, role] of entries)
    if (!roles.some((each) => each === role))
      errors.push(
        fieldError(`${at}.${name}`, "FORMAT", `must be one of ${roles.join(", ")}`, { allowed: [...roles] }),
      )
  return Object.fromEntries(entries) as Record<string, Role>
}

function readDomains(value: unknown, at: string, errors: FieldError[]): string[] {
  const error = reporter(errors, at)
  if (!Array.isArray(value)) return error("TYPE", "must be an array", { type: "array" }) ?? []
  if (value.length > mostEntries)
    return error("TOO_LONG", `must have at most ${mostEntries} entries`, { max: mostEntries }) ?? []
  return value.flatMap((each, i) => domain.read(each, `${at}[${i}]`, errors, "create") ?? [])
}

const description =
  "The OpenID providers with which people sign in. The address of the provider is found from `issuer`. `clientSecret` is never returned: an entry without it keeps the one of the same issuer and client. Register the public URL of this server with `callbackPath` at the provider. `create` makes a user for somebody who has none, `joinByEmail` lets somebody be the user with the same verified address, but never an admin. With `roleClaim`, the role is that of its value in `roles`, at each sign-in. `domains` are those of the addresses that may sign in."

const schemaOf = (wrap: (schema: TSchema) => TSchema, more: Record<string, TSchema>) =>
  Type.Array(
    closed(
      {
        ...Object.fromEntries(
          Object.entries(parts).map(([name, { schema }]) => [
            name,
            requiredParts.some((each) => each === name) ? schema : wrap(schema),
          ]),
        ),
        roleClaim: nullableSchema({ schema: parts.roleClaim.schema, nullable: true }),
        roles: wrap(
          Type.Unsafe({ type: "object", additionalProperties: { type: "string", enum: [...roles] } }),
        ),
        domains: wrap(Type.Array(domain.schema, { maxItems: mostEntries })),
        callbackPath: Type.String({ examples: ["/console/session/with/0123456789abcdef/callback"] }),
        missing: Type.Array(Type.String(), { examples: [["clientSecret"]] }),
        ...more,
      },
      { required: [...requiredParts] },
    ),
    { maxItems: mostProviders, description },
  )

export function signInWithField(): Field<SignInProvider[], "optional", false> {
  const shown = schemaOf((schema) => schema, {})
  const given = field<SignInProvider[]>("json", shown, (value, at, errors) =>
    readProviders(value, at, errors),
  )
  const orNull = (schema: TSchema) => nullableSchema({ schema, nullable: true })
  const secret = Type.Unsafe({ type: ["string", "null"], format: "password", writeOnly: true })
  return withDefault({ ...given, givenSchema: () => schemaOf(orNull, { clientSecret: secret }) }, [])
}

export const shownProviders = (
  providers: readonly SignInProvider[],
  hasSecret: (path: string) => boolean,
): ShownProvider[] =>
  providers.map((provider) => ({
    ...provider,
    callbackPath: `${signInPath(provider)}/callback`,
    missing: hasSecret(secretPathOf(provider)) ? [] : ["clientSecret"],
  }))

/** Takes the secrets out of the entries of a body. `keep` stores the secret of an issuer and a client. */
export function withoutSecrets(
  input: Input,
  keep: (path: string, secret: unknown, at: string) => void,
): Input {
  const { signInWith } = input
  if (!Array.isArray(signInWith)) return input
  const stripped = signInWith.map((entry: unknown, i) => {
    if (!isObject(entry) || !Object.hasOwn(entry, "clientSecret")) return entry
    const { clientSecret, ...others } = entry
    const read = issuer.read(others["issuer"], "", [], "create")
    const clientId = parts.clientId.read(others["clientId"], "", [], "create")
    // What is wrong with the others is told when they are read.
    if (read && clientId)
      keep(secretPathOf({ issuer: read, clientId }), clientSecret, `signInWith[${i}].clientSecret`)
    return others
  })
  return { ...input, signInWith: stripped }
}
