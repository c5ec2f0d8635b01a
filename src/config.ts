import type { BlockList } from "node:net"
import {
  hour,
  readDuration,
  readMetricsToken,
  readCount,
  readPort,
  readSeed,
  readTime,
  readPublicUrl,
  readHosts,
  readOrigins,
  readNetworks,
  readPlans,
  readSwitch,
  readLogLevel,
  readEndpoint,
  readRegion,
} from "./config/values"
import { standardPlans, type Plans } from "./shared/plans"
import { logLevels, type LogLevel } from "./core/lib/process/log"
import { readFolderAddress, type Address } from "./storage/address"
import { messageOf } from "./core/lib/refusal"

/** An invalid command line or environment variable: the process exits with 2. */
export class UsageError extends Error {}

type Option<T> = {
  flag: string
  env: string
  /** The placeholder for the value in the help text. A switch has none. */
  value?: string
  fallback: T
  /** The default as the help text shows it, if that is not `fallback` itself. */
  fallbackText?: string
  text: string
  parse: (value: string) => T
}

const option = <T>(o: Option<T>): Option<T> => o

/** All options, each with its flag, its environment variable, its default and its parser. */
export const options = {
  db: option({
    flag: "db",
    env: "KONTOR_DB",
    value: "FILE",
    fallback: "./kontor.db",
    text: "The database file, or the address of a PostgreSQL database: postgres://USER@HOST/DATABASE",
    parse: String,
  }),
  host: option({
    flag: "host",
    env: "KONTOR_HOST",
    value: "ADDRESS",
    fallback: "127.0.0.1",
    text: "The address to listen on",
    parse: String,
  }),
  port: option({
    flag: "port",
    env: "KONTOR_PORT",
    value: "NUMBER",
    fallback: 7070,
    text: "The port to listen on; 0 selects a free one",
    parse: readPort,
  }),
  url: option({
    flag: "url",
    env: "KONTOR_URL",
    value: "URL",
    fallback: "http://127.0.0.1:7070",
    text: "The server that `kontor mcp` calls, with the API key in KONTOR_API_KEY or KONTOR_API_KEY_FILE",
    parse: readPublicUrl,
  }),
  publicUrl: option<string | null>({
    flag: "public-url",
    env: "KONTOR_PUBLIC_URL",
    value: "URL",
    fallback: null,
    text: "The URL that clients use, for links and as OAuth issuer (default: from host and port)",
    parse: readPublicUrl,
  }),
  tlsCert: option<string | null>({
    flag: "tls-cert",
    env: "KONTOR_TLS_CERT",
    value: "FILE",
    fallback: null,
    text: "Serve HTTPS with this certificate (PEM)",
    parse: String,
  }),
  tlsKey: option<string | null>({
    flag: "tls-key",
    env: "KONTOR_TLS_KEY",
    value: "FILE",
    fallback: null,
    text: "The private key of the certificate (PEM)",
    parse: String,
  }),
  trustedProxies: option<BlockList | null>({
    flag: "trusted-proxies",
    env: "KONTOR_TRUSTED_PROXIES",
    value: "CIDR,…",
    fallback: null,
    text: "Proxies whose X-Forwarded-For header is trusted",
    parse: readNetworks,
  }),
  allowedHosts: option<string[]>({
    flag: "allowed-hosts",
    env: "KONTOR_ALLOWED_HOSTS",
    value: "NAME,…",
    fallback: [],
    text: "Additional host names to accept",
    parse: readHosts,
  }),
  corsOrigins: option<string[]>({
    flag: "cors-origins",
    env: "KONTOR_CORS_ORIGINS",
    value: "ORIGIN,…",
    fallback: [],
    text: "Web origins whose pages may call the API",
    parse: readOrigins,
  }),
  plans: option<Plans>({
    flag: "plans",
    env: "KONTOR_PLANS",
    value: "NAME=PERMINUTE:PERDAY,…",
    fallback: standardPlans,
    text: "Other limits for the plans free, pro, enterprise and anonymous",
    parse: readPlans,
  }),
  backupDir: option<string | null>({
    flag: "backup-dir",
    env: "KONTOR_BACKUP_DIR",
    value: "FOLDER",
    fallback: null,
    text: "Make automatic backups in this folder",
    parse: String,
  }),
  backupTo: option<Address | null>({
    flag: "backup-to",
    env: "KONTOR_BACKUP_TO",
    value: "ADDRESS",
    fallback: null,
    text: "Upload automatic backups to S3-compatible storage, such as s3://bucket/prefix, with the key in KONTOR_S3_ACCESS_KEY_ID and KONTOR_S3_SECRET_ACCESS_KEY, encrypted if KONTOR_BACKUP_PASSPHRASE is set",
    parse: readFolderAddress,
  }),
  s3Endpoint: option<string | null>({
    flag: "s3-endpoint",
    env: "KONTOR_S3_ENDPOINT",
    value: "URL",
    fallback: null,
    text: "The URL of the S3-compatible storage (default: Amazon S3 in the region)",
    parse: readEndpoint,
  }),
  s3Region: option({
    flag: "s3-region",
    env: "KONTOR_S3_REGION",
    value: "NAME",
    fallback: "us-east-1",
    text: "The region of the S3-compatible storage",
    parse: readRegion,
  }),
  backupEvery: option({
    flag: "backup-every",
    env: "KONTOR_BACKUP_EVERY",
    value: "DURATION",
    fallback: 24 * hour,
    fallbackText: "24h",
    text: "Time between automatic backups, such as 30m, 24h or 7d",
    parse: readDuration,
  }),
  backupKeep: option({
    flag: "backup-keep",
    env: "KONTOR_BACKUP_KEEP",
    value: "NUMBER",
    fallback: 14,
    text: "Number of automatic backups to keep",
    parse: readCount,
  }),
  keepEvents: option({
    flag: "keep-events",
    env: "KONTOR_KEEP_EVENTS",
    value: "DURATION",
    fallback: 30 * 24 * hour,
    fallbackText: "30d",
    text: "How long events are kept, such as 12h or 30d",
    parse: readDuration,
  }),
  allowPrivateWebhooks: option<BlockList | null>({
    flag: "allow-private-webhooks",
    env: "KONTOR_ALLOW_PRIVATE_WEBHOOKS",
    value: "CIDR,…",
    fallback: null,
    text: "Networks outside the internet that webhooks may call, also without https",
    parse: readNetworks,
  }),
  noSending: option({
    flag: "no-sending",
    env: "KONTOR_NO_SENDING",
    fallback: false,
    text: "Send neither events to webhooks nor mail, for a server on a copy of the database",
    parse: readSwitch,
  }),
  metricsToken: option<string | null>({
    flag: "metrics-token",
    env: "KONTOR_METRICS_TOKEN",
    value: "TOKEN",
    fallback: null,
    text: "Let everybody with this bearer token read GET /metrics (default: only programs on this machine)",
    parse: readMetricsToken,
  }),
  demo: option({
    flag: "demo",
    env: "KONTOR_DEMO",
    fallback: false,
    text: "Serve a demo shop from memory; nothing is written to the disk",
    parse: readSwitch,
  }),
  seed: option<number | null>({
    flag: "seed",
    env: "KONTOR_SEED",
    value: "NUMBER",
    fallback: null,
    fallbackText: "1",
    text: "What the IDs, numbers and secrets of the demo depend on",
    parse: readSeed,
  }),
  now: option<string | null>({
    flag: "now",
    env: "KONTOR_NOW",
    value: "TIME",
    fallback: null,
    fallbackText: "2027-01-04T09:00:00Z",
    text: "What the clock of the demo says at the start",
    parse: readTime,
  }),
  run: option({
    flag: "run",
    env: "KONTOR_RUN",
    fallback: false,
    text: "Let the clock of the demo run (default: it stands still until it is moved)",
    parse: readSwitch,
  }),
  data: option<string | null>({
    flag: "data",
    env: "KONTOR_DATA",
    value: "FILE",
    fallback: null,
    text: "Fill the demo with the records of this NDJSON file instead of the demo shop",
    parse: String,
  }),
  logLevel: option<LogLevel>({
    flag: "log-level",
    env: "KONTOR_LOG_LEVEL",
    value: "LEVEL",
    fallback: "info",
    text: `How much to log: ${logLevels.join(", ")}`,
    parse: readLogLevel,
  }),
} as const

export type OptionName = keyof typeof options
export type Config = { [K in OptionName]: ReturnType<(typeof options)[K]["parse"]> }

export type Env = Record<string, string | undefined>

/** Reads the options from flags, then environment variables, then defaults. Options not in `takes` keep the default. */
export function readConfig(flags: Env, takes: readonly OptionName[], env: Env = process.env): Config {
  const read = Object.entries(options).map(([name, { flag, env: variable, fallback, parse }]) => {
    if (!takes.includes(name as OptionName)) return [name, fallback]
    const given = flags[flag] ?? (env[variable] === "" ? undefined : env[variable])
    if (given === undefined) return [name, fallback]
    try {
      return [name, parse(given)]
    } catch (error) {
      const source = flags[flag] === undefined ? variable : `--${flag}`
      throw new UsageError(`${source} ${messageOf(error)}`)
    }
  })
  const config = Object.fromEntries(read) as Config
  if ((config.tlsCert === null) !== (config.tlsKey === null))
    throw new UsageError("--tls-cert and --tls-key must be set together: set both or neither.")
  return Object.freeze(config)
}

/** Returns a sentence for each variable that has no effect, because a flag gives its option another value. */
export const overriddenVariables = (
  flags: Env,
  takes: readonly OptionName[],
  env: Env = process.env,
): string[] =>
  takes.flatMap((name) => {
    const { flag, env: variable, parse } = options[name]
    const [given, set] = [flags[flag], env[variable]]
    if (given === undefined || !set || isSame(given, set, parse)) return []
    return `${variable} has no effect, because --${flag} gives another value.`
  })

/** True if two texts are the same value of an option. A text of the environment may be invalid. */
function isSame(one: string, other: string, parse: (value: string) => unknown): boolean {
  if (one === other) return true
  try {
    const [first, second] = [parse(one), parse(other)]
    return typeof first !== "object" && first === second
  } catch {
    return false
  }
}
