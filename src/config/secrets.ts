import { readFileSync } from "node:fs"
import { FFIType, toArrayBuffer } from "bun:ffi"
import { UsageError, type Env, type Config } from "../config"
import { libc } from "../core/lib/process/libc"
import type { Address } from "../storage/address"
import type { Bucket } from "../storage/bucket"

/** Reads the first admin from the environment, and removes the password from it. */
export function takeFirstAdmin(
  env: Env = process.env,
): { email: string; password: string; name: string } | null {
  const { KONTOR_ADMIN_EMAIL: email, KONTOR_ADMIN_NAME: name } = env
  const password = takeSecret("KONTOR_ADMIN_PASSWORD", env)
  if (!email && password === null) return null
  if (!email || password === null)
    throw new UsageError(
      "KONTOR_ADMIN_EMAIL and KONTOR_ADMIN_PASSWORD (or KONTOR_ADMIN_PASSWORD_FILE) must be set together: set both or neither.",
    )
  return { email, password, name: name || (email.split("@")[0] ?? email) }
}

/** The token for the metrics was read with the options. */
export const forgetMetricsToken = (env: Env = process.env): void => forget("KONTOR_METRICS_TOKEN", env)

/** Reads the API key of a command that calls a server, and removes it from the environment. */
export const takeApiKey = (env: Env = process.env): string | null => takeSecret("KONTOR_API_KEY", env)

/** The key to S3-compatible storage, and the passphrase of the backups there. */
export type BackupSecrets = {
  accessKeyId: string | null
  secretAccessKey: string | null
  passphrase: string | null
}

/** A shorter passphrase can be guessed. */
const shortestPassphrase = 12

/** Reads the secrets of backups from the environment, and removes them from it. */
export function takeBackupSecrets(env: Env = process.env): BackupSecrets {
  const passphrase = takeSecret("KONTOR_BACKUP_PASSPHRASE", env)
  if (passphrase !== null && [...passphrase].length < shortestPassphrase)
    throw new UsageError(`KONTOR_BACKUP_PASSPHRASE must have at least ${shortestPassphrase} characters.`)
  return {
    accessKeyId: env.KONTOR_S3_ACCESS_KEY_ID || null,
    secretAccessKey: takeSecret("KONTOR_S3_SECRET_ACCESS_KEY", env),
    passphrase,
  }
}

/** Reads a secret from its variable, or from the file that the variable `NAME_FILE` names, and forgets it. */
function takeSecret(name: string, env: Env): string | null {
  const { [name]: value, [`${name}_FILE`]: file } = env
  if (value && file)
    throw new UsageError(`${name} and ${name}_FILE cannot be combined: set only one of them.`)
  forget(name, env)
  if (!file) return value || null
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "")
  } catch {
    throw new UsageError(`${name}_FILE must name a file that can be read, not ${file}.`)
  }
}

/** Removes a secret from the environment, so that child processes and other programs cannot read it there. */
function forget(name: string, env: Env): void {
  if (env[name]) wipeVariable(name)
  delete env[name]
}

const { ptr, u64_fast: size } = FFIType

/**
 * Overwrites the value of an environment variable in the process's memory. Deleting it in JavaScript only changes a
 * copy: the value would stay readable, for example in /proc/PID/environ, as long as the process runs. Does nothing when
 * libc is not available.
 */
function wipeVariable(name: string): void {
  const system = libc({ getenv: { args: [ptr], returns: ptr }, strlen: { args: [ptr], returns: size } })
  if (!system) return
  try {
    const value = system.getenv(Buffer.from(`${name}\0`))
    const length = value ? Number(system.strlen(value)) : 0
    if (value && length > 0) new Uint8Array(toArrayBuffer(value, 0, length)).fill(0)
  } catch {
    // A failure must not prevent the start of the server.
  }
}

export function bucketOf(
  { s3Endpoint, s3Region: region }: Config,
  { bucket: name }: Address,
  { accessKeyId, secretAccessKey }: BackupSecrets,
): Bucket {
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      `The access key to s3://${name} is missing: set KONTOR_S3_ACCESS_KEY_ID and KONTOR_S3_SECRET_ACCESS_KEY (or KONTOR_S3_SECRET_ACCESS_KEY_FILE).`,
    )
  return {
    name,
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
  }
}
