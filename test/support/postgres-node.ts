// One of two PostgreSQL servers that change their roles: where it is, and what can be done to it.
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { asServer, freePort, giveAway, owner } from "./postgres"

export type Node = { name: string; data: string; socket: string; log: string; port: number }

/** The address of a database on whichever of the servers is the primary one. */
export const addressOf = (nodes: readonly Node[], database: string): string =>
  `postgres://${owner}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/${database}` +
  "?target_session_attrs=read-write"

/** Runs work with a connection to one of the servers. */
export function at<T>({ socket, port }: Node, work: (db: PostgresDatabase) => T): T {
  const db = new PostgresDatabase(
    `postgres://${owner}@/postgres?host=${socket}&port=${port}&target_session_attrs=any`,
  )
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Runs a program as the user of the server. The clients of a test go on meanwhile. */
export async function run(command: string[], log?: string): Promise<void> {
  const child = Bun.spawn([...asServer, ...command], { cwd: "/", stdio: ["ignore", "ignore", "pipe"] })
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code === 0) return
  const logged = log && existsSync(log) ? readFileSync(log, "utf8") : ""
  throw new Error(`${command.join(" ")} failed:\n${said}${logged}`)
}

export async function newNode(folder: string, name: string): Promise<Node> {
  const socket = join(folder, `socket-${name}`)
  mkdirSync(socket)
  giveAway(socket)
  return {
    name,
    data: join(folder, name),
    log: join(folder, `log-${name}`),
    socket,
    port: await freePort(),
  }
}

/** Sends a signal to all processes of a server. */
export function signal({ data }: Node, name: NodeJS.Signals): void {
  const file = join(data, "postmaster.pid")
  if (!existsSync(file)) return
  const first = Number(readFileSync(file, "utf8").split("\n")[0])
  // The file of a server that was killed remains, and another process may have its ID by now.
  if (commandOf(first).includes(data)) signalTree(first, name)
}

/** Sends a signal to a process and those that it has started, the first one first, so that it starts no other. */
export function signalTree(first: number, name: NodeJS.Signals): void {
  const all = treeOf(first).filter(isAlive)
  for (const pid of all) if (isAlive(pid)) process.kill(pid, name)
  while (name === "SIGKILL" && all.some(isAlive)) Bun.sleepSync(5)
}

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** True unless the process has ended. Nobody may have asked for its exit code yet. */
const isAlive = (pid: number): boolean => /^\d+ \(.*\) [^ZX] /.test(read(`/proc/${pid}/stat`))

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`)

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number)

/** A file about a process, empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
