import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A compiled server for a load test: without rate limits, with a signed-in admin. */
export type Server = {
  url: string
  pid: number
  headers: Record<string, string>
  startedIn: number
  stop(): Promise<void>
}

/** Creates a temporary folder. The caller deletes it with `remove`. */
export function scratch(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "kontor-bench-"))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Exits with a message when the load generator is not installed. */
export function needWrk(): void {
  if (Bun.which("wrk")) return
  console.error('The load generator "wrk" is missing. On Debian: apt-get install wrk')
  process.exit(1)
}

/** Starts dist/kontor on a file and signs in. */
export async function startServer(file: string, args: string[] = []): Promise<Server> {
  const person = { email: "bench@example.com", password: "bench bench bench" }
  const env = {
    ...process.env,
    KONTOR_ADMIN_EMAIL: person.email,
    KONTOR_ADMIN_PASSWORD: person.password,
    KONTOR_PLANS: "enterprise=100000000:unlimited,anonymous=100000000:unlimited",
  }
  const began = performance.now()
  const command = ["dist/kontor", "serve", "--db", file, "--port", "0", "--log-level", "error", ...args]
  const child = Bun.spawn(command, { env, stdout: "pipe", stderr: "inherit" })
  const line = new TextDecoder().decode((await child.stdout.getReader().read()).value)
  const startedIn = performance.now() - began
  const url = /http:\S+/.exec(line)?.[0] ?? ""
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { url, pid: child.pid, headers: { authorization: `Bearer ${data.token}` }, startedIn, stop }
}

/** The user and system CPU time of a process in µs; the kernel counts in steps of 10 ms. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** The resident memory of a process in MB. */
export const residentOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024)

/** Waits until the server has been idle for some seconds: it loads all words once after its start. */
export async function learned({ pid }: Server): Promise<void> {
  for (let [before, idle] = [cpuOf(pid), 0]; idle < 6; before = cpuOf(pid)) {
    await Bun.sleep(500)
    idle = cpuOf(pid) - before > 20_000 ? 0 : idle + 1
  }
}

/** The median: one slow round does not change it. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
