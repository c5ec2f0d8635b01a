// Starts the servers that Kontor is compared with. A missing one is installed from npm into a cache folder. One that
// cannot be installed is skipped with a message.
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Side } from "../wrk"

export type Baseline = Side & { stop(): Promise<void> }

const here = import.meta.dir
const cache = join(here, "../../../node_modules/.cache/baselines")
export const cacheFolder = (name: string): string => join(cache, name)

export const startRaw = (file: string): Promise<Baseline> =>
  start([process.execPath, join(here, "raw.ts"), file])

export async function startFastify(file: string): Promise<Baseline | string> {
  const folder = cacheFolder("fastify")
  const failure = install(folder, ["package.json", "fastify.mjs", "rows.mjs"])
  if (failure) return `fastify: skipped, because its packages cannot be installed: ${failure}`
  return start(["node", join(folder, "fastify.mjs"), file])
}

/** Copies our files of a baseline into its folder and runs npm install. Returns the error message, or null. */
export function install(folder: string, files: readonly string[]): string | null {
  mkdirSync(folder, { recursive: true })
  for (const file of files)
    copyFileSync(join(here, file), join(folder, file.replace(/^.*-package/, "package")))
  if (existsSync(join(folder, "node_modules", ".package-lock.json"))) return null
  console.log(`Installing ${folder.slice(cache.length + 1)} for comparison; this may take minutes.`)
  const { exitCode, stderr } = Bun.spawnSync(["npm", "install", "--no-audit", "--no-fund"], { cwd: folder })
  const lines = stderr.toString().split("\n")
  return exitCode === 0 ? null : (lines.find((line) => line.startsWith("npm error")) ?? "npm failed")
}

/** Returns a free port. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}

/** Waits until `isReady` returns true. An error means that it is not ready yet. */
export async function until(isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > deadline) throw new Error("The server did not start within one minute.")
    await Bun.sleep(100)
  }
}

/** Starts a server that prints its URL in the first line. */
async function start(command: string[]): Promise<Baseline> {
  const child = Bun.spawn(command, {
    env: { ...process.env, NODE_ENV: "production" },
    stdout: "pipe",
    stderr: "inherit",
  })
  const line = new TextDecoder().decode((await child.stdout.getReader().read()).value)
  const url = /http:\/\/[\w.:]+/.exec(line)?.[0]
  if (!url) throw new Error(`${command.join(" ")} did not start: ${line}`)
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { url, pid: child.pid, stop }
}
