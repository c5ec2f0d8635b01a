// Runs the checks in groups, then the tests. The steps of a group run at the same time. If a step fails, the later groups
// and the tests do not run.
//   bun scripts/test.ts            static checks, build, API document, all tests
//   bun scripts/test.ts --static   only the static checks
//   bun scripts/test.ts --quick    static checks, and the tests that need neither the executable nor much time
//   bun scripts/test.ts --console  all tests in the browser, in their long form
//   bun scripts/test.ts --postgres the tests of the API and the fault tests on PostgreSQL, those of several servers, and
//                                  those that the first form leaves out because they take long
//   bun scripts/test.ts --long     the tests that take long: the long forms of tests, all that can run on PostgreSQL,
//                                  the long fault tests, and a release
import { parseArgs } from "node:util"
import { runTestFiles, type Selection } from "./test-files"
import {
  canUsePostgres,
  hasLongForm,
  isLeft,
  isPage,
  isQuick,
  isUsual,
  runsInProcess,
  runsTwice,
  startsPostgres,
} from "./test-kinds"

type Step = { name: string; command: string[] }

const { values: form } = parseArgs({
  options: {
    static: { type: "boolean" },
    quick: { type: "boolean" },
    console: { type: "boolean" },
    postgres: { type: "boolean" },
    long: { type: "boolean" },
  },
})
const bun = process.execPath

const statics: Step[] = [
  { name: "format", command: [bun, "fmt", "--check", "src", "test", "scripts"] },
  { name: "lint", command: [bun, "x", "oxlint", "--deny-warnings", "src", "test", "scripts"] },
  { name: "types", command: [bun, "check", "--no-script"] },
  { name: "layers", command: [bun, "scripts/layers.ts"] },
  { name: "tests and time", command: [bun, "scripts/test-rules.ts"] },
]
const build: Step = { name: "build", command: [bun, "scripts/build.ts"] }
const document: Step = { name: "API document", command: [bun, "scripts/lint-openapi.ts"] }
const browser: Step = { name: "browser", command: [bun, "scripts/browser.ts"] }
const postgres: Step = { name: "PostgreSQL", command: [bun, "scripts/postgres.ts"] }
const debian: Step = { name: "Debian packages", command: [bun, "scripts/debian.ts"] }
const longForms: Step[] = [
  { name: "crash, power, disk", command: [bun, "scripts/faults/main.ts", "all"] },
  { name: "overload", command: [bun, "scripts/faults/overload.ts"] },
  { name: "fuzz", command: [bun, "scripts/faults/fuzz.ts", "--requests", "50000"] },
  { name: "cost", command: [bun, "scripts/faults/cost.ts"] },
  { name: "release", command: [bun, "scripts/release/check.ts"] },
  { name: "image", command: [bun, "scripts/packaging/build-stage.ts"] },
]

/** The steps before the tests, the tests, and the steps after them. */
type Plan = { before: Step[][]; tests: Selection[]; after: Step[] }

function planOf(): Plan {
  // Not together: only one package manager can run at a time.
  const tools = [[browser], [postgres], [debian]]
  if (form.static) return { before: [statics], tests: [], after: [] }
  if (form.quick)
    return {
      before: [statics],
      tests: [{ isWanted: (file) => runsInProcess(file) && isQuick(file), engine: "sqlite" }],
      after: [],
    }
  if (form.console)
    return {
      before: [[build], [browser]],
      tests: [{ isWanted: isPage, engine: "sqlite", isLong: true }],
      after: [],
    }
  if (form.postgres)
    return {
      before: [[build], [postgres], [debian]],
      tests: [
        { isWanted: (file) => startsPostgres(file) || isLeft(file), engine: "sqlite" },
        { isWanted: runsTwice, engine: "postgres" },
      ],
      after: [],
    }
  if (form.long)
    return {
      before: [[build], ...tools],
      tests: [
        { isWanted: (file) => hasLongForm(file) || !isUsual(file), engine: "sqlite", isLong: true },
        { isWanted: canUsePostgres, engine: "postgres", isLong: true },
      ],
      after: longForms,
    }
  return {
    before: [[...statics, build], [document, browser], [debian]],
    tests: [{ isWanted: isUsual, engine: "sqlite" }],
    after: [],
  }
}

const { before, tests, after } = planOf()
if (!form.quick) process.env.KONTOR_BINARY = `${process.cwd()}/dist/kontor`
for (const group of before) {
  const passed = await Promise.all(group.map(isPassed))
  if (passed.includes(false)) stop()
}
let isGood = true
for (const selection of tests) isGood = (await runTestFiles(selection)) && isGood
for (const step of after) isGood = (await isPassed(step)) && isGood
process.exit(isGood ? 0 : 1)

function stop(): never {
  console.log("0 passed, 1 failed")
  process.exit(1)
}

async function isPassed({ name, command }: Step): Promise<boolean> {
  const started = performance.now()
  const code = await Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] }).exited
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok" : "FAILED"}  ${name}  (${seconds} s)`)
  return code === 0
}
