// Runs test files in parallel processes and prints a line for each.
import { mkdirSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Glob } from "bun"
import { chromium, type BrowserServer } from "playwright-core"
import { postgres, sharedServer, type PostgresServer } from "../test/support/postgres"
import { browserArguments, findBrowser } from "./browser"
import { findPostgres } from "./postgres"
import { canUsePostgres, runsTwice } from "./test-engines"

/**
 * The files that one process runs: one test file, or all unit tests, because they take less time than a new process. With
 * `onPostgres`, the servers under test use databases of one PostgreSQL server instead of files.
 */
type Job = { name: string; files: string[]; onPostgres: boolean }
type Result = { passed: number; failures: number }

/** On which engines the test files run. */
export type Engines = "sqlite" | "postgres" | "both"

const reports = "dist/tests"
const unitTests: Job = { name: "src (unit tests)", files: ["src/"], onPostgres: false }

/**
 * The order of the jobs, by the beginning of their path: the longest first, so that no core is idle at the end. The
 * browser tests use the most CPU time and wait the least.
 */
const order = [
  "test/faults/cost",
  "test/console/week",
  "test/console/pages",
  "test/console/dialogs",
  "test/console/docs",
  "test/console/co",
  "test/console/t",
  "test/console/",
  "test/faults/",
  "test/clients/",
  "test/api/scans",
  "test/api/reprice-jobs",
  "test/api/imports",
  "test/api/large-lists",
  "test/api/model",
  "test/api/round-trip",
  "test/api/export",
  "test/api/login-throttle",
  "test/cli/",
  "test/api/",
]

/** Jobs that mostly wait, by the beginning of their path. They run beside the others, because they use little CPU time. */
const waiting = [
  "test/api/export-streams",
  "test/api/limits",
  "test/api/login-throttle",
  "test/api/oauth-races",
  "test/api/webhook-r",
  "test/api/webhook-sending",
  "test/api/wrong-clock",
  "test/faults/races",
  "test/postgres/several",
]
const waits = ({ name }: Job) => waiting.some((start) => name.startsWith(start))

/** This test measures how long a server delays requests. The other jobs get a lower priority, so as not to slow it. */
const isPunctual = (name: string) => name.startsWith("test/faults/cost")
const patient = process.platform === "win32" ? [] : ["nice", "-n", "10"]

/** Runs the test files that match a pattern or begin with a path; all of them if none is given. */
export async function runTestFiles(patterns: readonly string[], engines: Engines): Promise<Result> {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const jobs = jobsOf(patterns, engines)
  const browser = jobs.some(({ name }) => name.startsWith("test/console/")) ? await sharedBrowser() : null
  const server = jobs.some(({ onPostgres }) => onPostgres) ? await sharedPostgres() : null
  const env = {
    ...process.env,
    KONTOR_BINARY: `${process.cwd()}/dist/kontor`,
    ...(browser ? { KONTOR_TEST_BROWSER: browser.wsEndpoint() } : {}),
  }
  const onServer = {
    // Fewer than on SQLite, because each takes twice as long.
    KONTOR_STORIES: "12",
    ...env,
    KONTOR_TEST_ENGINE: "postgres",
    KONTOR_TEST_POSTGRES: server?.url(),
  }
  const envOf = ({ onPostgres }: Job) => (onPostgres ? onServer : env)
  const total: Result = { passed: 0, failures: 0 }
  let done = 0
  const work = async (next: () => Job | undefined): Promise<void> => {
    for (let job = next(); job; job = next()) {
      const { passed, failures } = await run(job, envOf(job), () => `${++done}/${count}`)
      total.passed += passed
      total.failures += failures
    }
  }
  const count = jobs.length
  const slow = jobs.filter(waits)
  const others = jobs.filter((job) => !waits(job))
  // Two processes more than there are cores: one for the jobs that mostly wait, and one that takes the other jobs from the
  // end, because these wait more than those at the beginning.
  await Promise.all([
    work(() => slow.shift()),
    work(() => others.pop()),
    ...Array.from({ length: availableParallelism() }, () => work(() => others.shift() ?? slow.shift())),
  ])
  await browser?.close()
  server?.stop()
  return total
}

/** Starts one PostgreSQL server for all test files. It also stops if the tests are interrupted. */
async function sharedPostgres(): Promise<PostgresServer> {
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

function jobsOf(patterns: readonly string[], engines: Engines): Job[] {
  const isWanted = (file: string) =>
    patterns.length === 0 ||
    patterns.some((pattern) => file.startsWith(pattern) || new Glob(pattern).match(file))
  const files = [...new Glob("test/**/*.test.ts").scanSync()].filter(isWanted)
  // The tests in test/postgres start servers of their own.
  const onSqlite = engines === "postgres" ? files.filter((file) => file.startsWith("test/postgres/")) : files
  const jobs = [...onSqlite.map(sqliteJob), ...postgresFiles(files, engines).map(postgresJob)]
  const rank = ({ name }: Job) => {
    const place = order.findIndex((start) => name.startsWith(start))
    return place < 0 ? order.length : place
  }
  const sorted = jobs.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  return isWanted("src/") ? [...sorted, unitTests] : sorted
}

const sqliteJob = (file: string): Job => ({ name: file, files: [file], onPostgres: false })
const postgresJob = (file: string): Job => ({
  name: `${file} on PostgreSQL`,
  files: [file],
  onPostgres: true,
})

/** The files that run on PostgreSQL. If it cannot be installed, a line says that they were left out. */
function postgresFiles(files: readonly string[], engines: Engines): string[] {
  const wanted = engines === "sqlite" ? [] : files.filter(engines === "both" ? runsTwice : canUsePostgres)
  if (wanted.length === 0 || findPostgres() !== null) return wanted
  console.log(`PostgreSQL is not installed: ${wanted.length} test files were left out on PostgreSQL.`)
  return []
}

async function run(
  { name, files, onPostgres }: Job,
  env: Record<string, string | undefined>,
  place: () => string,
): Promise<Result> {
  const report = `${reports}/${name.replaceAll(/[/ ]/g, "-")}.xml`
  const started = performance.now()
  const child = Bun.spawn(
    [
      ...(isPunctual(name) ? [] : patient),
      process.execPath,
      "test",
      "--timeout",
      onPostgres ? "300000" : "60000",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...files,
    ],
    { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  )
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const { tests, failures, skipped } = await countsIn(report)
  const isPassed = code === 0 && tests > 0
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const counts = `${tests} tests${skipped > 0 ? `, ${skipped} skipped` : ""}`
  console.log(`${isPassed ? "ok" : "FAILED"}  ${place().padStart(7)}  ${name}  (${counts}, ${seconds} s)`)
  if (!isPassed) console.log(`${stdout}\n${stderr}`)
  // A file that fails outside its tests counts as a failure too.
  return { passed: tests - failures - skipped, failures: isPassed ? 0 : Math.max(1, failures) }
}

async function countsIn(report: string): Promise<{ tests: number; failures: number; skipped: number }> {
  const file = Bun.file(report)
  const head = (await file.exists()) ? (/<testsuites[^>]*>/.exec(await file.text())?.[0] ?? "") : ""
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  return {
    tests: number("tests"),
    failures: number("failures") + number("errors"),
    skipped: number("skipped"),
  }
}
