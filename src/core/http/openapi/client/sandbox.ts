// Starts a sandbox for tests. `kontor client` prints what follows the line. What comes before it stands for the rest of
// the client.
import { senderOf } from "./runtime"
declare const createClient: (client: { url: string; apiKey: string }) => object
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

/** What `kontor sandbox` prints. */
type SandboxAccess = Record<"url" | "apiKey" | "email" | "password" | "now", string> & { seed: number }
/** What happens to requests: a `path` is below /api/v1, and an asterisk ends a prefix. */
export type SandboxFault = { method?: string; path?: string; status?: number; drop?: "before" | "after" } & {
  [of in "delayMs" | "rate" | "count"]?: number
}
type SandboxMail = { to: string[]; subject: string; text: string; attachments: { name: string }[] }
type SandboxMove = { now: string; ran: { work: string; times: number }[] }
/** A process of Node.js, as Bun and Deno have it too. */
type Child = {
  stdin: { end(): void }
  stdout: { on(event: "data", take: (part: unknown) => void): void }
  once(event: "error" | "exit", take: (reason: unknown) => void): void
}
type System = { process: { getBuiltinModule(name: string): { spawn(...of: unknown[]): Child } } }

/** Starts `kontor sandbox` for tests. It ends with `stop`, and with the process that has started it. */
export async function startSandbox({ command = "kontor", args = [] as string[] } = {}) {
  const { spawn } = (globalThis as unknown as System).process.getBuiltinModule("node:child_process")
  const child = spawn(command, ["sandbox", ...args], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = new Promise<unknown>((resolve) => child.once("exit", resolve))
  const access = await new Promise<SandboxAccess>((resolve, reject) => {
    let line = ""
    child.stdout.on("data", (part) => (line += part).endsWith("\n") && resolve(JSON.parse(line)))
    child.once("error", reject)
    void ended.then((code) => reject(new Error(`${command} sandbox ended with ${code}.`)))
  })
  const send = senderOf(access, null)
  const control = <Result>(method: string, path: string, body?: object): Promise<Result> =>
    send(method, `/api/v1/sandbox${path}`, { body, isHarmless: true })
  return {
    ...access,
    client: createClient(access),
    /** Moves the clock forward, to a time or by a duration such as P1M, and runs what becomes due. */
    moveClock: (to: { now: string } | { advance: string }) => control<SandboxMove>("PUT", "/clock", to),
    /** Sets everything back to how it was at the start. */
    reset: () => control<object>("POST", "/reset"),
    save: (name: string) => control<object>("POST", "/snapshots", { name }),
    restore: (name: string) => control<object>("POST", `/snapshots/${encodeURIComponent(name)}/restore`),
    /** Lets requests fail from now on. An empty list ends that. */
    faults: (faults: SandboxFault[]) => control<object>("PUT", "/faults", faults),
    /** The mail that was kept instead of sent, the newest first. */
    messages: () => control<SandboxMail[]>("GET", "/messages"),
    stop: () => (child.stdin.end(), ended),
  }
}
