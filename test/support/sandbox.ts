import { apiWith, type Api } from "./api"
import { emptyFolder, program } from "./kontor"

/** What a sandbox prints. */
export type Access = {
  url: string
  apiKey: string
  email: string
  password: string
  now: string
  seed: number
}

export type Sandbox = Access & { api: Api; line: string; stop(): Promise<number> }

const running: Bun.Subprocess<"pipe", "pipe", "pipe">[] = []

/** Starts `kontor sandbox`. */
export async function sandbox(
  args: string[] = [],
  env: Record<string, string> = {},
  command: readonly string[] = program,
): Promise<Sandbox> {
  const child = Bun.spawn([...command, "sandbox", ...args], {
    cwd: emptyFolder(),
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  })
  running.push(child)
  const decoder = new TextDecoder()
  let line = ""
  for await (const part of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    line += decoder.decode(part, { stream: true })
    if (line.endsWith("\n")) break
  }
  if (line === "") throw new Error(await new Response(child.stderr).text())
  const access = JSON.parse(line) as Access
  return {
    ...access,
    line,
    api: apiWith(access, { "x-api-key": access.apiKey }),
    async stop() {
      child.stdin.end()
      return child.exited
    },
  }
}

/** Ends all sandboxes. Call it in afterAll. */
export async function stopSandboxes(): Promise<void> {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL")
    await child.exited
  }
}
