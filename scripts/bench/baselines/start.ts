// Starts what Kontor is measured against. What is not on the machine is installed from npm into a cache folder; what
// cannot be installed is left out, with a sentence that says so.
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Side } from "../wrk"

export type Yardstick = Side & { stop(): Promise<void> }

const here = import.meta.dir
const cache = join(here, "../../../node_modules/.cache/yardsticks")
export const cacheFolder = (name: string): string => join(cache, name)

export const startRaw = (file: string): Promise<Yardstick> =>
  start([process.execPath, join(here, "raw.ts"), file])

export async function startFastify(file: string): Promise<Yardstick | string> {
  const folder = cacheFolder("fastify")
  const failure = install(folder, ["package.json", "fastify.mjs", "rows.mjs"])
  if (failure) return `fastify: left out, because its packages cannot be installed: ${failure}`
  return start(["node", join(folder, "fastify.mjs"), file])
}

/** Copies our part of a yardstick into its folder and lets npm do the rest. Returns why that failed, if it did. */
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

/** A port that nobody listens on. */
export function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}

/** Waits until `isReady` says so; what fails until then is not up yet. */
export async function until(isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > deadline) throw new Error("It did not start within a minute.")
    await Bun.sleep(100)
  }
}

/** Starts a server that prints its address in its first line. */
async function start(command: string[]): Promise<Yardstick> {
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
