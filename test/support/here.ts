import { join, resolve } from "node:path"
import { readRun } from "../../src/cli/command"
import { serveCommand } from "../../src/cli/serve"
import { isAddress } from "../../src/core/engine/postgres/place"
import { stderrLog } from "../../src/core/lib/process/log"
import { startServer } from "../../src/server/serve"
import type { Kontor } from "./kontor"

/** Starts a server in this process, as the command does it in a process of its own. */
export async function serveHere(args: string[], cwd: string, env: Record<string, string>): Promise<Kontor> {
  const { config } = readRun(serveCommand, ["--port", "0", ...args], env)
  const { db, backupDir } = config
  const output = { stdout: "", stderr: "" }
  const server = await startServer(
    {
      ...config,
      db: config.demo ? ":memory:" : isAddress(db) ? db : resolve(cwd, db),
      backupDir: backupDir && resolve(cwd, backupDir),
    },
    {
      env: { ...env },
      log: stderrLog(config.logLevel, (text) => (output.stderr += text)),
      tell: (text) => (output.stdout += `${text}\n`),
    },
  )
  let stopped: Promise<number> | undefined
  return {
    url: /Kontor listening on (\S+)\n/.exec(output.stdout)?.[1] ?? "",
    cwd,
    output,
    file: join(cwd, "kontor.db"),
    get process(): never {
      throw new Error(
        "This test needs a server in a process of its own: list its file in scripts/test-kinds.ts.",
      )
    },
    stop(signal = "SIGTERM") {
      if (signal !== "SIGTERM") throw new Error(`A server in this process cannot be stopped with ${signal}.`)
      return (stopped ??= server.stop().then(() => 0))
    },
  }
}
