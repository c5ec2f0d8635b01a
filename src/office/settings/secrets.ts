import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import { isObject } from "../../core/kind/object"
import type { Input } from "../../core/kind/read"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import type { Changes } from "../../core/write/writer"
import { secretPathOf, type SignInProvider, withoutSecrets } from "./sign-in-with"
import { type SecretPath as SmtpSecret, secretsIn, smtpSecrets } from "./smtp-field"

/** Where a secret is in the settings. */
export type SecretPath = SmtpSecret | `signInWith.${string}`

/** In characters. Tokens of some providers have more than 2,000. */
const longestSecret = 8_000

/** The secrets of a body: null removes one. Those that it leaves out stay. */
export type GivenSecrets = Partial<Record<SecretPath, string | null>>

/** Takes the secrets out of a body that updates the settings, so that nothing else sees them. */
export function takeSecrets(whole: Input): { input: Input; secrets: GivenSecrets; errors: FieldError[] } {
  const secrets: GivenSecrets = {}
  const errors: FieldError[] = []
  const keep = (path: string, value: unknown, at: string): void => {
    const secret = readSecret(value, at, errors)
    if (secret !== undefined) secrets[path as SecretPath] = secret
  }
  const input = withoutSecrets(whole, keep)
  const strip = (value: unknown, path: string): unknown => {
    if (!isObject(value)) return value
    const names = secretsIn(path)
    for (const name of names)
      if (Object.hasOwn(value, name)) {
        const secret = readSecret(value[name], `${path}.${name}`, errors)
        if (secret !== undefined) secrets[`${path}.${name}` as SecretPath] = secret
      }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) =>
        names.includes(name) ? [] : [[name, strip(part, `${path}.${name}`)]],
      ),
    )
  }
  if (!Object.hasOwn(input, "smtp")) return { input, secrets, errors }
  const { smtp } = input
  // Without a server, its secrets are useless.
  if (smtp === null) for (const path of smtpSecrets) secrets[path] = null
  if (isObject(smtp) && smtp.oauth === null)
    for (const path of smtpSecrets) if (path.startsWith("smtp.oauth.")) secrets[path] = null
  return { input: { ...input, smtp: strip(smtp, "smtp") }, secrets, errors }
}

function readSecret(value: unknown, at: string, errors: FieldError[]): string | null | undefined {
  if (value === null) return null
  if (typeof value !== "string")
    return void errors.push(fieldError(at, "TYPE", "must be a string", { type: "string" }))
  if (value === "") return void errors.push(fieldError(at, "TOO_SHORT", "must not be empty", { min: 1 }))
  if (value.length > longestSecret)
    return void errors.push(
      fieldError(at, "TOO_LONG", `must be at most ${longestSecret} characters long`, { max: longestSecret }),
    )
  // eslint-disable-next-line no-control-regex -- these are the characters being refused
  if (!value.isWellFormed() || /[\u0000-\u001f\u007f]/.test(value))
    return void errors.push(
      fieldError(at, "FORMAT", "must not contain control characters", { format: "no-control-characters" }),
    )
  return value
}

/** Removes the secrets of providers that the settings do not have any more. */
export function withRemoved(
  secrets: GivenSecrets,
  before: readonly SignInProvider[],
  after: readonly SignInProvider[],
): GivenSecrets {
  const kept = new Set<string>(after.map(secretPathOf))
  const given = Object.entries(secrets).filter(([path]) => !path.startsWith("signInWith.") || kept.has(path))
  const gone = before.map(secretPathOf).filter((path) => !kept.has(path))
  return { ...Object.fromEntries(given), ...Object.fromEntries(gone.map((path) => [path, null])) }
}

export const findSecret = (db: Database, path: SecretPath): string | null =>
  valueOf(db, "SELECT value FROM setting_secrets WHERE name = ?", path)

/** Stores secrets, and returns for the audit log which of them have changed, without their values. */
export function saveSecrets(db: Database, secrets: GivenSecrets): Changes {
  const changes: Changes = {}
  for (const [path, value] of Object.entries(secrets) as [SecretPath, string | null][]) {
    const before = findSecret(db, path)
    if (before === value) continue
    if (value === null) db.query("DELETE FROM setting_secrets WHERE name = ?").run(path)
    else
      db.query(
        `INSERT INTO setting_secrets (name, value) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      ).run(path, value)
    changes[path] = { from: before === null ? null : "set", to: value === null ? null : "set again" }
  }
  return changes
}
