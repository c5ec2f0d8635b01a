// Runs test files in parallel processes and prints a line for each. The last lines name the tests that failed.
import { mkdirSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Glob } from "bun"
import { chromium, type BrowserServer } from "playwright-core"
import { postgres, sharedServer, type PostgresServer } from "../test/support/postgres"
import { browserArguments, findBrowser } from "./browser"
import { findPostgres } from "./postgres"
import { runsInProcess } from "./test-kinds"

/** What to run: the files that `isWanted`, with databases of one engine. */
export type Selection = {
  isWanted: (file: string) => boolean
  engine: "sqlite" | "postgres"
  /** Runs the long form of tests that have one. */
  isLong?: boolean
}

/** One call of `bun test`. */
type Job = { name: string; files: string[]; isInProcess: boolean }
type Result = { passed: number; failed: string[] }
type Progress = (file: string, isPassed: boolean, more: string) => void

const reports = "dist/tests"

/** In milliseconds. A test that waits for something waits for minutes, so that no test depends on the machine's speed. */
const longestTest = 600_000

/** The jobs that take longest, by the beginning of their path. They start first, so that no core is idle at the end. */
const longest = ["test/faults/cost", "test/console/week", "test/console/", "test/postgres/", "test/faults/"]

/** Runs the selected files and prints the results. Returns true if all tests passed. */
export async function runTestFiles(selection: Selection): Promise<boolean> {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const files = filesOf(selection)
  const browser = files.some((file) => file.startsWith("test/console/")) ? await sharedBrowser() : null
  const server = selection.engine === "postgres" ? await sharedPostgres() : null
  const env = environmentOf(selection, browser, server)
  const progress = progressOf(files.length)
  const results: Result[] = []
  const here = files.filter(runsInProcess)
  // Alone, because it uses all cores.
  if (here.length > 0)
    results.push(await run({ name: "in process", files: here, isInProcess: true }, env, progress))
  const jobs = files.filter((file) => !runsInProcess(file)).toSorted((a, b) => rank(a) - rank(b))
  const work = async () => {
    for (let file = jobs.shift(); file; file = jobs.shift())
      results.push(await run({ name: file, files: [file], isInProcess: false }, env, progress))
  }
  // One more than there are cores, because each of them waits now and then.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  await browser?.close()
  server?.stop()
  return report(results)
}

function report(results: readonly Result[]): boolean {
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.flatMap((result) => result.failed)
  for (const name of failed) console.log(`failed: ${name}`)
  console.log(`${passed} passed, ${failed.length} failed`)
  return failed.length === 0 && passed > 0
}

/** The selected files. Those on PostgreSQL are left out with a message where it cannot be installed. */
function filesOf({ isWanted, engine }: Selection): string[] {
  const files = [...new Glob("{src,test}/**/*.test.{ts,tsx}").scanSync()].filter(isWanted).toSorted()
  if (engine === "sqlite" || findPostgres() !== null) return files
  console.log(`PostgreSQL is not installed: ${files.length} test files were left out.`)
  return []
}

const rank = (file: string): number => {
  const place = longest.findIndex((start) => file.startsWith(start))
  return place < 0 ? longest.length : place
}

/** Prints a line for each file that is done. */
function progressOf(count: number): Progress {
  let done = 0
  return (file, isPassed, more) => {
    done++
    console.log(`${isPassed ? "ok" : "FAILED"}  ${`${done}/${count}`.padStart(7)}  ${file}${more}`)
  }
}

function environmentOf(
  { engine, isLong }: Selection,
  browser: BrowserServer | null,
  server: PostgresServer | null,
): Record<string, string | undefined> {
  return {
    ...process.env,
    ...(browser ? { KONTOR_TEST_BROWSER: browser.wsEndpoint() } : {}),
    ...(engine === "postgres" ? { KONTOR_TEST_ENGINE: engine, KONTOR_TEST_POSTGRES: server?.url() } : {}),
    ...(isLong ? { KONTOR_TEST_LONG: "1" } : {}),
  }
}

/** Starts one PostgreSQL server for all test files. It also stops if the tests are interrupted. */
async function sharedPostgres(): Promise<PostgresServer | null> {
  if (findPostgres() === null) return null
  const server = await postgres({ ...sharedServer, isPatient: true })
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      server.stop()
      process.exit(1)
    })
  return server
}

/** Starts one browser for all test files; null if no browser is installed. */
async function sharedBrowser(): Promise<BrowserServer | null> {
  const executablePath = findBrowser()
  return executablePath === null
    ? null
    : await chromium.launchServer({ executablePath, args: browserArguments })
}

async function run(
  { name, files, isInProcess }: Job,
  env: Record<string, string | undefined>,
  progress: Progress,
): Promise<Result> {
  const outfile = `${reports}/${name.replaceAll(/[/ ]/g, "-")}.xml`
  const started = performance.now()
  const workers = `--parallel=${availableParallelism() + 1}`
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      ...(isInProcess ? [workers, "--no-isolate"] : ["--only-failures"]),
      `--timeout=${longestTest}`,
      "--reporter=junit",
      `--reporter-outfile=${outfile}`,
      ...files.map((file) => `./${file}`),
    ],
    {
      env: isInProcess ? { ...env, KONTOR_TEST_IN_PROCESS: "1" } : env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  )
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    isInProcess ? shown(child.stderr, progress) : new Response(child.stderr).text(),
    child.exited,
  ])
  const { passed, failed } = await resultIn(outfile)
  // A file that fails outside its tests counts as a failure too.
  if (code !== 0 && failed.length === 0) failed.push(name)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (!isInProcess) progress(name, failed.length === 0, `  (${passed} tests, ${seconds} s)`)
  if (failed.length > 0) console.log(`${stdout}\n${stderr}`)
  return { passed, failed }
}

/** Reports the files in the output of a process that runs many. Returns what it says of tests that failed. */
async function shown(output: ReadableStream<Uint8Array>, progress: Progress): Promise<string> {
  let file = ""
  let lines: string[] = []
  let failures = ""
  const finish = () => {
    const hasFailed = lines.some((line) => line.startsWith("(fail)"))
    if (file) progress(file, !hasFailed, "")
    if (hasFailed || !file) failures += `${[file, ...lines].join("\n")}\n`
    lines = []
  }
  for await (const line of linesOf(output)) {
    const heading = /^((?:src|test)\/\S+\.test\.tsx?):$/.exec(line)?.[1]
    if (heading !== undefined) {
      finish()
      file = heading
    } else if (!line.startsWith("(pass)")) lines.push(line)
  }
  finish()
  return failures
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = parts.pop() ?? ""
    yield* parts
  }
  yield rest
}

/** The number of tests that passed, and the names of those that failed. */
async function resultIn(report: string): Promise<Result> {
  const file = Bun.file(report)
  const text = (await file.exists()) ? await file.text() : ""
  const number = (name: string) =>
    Number(new RegExp(`<testsuites[^>]*\\b${name}="(\\d+)"`).exec(text)?.[1] ?? 0)
  const failed = [
    ...text.matchAll(
      /<testcase name="([^"]*)" classname="([^"]*)"[^>]*file="([^"]*)"[^>]*>\s*<(?:failure|error)/g,
    ),
  ].map(([, test = "", group = "", path = ""]) => plain(`${path}: ${group ? `${group} > ` : ""}${test}`))
  return { passed: number("tests") - number("failures") - number("skipped"), failed }
}

const entities: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
}
const plain = (text: string): string => text.replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity)
