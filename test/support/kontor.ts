import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { adminEmail, adminPassword } from "./admin"
import { addressOf, deleteDatabases, isPostgres, withAddress } from "./engine"
import { copyNewShop } from "./new-shop"
import { isInProcess, program } from "./program"

export { adminEmail, adminPassword, program }

if (isInProcess) await (await import("./passwords")).rememberPasswords()

const folders: string[] = []
const servers: Bun.Subprocess[] = []
const serversHere: { stop(): Promise<unknown> }[] = []

/** Creates an empty folder, which is deleted when the tests end. */
export function emptyFolder(within: string = tmpdir()): string {
  const folder = mkdtempSync(join(within, "kontor-test-"))
  folders.push(folder)
  return folder
}

type Environment = Record<string, string>
/** High limits, because the tests send many requests from one address. The tests of limits set their own. */
const noLimits = "enterprise=1000000:unlimited,anonymous=1000000:unlimited"
const cleanEnvironment = (cwd: string, extra: Environment = {}): Environment => ({
  ...(isPostgres ? { KONTOR_DB: addressOf(join(cwd, "kontor.db"), isAdmin(extra)) } : {}),
  KONTOR_PLANS: noLimits,
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...extra,
})

const isAdmin = ({ KONTOR_ADMIN_EMAIL: email, KONTOR_ADMIN_PASSWORD: password }: Environment) =>
  email === adminEmail && password === adminPassword

/** Runs a command and waits for its exit. */
export async function run(
  args: string[],
  { cwd = emptyFolder(), env = {}, stdin = "", command = program } = {},
) {
  const child = Bun.spawn([...command, ...withAddress(args, cwd)], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  // PostgreSQL may notify a server of the command's writes a moment after they were committed.
  if (isPostgres) await Bun.sleep(100)
  return { code, stdout, stderr }
}

/** A server under test. */
export type Kontor = {
  url: string
  cwd: string
  /** What it has printed until now. */
  output: { stdout: string; stderr: string }
  process: Bun.Subprocess
  /** The path of its database. */
  file: string
  /** Returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>
}

/** Starts a server on a free port and waits for its first line. With `isFirst`, it also creates the database. */
export async function serve({
  args = [] as string[],
  cwd = emptyFolder(),
  env = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword } as Environment,
  command = program,
  isFirst = false,
} = {}): Promise<Kontor> {
  const isOther = isFirst || isPostgres || command !== program || !isAdmin(env)
  if (!isOther && !args.includes("--db") && !args.includes("--demo")) copyNewShop(cwd)
  if (isInProcess && command === program) {
    // A test on the program need not load the whole server.
    const { serveHere } = await import("./here")
    const server = await serveHere(withAddress(args, cwd), cwd, cleanEnvironment(cwd, env))
    serversHere.push(server)
    return server
  }
  const child = Bun.spawn([...command, "serve", "--port", "0", ...withAddress(args, cwd)], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  servers.push(child)
  const output = { stdout: "", stderr: "" }
  const errors = follow(child.stderr, (text) => (output.stderr += text))
  const listening = new Promise<string>((resolve, reject) => {
    void follow(child.stdout, (text) => {
      output.stdout += text
      const address = /Kontor listening on (\S+)\n/.exec(output.stdout)?.[1]
      if (address) resolve(address)
    })
    void child.exited.then((code) => reject(new Error(`serve ended with ${code}: ${output.stderr}`)))
  })
  const url = await listening
  return {
    url,
    cwd,
    output,
    process: child,
    file: join(cwd, "kontor.db"),
    async stop(signal: NodeJS.Signals = "SIGTERM") {
      child.kill(signal)
      await errors
      return child.exited
    },
  }
}

/** Stops all servers and deletes all folders. Call it in afterAll. */
export async function cleanUp(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.kill("SIGKILL")
    await server.exited
  }
  await Promise.all(serversHere.splice(0).map((server) => server.stop()))
  deleteDatabases()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

async function follow(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>)
    take(decoder.decode(chunk, { stream: true }))
}
