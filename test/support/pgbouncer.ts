import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ofDebian } from "../../scripts/debian"
import { asServer, freePort, giveAway, type PostgresServer } from "./postgres"
import { until } from "./until"

/** Starts a pooler in front of a PostgreSQL server. */
export async function pgbouncer(server: PostgresServer, mode: "session" | "transaction") {
  const folder = mkdtempSync(join(tmpdir(), "kontor-pool-"))
  giveAway(folder)
  const port = await freePort()
  const settings = join(folder, "pgbouncer.ini")
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port} user=kontor
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
pidfile = ${folder}/pid
logfile = ${folder}/log
`,
  )
  const child = Bun.spawn([...asServer, ofDebian("pgbouncer"), "-q", settings], {
    stdio: ["ignore", "ignore", "ignore"],
  })
  await until(() => answers(port))
  return {
    url: (database: string) => server.tcpUrl(database, port),
    async stop() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => (socket.destroy(), resolve(true)))
    socket.on("error", () => resolve(false))
  })
