// Runs the checks in groups, then the tests. The steps of a group run at the same time. If a step fails, the later groups
// and the tests do not run.
//   bun scripts/test.ts            static checks, build, API document, all tests on the binary; the API tests and the
//                                  fault tests on SQLite and on PostgreSQL
//   bun scripts/test.ts --static   only the static checks
//   bun scripts/test.ts --quick    static checks, build, unit tests and API tests
//   bun scripts/test.ts --postgres all API tests and fault tests that can run on PostgreSQL, on PostgreSQL
//   bun scripts/test.ts --long     the long versions of the fault tests and a release, which take an hour
import { parseArgs } from "node:util"
import { runTestFiles } from "./test-files"

type Step = { name: string; command: string[] }

const { values: form } = parseArgs({
  options: {
    static: { type: "boolean" },
    quick: { type: "boolean" },
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
]
const build: Step = { name: "build", command: [bun, "scripts/build.ts"] }
const document: Step = { name: "API document", command: [bun, "scripts/lint-openapi.ts"] }
const browser: Step = { name: "browser", command: [bun, "scripts/browser.ts"] }
const postgres: Step = { name: "PostgreSQL", command: [bun, "scripts/postgres.ts"] }
const longForms: Step[] = [
  { name: "crash, power, disk", command: [bun, "scripts/faults/main.ts", "all"] },
  { name: "overload", command: [bun, "scripts/faults/overload.ts"] },
  { name: "fuzz", command: [bun, "scripts/faults/fuzz.ts", "--requests", "50000"] },
  { name: "cost", command: [bun, "scripts/faults/cost.ts"] },
  { name: "release", command: [bun, "scripts/release/check.ts"] },
  { name: "image", command: [bun, "scripts/packaging/build-stage.ts"] },
]

/** The tests of `--quick`. Without an option all tests run. */
const quickTests = ["src/", "test/api/", "test/*.test.ts"]

/** The tests of `--postgres`. */
const postgresTests = ["test/api/", "test/faults/", "test/postgres/"]

/** The steps before the tests. Those of a group run at the same time. */
function groupsOf(): Step[][] {
  if (form.static) return [statics]
  if (form.long) return [[build], ...longForms.map((step) => [step])]
  if (form.quick) return [[...statics, build]]
  if (form.postgres) return [[build], [postgres]]
  return [
    [...statics, build],
    [document, browser],
    // Not together with the browser: only one package manager can run at a time.
    [postgres],
  ]
}

let hasFailed = false
for (const group of groupsOf()) {
  const passed = await Promise.all(group.map(isPassed))
  hasFailed = passed.includes(false)
  if (hasFailed) break
}
if (hasFailed) console.log("0 passed, 1 failed")
if (hasFailed || form.static || form.long) process.exit(hasFailed ? 1 : 0)

const tested = form.postgres ? postgresTests : form.quick ? quickTests : []
const engines = form.postgres ? "postgres" : form.quick ? "sqlite" : "both"
const { passed, failures } = await runTestFiles(tested, engines)
console.log(`${passed} passed, ${failures} failed`)
process.exit(failures === 0 ? 0 : 1)

async function isPassed({ name, command }: Step): Promise<boolean> {
  const started = performance.now()
  const code = await Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] }).exited
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok" : "FAILED"}  ${name}  (${seconds} s)`)
  return code === 0
}
