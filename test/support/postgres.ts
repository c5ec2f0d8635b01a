// Starts a PostgreSQL server of its own for a test, in a temporary folder with a Unix socket and a port.
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"
import { findPostgres } from "../../scripts/postgres"

export const isPostgresInstalled = (): boolean => findPostgres() !== null

export type PostgresServer = {
  /** The folder of the Unix socket. */
  socket: string
  port: number
  /** The address of a database over the Unix socket. */
  url: (database?: string) => string
  /** The address over TCP, to this port or to that of a proxy. */
  tcpUrl: (database?: string, port?: number) => string
  /** Creates an empty database and returns its address over the Unix socket. */
  createDatabase: (name: string) => string
  /** Stops the server and keeps its data. `immediate` is a crash. */
  halt: (mode?: "fast" | "immediate") => void
  /** Starts it again after `halt`. */
  start: () => void
  /** Stops the server and deletes its folder. */
  stop: () => void
}

export type PostgresOptions = {
  /** True if commits must survive a power cut; takes more time. */
  fsync?: boolean
  /** Further lines of postgresql.conf. */
  settings?: string[]
  /** True if other processes of the tests go first. */
  isPatient?: boolean
  /** True if its folder is in memory, if the system has enough of it. */
  isInMemory?: boolean
  /** Lines of pg_hba.conf instead of trust for every connection. */
  access?: string[]
}

/**
 * The options of a server that has the databases of many tests. It is deleted after them, so nothing must survive a power
 * cut, and its folder is in memory if there is room. Its databases do not exist for so long that autovacuum is of use.
 */
export const sharedServer: PostgresOptions = {
  settings: ["max_connections = 100", "full_page_writes = off", "autovacuum = off"],
  isInMemory: true,
}

export const owner = "kontor"

/** Starts a server. Its superuser is `kontor`, without a password. */
export async function postgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = findPostgres()
  if (!programs) throw new Error("PostgreSQL is not installed. Run: bun scripts/postgres.ts")
  const folder = mkdtempSync(join(options.isInMemory && hasRoom(memory) ? memory : tmpdir(), "kontor-pg-"))
  const [data, socket] = [join(folder, "data"), join(folder, "socket")]
  mkdirSync(socket)
  for (const path of [folder, socket]) giveAway(path)
  run([join(programs, "initdb"), "-D", data, "-E", "UTF8", "--locale=C", "-U", owner, "--auth=trust", "-N"])
  const port = await freePort()
  writeFileSync(join(data, "postgresql.conf"), settingsOf(options, socket, port).join("\n"))
  if (options.access) writeFileSync(join(data, "pg_hba.conf"), `${options.access.join("\n")}\n`)
  const log = join(folder, "log")
  const patience = options.isPatient ? ["nice", "-n", "10"] : []
  const control = (...args: string[]) =>
    run([...patience, join(programs, "pg_ctl"), "-D", data, "-w", ...args], log)
  const start = () => control("-l", log, "start")
  const halt = (mode = "fast") => control("-m", mode, "stop")
  const url = (database = "postgres") => `postgres://${owner}@/${database}?host=${socket}&port=${port}`
  const tcpUrl = (database = "postgres", at = port) => `postgres://${owner}@127.0.0.1:${at}/${database}`
  const createDatabase = (name: string) => {
    run([join(programs, "createdb"), "-h", socket, "-p", String(port), "-U", owner, name])
    return url(name)
  }
  const stop = () => {
    if (existsSync(join(data, "postmaster.pid"))) halt("immediate")
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    start()
  } catch (error) {
    stop()
    throw error
  }
  return { socket, port, url, tcpUrl, createDatabase, halt, start, stop }
}

/** The folder in memory that Linux has, and the bytes that it must have free. */
const memory = "/dev/shm"
const wanted = 6 * 1024 ** 3

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem()) > wanted
}

export const settingsOf = (
  { fsync = false, settings = [] }: PostgresOptions,
  socket: string,
  port: number,
) => [
  "listen_addresses = '127.0.0.1'",
  `port = ${port}`,
  `unix_socket_directories = '${socket}'`,
  `fsync = ${fsync ? "on" : "off"}`,
  "shared_buffers = 128MB",
  "max_connections = 30",
  "max_wal_size = 128MB",
  "dynamic_shared_memory_type = mmap",
  "logging_collector = off",
  "lc_messages = 'C'",
  ...settings,
  "",
]

/** Initdb and the server refuse to run as root, so root runs them as the user `postgres` of Debian's package. */
const isRoot = process.getuid?.() === 0
export const asServer = isRoot ? ["runuser", "-u", "postgres", "--"] : []

function run(command: string[], log?: string): void {
  const done = Bun.spawnSync([...asServer, ...command], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 60_000,
  })
  if (done.success) return
  const said = log && existsSync(log) ? readFileSync(log, "utf8") : ""
  throw new Error(`${command.join(" ")} failed:\n${done.stderr.toString()}${said}`)
}

/** Gives a folder to the user of the server. */
export function giveAway(path: string): void {
  if (!isRoot) return
  const id = (flag: string) => Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString())
  chownSync(path, id("-u"), id("-g"))
}

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0))
    })
  })
