// Runs test files in parallel processes and prints a line for each. The last lines name the tests that failed.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { Glob } from "bun"
import { chromium, type BrowserServer } from "playwright-core"
import { makeNewShop } from "../test/support/new-shop"
import { postgres, sharedServer, type PostgresServer } from "../test/support/postgres"
import { browserArguments, findBrowser } from "./browser"
import { findPostgres } from "./postgres"
import { isPage, runsInProcess } from "./test-kinds"

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

const reports = "dist/tests"

/** In milliseconds. A test that waits for something waits for minutes, so that no test depends on the machine's speed. */
const longestTest = 600_000

/** Folders whose files share processes, although they run on the program: each of their files takes only seconds. */
const sharing = ["test/clients/", "test/api/", "test/cli/"]

/** The jobs that take longest, by the beginning of their name. They start first, so that no core is idle at the end. */
const longest = [
  "test/faults/",
  "test/console/",
  "in process: test",
  "in process",
  "test/guide",
  "on the program",
]

/**
 * How many files one process runs: of those with a server in it, and of those on the program. The first ones take longer,
 * because the engine compiles what is used often.
 */
const filesInProcess = 40
const filesOnProgram = 4

/** Runs the selected files and prints the results. Returns true if all tests passed. */
export async function runTestFiles(selection: Selection): Promise<boolean> {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const files = filesOf(selection)
  const browser = files.some(isPage) ? await sharedBrowser() : null
  const server = selection.engine === "postgres" ? await sharedPostgres() : null
  const folder = mkdtempSync(join(tmpdir(), "kontor-tests-"))
  const env = {
    ...environmentOf(selection, browser, server),
    ...(selection.engine === "sqlite" ? { KONTOR_TEST_NEW_SHOP: await makeNewShop(folder) } : {}),
  }
  const jobs = jobsOf(files, selection)
  const results: Result[] = []
  const count = jobs.length
  // Tests in the browser wait most of the time, so others run beside them.
  const take = (prefersPages: boolean): Job | undefined => {
    const at = jobs.findIndex(({ files: [first = ""] }) => isPage(first) === prefersPages)
    return jobs.splice(Math.max(at, 0), 1)[0]
  }
  const work = async (prefersPages: boolean) => {
    for (let job = take(prefersPages); job; job = take(prefersPages))
      results.push(await run(job, env, () => `${results.length + 1}/${count}`))
  }
  // More processes than there are cores, because each of them waits now and then.
  const processes = availableParallelism() + 2
  await Promise.all(Array.from({ length: processes }, (_, i) => work(i < processes / 2)))
  await browser?.close()
  server?.stop()
  rmSync(folder, { recursive: true })
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

/** Files of different parts do not share a process: modules of the browser add what servers do not have. */
const hereParts = ["browser", "src", "test"] as const
const partOf = (file: string) =>
  /^src\/console\/|^src\/.*\/page\//.test(file) ? "browser" : hereParts.find((part) => file.startsWith(part))

/** Distributes files to processes. */
function jobsOfPart(name: string, files: readonly string[], most: number, isInProcess: boolean): Job[] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, i) => ({
    name: `${name}, ${i + 1} of ${count}`,
    files: files.filter((_file, place) => place % count === i),
    isInProcess,
  }))
}

function jobsOf(files: readonly string[], { engine }: Selection): Job[] {
  // A server in this process would not be told of other writes to PostgreSQL while a test waits.
  const isHere = (file: string) => engine === "sqlite" && runsInProcess(file)
  const [here, others] = [files.filter(isHere), files.filter((file) => !isHere(file))]
  const isShared = (file: string) => sharing.some((start) => file.startsWith(start))
  const jobs = [
    ...hereParts.flatMap((part) =>
      jobsOfPart(
        `in process: ${part}`,
        here.filter((file) => partOf(file) === part),
        filesInProcess,
        true,
      ),
    ),
    ...sharing.flatMap((start) =>
      jobsOfPart(
        `on the program: ${start}`,
        others.filter((file) => file.startsWith(start)),
        filesOnProgram,
        false,
      ),
    ),
    ...others
      .filter((file) => !isShared(file))
      .map((file) => ({ name: file, files: [file], isInProcess: false })),
  ]
  const rank = ({ name }: Job) => {
    const place = longest.findIndex((start) => name.startsWith(start))
    return place < 0 ? longest.length : place
  }
  return jobs.toSorted((a, b) => rank(a) - rank(b))
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
  place: () => string,
): Promise<Result> {
  const outfile = `${reports}/${name.replaceAll(/[/ ]/g, "-")}.xml`
  const started = performance.now()
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--only-failures",
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
    new Response(child.stderr).text(),
    child.exited,
  ])
  const { passed, failed } = await resultIn(outfile)
  // A file that fails outside its tests counts as a failure too.
  if (failed.length === 0 && (code !== 0 || passed === 0)) failed.push(name)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const cpu = (Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6).toFixed(1)
  const shown = failed.length === 0 ? "ok" : "FAILED"
  console.log(`${shown}  ${place().padStart(7)}  ${name}  (${passed} tests, ${seconds} s, CPU ${cpu} s)`)
  if (failed.length > 0) console.log(`${stdout}\n${stderr}`)
  return { passed, failed }
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
