// With KONTOR_TEST_ENGINE=postgres, the tests of the API run on PostgreSQL: each database file of a test stands for a
// database of one PostgreSQL server. KONTOR_TEST_POSTGRES is the address of that server; without it, one is started.
import { dirname, resolve } from "node:path"
import { asDatabase } from "../../src/core/engine/postgres/engine"
import { isAddress } from "../../src/core/engine/postgres/place"
import { migrate, wholeSchema } from "../../src/core/engine/schema/migrate"
import { updateSearch } from "../../src/core/search/reindex"
import { kindList } from "../../src/kinds"
import { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { translatedSchema } from "../../src/core/engine/postgres/schema/translate"
import { changesChannel } from "../../src/core/engine/postgres/lock"
import { findPostgres } from "../../scripts/postgres"
import { cheapHash, createAdmin } from "./admin"
import { postgres, sharedServer, type PostgresServer } from "./postgres"

export const isPostgres = process.env.KONTOR_TEST_ENGINE === "postgres"

/**
 * The number of records that keeps a server busy for so long that a test can do something meanwhile. PostgreSQL takes
 * several times as long for each record as SQLite, so a fifth is enough.
 */
export const manyRecords = (records: number): number => (isPostgres ? Math.ceil(records / 5) : records)

const server = isPostgres ? await serverUrl() : ""

async function serverUrl(): Promise<string> {
  if (process.env.KONTOR_TEST_POSTGRES) return process.env.KONTOR_TEST_POSTGRES
  const started = await postgres(sharedServer)
  stopAfterThis(started)
  return started.url()
}

/** Stops the server after this process, also if it is killed. In `bun test`, a process has no event `exit`. */
function stopAfterThis({ socket }: PostgresServer): void {
  const script = `while kill -0 "$1" 2>/dev/null; do sleep 1; done
    kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"
    while [ -e "$2/data/postmaster.pid" ]; do sleep 1; done
    rm -rf "$2"`
  const command = ["sh", "-c", script, "sh", String(process.pid), dirname(socket)]
  Bun.spawn(command, { stdio: ["ignore", "ignore", "ignore"], detached: true }).unref()
}

/** A database with the tables of a new one, and one that has the first admin too. Their names change with the schema. */
const template = `template_${Bun.hash(translatedSchema(wholeSchema())).toString(36)}`
const templateWithAdmin = `${template}_admin`
const lockKey = 1

/** The address of the database that stands for a file. If it is new, it can have the first admin of most tests already. */
export function addressOf(file: string, hasAdmin = false): string {
  const name = nameOf(file)
  if (!created.has(name)) createDatabase(name, hasAdmin ? templateWithAdmin : template)
  return urlOf(name)
}

const nameOf = (file: string) => `k_${Bun.hash(resolve(file)).toString(36)}`
const urlOf = (name: string) => server.replace(/\/\w*(\?|$)/, `/${name}$1`)

const created = new Set<string>()

function createDatabase(name: string, from: string): void {
  const db = new PostgresDatabase(server)
  try {
    const has = (each: string) => db.query("SELECT 1 FROM pg_database WHERE datname = ?").get(each) !== null
    db.run("SET lock_timeout = 0")
    db.run(`SELECT pg_advisory_lock(${lockKey})`)
    if (!has(from)) createTemplate(db, from)
    // To copy the files takes less time than to write all pages to the log.
    if (!has(name)) db.run(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`)
    created.add(name)
  } finally {
    db.close()
  }
}

function createTemplate(db: PostgresDatabase, name: string): void {
  db.run(`CREATE DATABASE ${name}`)
  const tables = new PostgresDatabase(urlOf(name))
  migrate(asDatabase(tables))
  updateSearch(asDatabase(tables), kindList)
  if (name === templateWithAdmin) {
    createAdmin(urlOf(name))
    tables.query("UPDATE passwords SET hash = ?").run(cheapHash())
  }
  tables.close()
}

/** Copies the database of a file to that of another file. */
export function copyDatabase(from: string, to: string): void {
  const name = nameOf(to)
  const db = new PostgresDatabase(server)
  const isOpen = db.query("SELECT 1 FROM pg_stat_activity WHERE datname = ?").get(nameOf(from)) !== null
  db.run(`CREATE DATABASE ${name} ${isOpen ? "" : `TEMPLATE ${nameOf(from)} STRATEGY FILE_COPY`}`)
  db.close()
  created.add(name)
  // PostgreSQL copies no database that has connections.
  if (!isOpen) return
  const folder = findPostgres()
  const dumped = Bun.spawnSync([`${folder}/pg_dump`, addressOf(from)], { stderr: "inherit" })
  Bun.spawnSync([`${folder}/psql`, "-qX", addressOf(to)], { stdin: dumped.stdout, stderr: "inherit" })
}

/** Deletes the databases that this process has created. */
export function deleteDatabases(): void {
  if (created.size === 0) return
  const db = new PostgresDatabase(server)
  for (const name of created) db.run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  created.clear()
  db.close()
}

/** What `--db` is for a file. */
export const testedAs = (file: string): string => (isPostgres ? addressOf(file) : file)

/** Opens the database of a file, as bun:sqlite or with its interface. */
export function openTested(file: string): SqliteDatabase {
  if (isPostgres) return asDatabase(new PostgresDatabase(addressOf(file))) as unknown as SqliteDatabase
  const db = new SqliteDatabase(file)
  db.run("PRAGMA busy_timeout = 5000")
  return db
}

/** Begins a write as another program, for which those of the server wait. */
export function beginWrite(db: SqliteDatabase): void {
  if (!isPostgres) return void db.run("BEGIN IMMEDIATE")
  db.run("BEGIN")
  db.run(`UPDATE write_lock SET writer = 0 WHERE id = 1; NOTIFY ${changesChannel}`)
}

/** Tells the server that another process has written, and waits until it probably knows. */
export function tellServer(db: SqliteDatabase): void {
  if (!isPostgres) return
  db.run(`NOTIFY ${changesChannel}`)
  Bun.sleepSync(25)
}

/** The arguments of a command, with the address instead of the file. */
export function withAddress(args: readonly string[], cwd: string): string[] {
  const at = args.indexOf("--db")
  const file = args[at + 1] ?? ""
  if (!isPostgres || at < 0 || isAddress(file)) return [...args]
  return args.with(at + 1, addressOf(resolve(cwd, file)))
}
