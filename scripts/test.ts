// Every check there is, in the order in which they fail fastest. `--static` stops before anything is built or run.
import { rmSync } from "node:fs"

type Step = { name: string; command: string[]; env?: Record<string, string> }

const bun = process.execPath
const report = "dist/tests.xml"

const statics: Step[] = [
  { name: "format", command: [bun, "fmt", "--check", "src", "test", "scripts"] },
  { name: "lint", command: [bun, "x", "oxlint", "--deny-warnings", "src", "test", "scripts"] },
  { name: "types", command: [bun, "check", "--no-script"] },
  { name: "layers", command: [bun, "scripts/layers.ts"] },
]
const runs: Step[] = [
  { name: "build", command: [bun, "scripts/build.ts"] },
  { name: "api document", command: [bun, "scripts/lint-openapi.ts"] },
  { name: "browser", command: [bun, "scripts/browser.ts"] },
  {
    name: "tests",
    command: [bun, "test", "--timeout", "60000", "--reporter=junit", `--reporter-outfile=${report}`],
    env: { KONTOR_BINARY: `${process.cwd()}/dist/kontor` },
  },
]

rmSync(report, { force: true })
let failed: string | null = null
for (const step of process.argv.includes("--static") ? statics : [...statics, ...runs]) {
  const started = performance.now()
  const { exitCode } = Bun.spawnSync(step.command, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...step.env },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${exitCode === 0 ? "ok" : "FAILED"}  ${step.name}  (${seconds} s)`)
  if (exitCode !== 0) {
    failed = step.name
    break
  }
}

const counted = await countTests()
if (counted) console.log(`${counted.tests - counted.failures} passed, ${counted.failures} failed`)
else if (failed) console.log("0 passed, 1 failed")
process.exit(failed ? 1 : 0)

async function countTests(): Promise<{ tests: number; failures: number } | null> {
  const file = Bun.file(report)
  if (!(await file.exists())) return null
  const head = /<testsuites[^>]*>/.exec(await file.text())?.[0] ?? ""
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  return { tests: number("tests"), failures: number("failures") + number("errors") }
}
