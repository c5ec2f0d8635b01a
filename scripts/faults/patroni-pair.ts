// Starts two PostgreSQL servers that Patroni manages, with etcd: Patroni alone decides which one is the primary server.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { steadyMillis } from "../../src/core/lib/clock"
import { asServer, freePort, giveAway } from "../../test/support/postgres"
import { addressOf, at, newNode, signal, signalTree, type Node } from "../../test/support/postgres-node"
import { findPostgres } from "../postgres"
import type { FailoverPair } from "./failover-pair"
import { patroniSettings, type Member } from "./patroni-settings"

/**
 * What happens to the primary server: its machine fails, or only PostgreSQL fails. A machine that stops and goes on after it
 * was replaced is left out: Patroni 3.0.2 with etcd 3 may then make it the primary server again, by overwriting the key of
 * the new one, and no standby can follow it.
 */
const strikes = ["machine killed", "server killed"] as const
type Strike = (typeof strikes)[number]

type Managed = Member & { patroni: Bun.Subprocess | null }
type Mode = { isSynchronous?: boolean; isStrict?: boolean }

/** In milliseconds: for everything that Patroni does. */
const patience = 180_000

/** The sentence that tells what to install; null if everything is there. */
export const missingForPatroni = (): string | null =>
  findPostgres() && Bun.which("patroni") && Bun.which("etcd")
    ? null
    : "The test with Patroni needs the Debian packages postgresql-15, patroni, etcd-server and python3-etcd."

/**
 * Starts etcd and both servers. Commits wait for the standby, except while there is none; with `isStrict` also then.
 * `fsync` is off: processes are killed, and the system keeps what they have written.
 */
export async function patroniPair({
  isSynchronous = true,
  isStrict = false,
}: Mode = {}): Promise<FailoverPair> {
  const folder = mkdtempSync(join(tmpdir(), "kontor-patroni-"))
  giveAway(folder)
  const started: Bun.Subprocess[] = []
  const nodes: Managed[] = []
  let struck: Strike | null = null
  let count = 0

  const start = (name: string, command: string[]): Bun.Subprocess => {
    const log = Bun.file(join(folder, `log-${name}`))
    const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }
    const child = Bun.spawn([...asServer, ...command], { cwd: "/", env, stdio: ["ignore", log, log] })
    started.push(child)
    return child
  }
  const manage = (node: Managed) => {
    node.patroni = start(`${node.name}-${++count}`, ["patroni", join(folder, `${node.name}.json`)])
  }
  const stop = () => {
    for (const { pid, exitCode } of started) if (exitCode === null) signalTree(pid, "SIGKILL")
    for (const node of nodes) signal(node, "SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
  const [primaryFirst, standbyFirst] = [await member(folder, "a"), await member(folder, "b")]
  nodes.push(primaryFirst, standbyFirst)
  let [primary, standby] = [primaryFirst, standbyFirst]

  /** Waits for a state of the servers. If it is not reached, the error has the end of their logs. */
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> => {
    for (const began = steadyMillis(); !(await isTrue()); await Bun.sleep(100))
      if (steadyMillis() - began > patience)
        throw new Error(
          `After ${patience / 1000} seconds, it is not true that ${what}.\n${lastLines(folder)}`,
        )
  }
  const waitForStandby = () =>
    until(`${standby.name} is a standby`, () => (isSynchronous ? says(standby, "sync") : replicates(primary)))

  try {
    const etcd = await freePort()
    start("etcd", etcdCommand(join(folder, "etcd"), etcd, await freePort()))
    await until("etcd answers", () => isOk(`http://127.0.0.1:${etcd}/health`))
    for (const node of nodes) {
      const settings = patroniSettings({ node, folder, etcd, isSynchronous, isStrict })
      writeFileSync(join(folder, `${node.name}.json`), JSON.stringify(settings))
    }
    manage(primary)
    await until("a is the primary server", () => says(primary, "primary"))
    manage(standby)
    await waitForStandby()
  } catch (error) {
    stop()
    throw error
  }

  return {
    url: (database) => addressOf(nodes, database),
    createDatabase: (name) => at(primary, (db) => void db.run(`CREATE DATABASE ${name}`)),
    writesAlone: !isStrict,
    freezeStandby: () => signal(standby, "SIGSTOP"),
    thawStandby: () => signal(standby, "SIGCONT"),
    strike(round) {
      // Two rounds each, because the standby lags behind in every second round.
      struck = strikes[Math.floor((round - 1) / 2) % strikes.length] as Strike
      if (struck === "machine killed" && primary.patroni) signalTree(primary.patroni.pid, "SIGKILL")
      signal(primary, "SIGKILL")
      return struck
    },
    async takeOver() {
      await until(`${standby.name} is the primary server`, () => says(standby, "primary"))
      ;[primary, standby] = [standby, primary]
    },
    async repair() {
      if (struck === "machine killed") manage(standby)
      await waitForStandby()
    },
    stop,
  }
}

async function member(folder: string, name: string): Promise<Managed> {
  return { ...(await newNode(folder, name)), api: await freePort(), patroni: null }
}

function etcdCommand(data: string, clients: number, peers: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const options = {
    name: "one",
    "data-dir": data,
    "initial-cluster": `one=${peer}`,
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
  }
  return ["etcd", ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])]
}

/** True if Patroni says that a server has a role. */
const says = ({ api }: Managed, role: "primary" | "sync"): Promise<boolean> =>
  isOk(`http://127.0.0.1:${api}/${role}`)

const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const replicates = (primary: Node): boolean =>
  at(primary, (db) => db.query("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'").get() !== null)

/** The last lines of all logs, without those that are written in every turn. */
const lastLines = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith("log-"))
    .map((name) => {
      const lines = readFileSync(join(folder, name), "utf8").split("\n")
      return [name, ...lines.filter((line) => !line.includes("no action")).slice(-40)].join("\n")
    })
    .join("\n\n")
