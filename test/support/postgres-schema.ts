import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const binaries = "/usr/lib/postgresql/15/bin"

/** A PostgreSQL server in a temporary folder, with psql as its client. */
export function postgresServer() {
  if (!existsSync(join(binaries, "initdb")))
    throw new Error("PostgreSQL 15 is missing. On Debian: apt-get install postgresql-15.")
  const folder = mkdtempSync(join(tmpdir(), "kontor-postgres-"))
  const data = join(folder, "data")
  giveAway(folder)
  control("initdb", ["-D", data, "-E", "UTF8", "--locale=C", "-U", "kontor", "--auth=trust"])
  const settings = `-c listen_addresses='' -c unix_socket_directories=${folder} -c fsync=off -c shared_buffers=16MB`
  control("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start"])

  /** Runs SQL in one transaction, and returns what psql prints. Throws the first error. */
  const run = (sql: string, { database = "postgres", user = "kontor" } = {}): string =>
    output(
      ["psql", "-h", folder, "-U", user, "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1", "-f", "-"],
      sql,
    )

  return {
    run,
    /** The rows of a query. */
    rows: <Row>(sql: string, database: string): Row[] =>
      JSON.parse(run(`SELECT coalesce(json_agg(rows), '[]') FROM (${sql}) AS rows`, { database })) as Row[],
    stop(): void {
      control("pg_ctl", ["-D", data, "-m", "immediate", "stop"])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0

function control(name: string, args: string[]): void {
  const command = [join(binaries, name), ...args]
  output(isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command)
}

function giveAway(folder: string): void {
  if (!isRoot) return
  const id = (option: string) => Number(output(["id", option, "postgres"]))
  chownSync(folder, id("-u"), id("-g"))
  chmodSync(folder, 0o700)
}

function output(command: string[], input = ""): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    cwd: "/",
  })
  if (exitCode !== 0) throw new Error(stderr.toString() || stdout.toString())
  return stdout.toString()
}
