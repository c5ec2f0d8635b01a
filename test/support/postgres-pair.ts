// Starts two PostgreSQL servers of which one replicates the other synchronously, and lets them change roles.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { findPostgres } from "../../scripts/postgres"
import { giveAway, owner, settingsOf } from "./postgres"
import { addressOf, at, newNode, run, signal, type Node } from "./postgres-node"

export type PostgresPair = Awaited<ReturnType<typeof postgresPair>>

/** What a commit waits for: that the standby has it on its disk, that it is also visible there, or not for the standby. */
type Level = "on" | "remote_apply" | "local"

/**
 * Starts a primary server and a standby. By default, a commit is answered when the standby has it. Each keeps its port in both roles.
 * `fsync` is off: the tests kill processes, and the system keeps what they have written.
 */
export async function postgresPair({ level = "on" as Level, settings = [] as string[] } = {}) {
  const programs = findPostgres()
  if (!programs) throw new Error("PostgreSQL is not installed. Run: bun scripts/postgres.ts")
  const program = (name: string) => join(programs, name)
  const folder = mkdtempSync(join(tmpdir(), "kontor-pair-"))
  giveAway(folder)
  const nodes = [await newNode(folder, "a"), await newNode(folder, "b")] as const
  let primary: Node = nodes[0]
  let standby: Node = nodes[1]
  const own = [`synchronous_commit = ${level}`, "max_wal_size = 512MB", ...settings]
  const control = ({ data, log }: Node, ...args: string[]) =>
    run([program("pg_ctl"), "-D", data, "-w", "-t", "50", ...args], log)
  /** The folder may be a copy of the other one, and the socket that of a server that was killed. */
  const start = (node: Node): Promise<void> => {
    const { data, socket, port, log } = node
    for (const name of readdirSync(socket)) rmSync(join(socket, name))
    rmSync(join(data, "postmaster.pid"), { force: true })
    writeFileSync(join(data, "postgresql.conf"), settingsOf({ settings: own }, socket, port).join("\n"))
    return control(node, "-l", log, "start")
  }

  const setSynchronous = (names: string) =>
    at(primary, (db) => {
      db.run(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      db.run("SELECT pg_reload_conf()")
    })

  /** Copies the primary server to the other folder, and starts it as a standby. */
  async function addStandby(): Promise<void> {
    rmSync(standby.data, { recursive: true, force: true })
    const from = ["-h", primary.socket, "-p", String(primary.port), "-U", owner]
    at(primary, (db) => db.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"))
    const slot = ["-R", "-C", "-S", "standby"]
    await run([program("pg_basebackup"), ...from, "-D", standby.data, "--no-sync", "-c", "fast", ...slot])
    await start(standby)
  }

  /** Waits until commits wait for the standby, and the standby has everything. */
  async function waitForSync(): Promise<void> {
    setSynchronous("*")
    const isTrue = (condition: string) =>
      at(primary, (db) => db.query(`SELECT 1 FROM pg_stat_replication WHERE ${condition}`).get() !== null)
    while (!isTrue("sync_state = 'sync'")) await Bun.sleep(20)
    // The process that tells the others to wait has read the settings by then.
    await Bun.sleep(200)
    const end = at(
      primary,
      (db) => db.query("SELECT pg_logical_emit_message(true, 'pair', '')::text").values().flat()[0],
    )
    while (!isTrue(`flush_lsn >= '${String(end)}'`)) await Bun.sleep(20)
  }

  const access = ["-U", owner, "--auth=trust"]
  await run([program("initdb"), "-D", primary.data, "-E", "UTF8", "--locale=C", "-N", ...access])
  await start(primary)
  await addStandby()
  await waitForSync()

  return {
    /** The address of a database on whichever server is the primary one. */
    url: (database = "postgres") => addressOf(nodes, database),
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    inPrimary: <T>(work: (db: PostgresDatabase) => T): T => at(primary, work),
    inStandby: <T>(work: (db: PostgresDatabase) => T): T => at(standby, work),
    createDatabase: (name: string) => at(primary, (db) => void db.run(`CREATE DATABASE ${name}`)),
    /** Kills all processes of the primary server. */
    killPrimary: () => signal(primary, "SIGKILL"),
    /** Kills all processes of the standby. It has nothing that is written from now on. */
    killStandby: () => signal(standby, "SIGKILL"),
    /** Starts the standby again. */
    startStandby: () => start(standby),
    /** Stops all processes of the standby for a while, or lets them go on. */
    freezeStandby: () => signal(standby, "SIGSTOP"),
    thawStandby: () => signal(standby, "SIGCONT"),
    /** Makes the standby the primary server. Its commits wait for nobody until `repair`. */
    async promote() {
      await control(standby, "promote")
      ;[primary, standby] = [standby, primary]
      setSynchronous("")
    },
    /** Makes a standby of the server that was killed, and waits until it has everything. */
    async repair() {
      await addStandby()
      await waitForSync()
    },
    stop() {
      for (const node of nodes) signal(node, "SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
