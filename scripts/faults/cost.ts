// Sends the most expensive values to dist/kontor, while a second client sends GET /health and measures how much CPU time
// the server spends until it responds:
// bun scripts/faults/cost.ts [--seed 1] [--binary dist/kontor] [--short] [--only bodies,queries]
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { cleanUp } from "../../test/support/kontor"
import { problemsIn, fullProfile, shortProfile } from "./cost-profiles"
import { cost, parts } from "./cost-run"

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    binary: { type: "string", default: process.env.KONTOR_BINARY ?? "dist/kontor" },
    short: { type: "boolean", default: false },
    only: { type: "string" },
  },
})
const only = values.only?.split(",")
const unknownParts = only?.filter((part) => !parts.includes(part)) ?? []
if (unknownParts.length > 0) {
  console.error(`Unknown part: ${unknownParts.join(", ")}. Choose from: ${parts.join(", ")}.`)
  process.exit(2)
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
console.log(`seed ${seed}`)
// An interrupt stops the server and deletes its files.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
const began = performance.now()
const form = values.short ? shortProfile : fullProfile
const report = await cost({
  ...form,
  seed,
  only,
  command: [resolve(values.binary)],
  say: (line) => console.log(line),
}).finally(cleanUp)
const worst = report.results.toSorted((a, b) => b.hold - a.hold).slice(0, 20)
console.log(["", "blocked for", "operation", "parameter", "value"].join("  "))
for (const { hold, operation, parameter, value, status } of worst)
  console.log(
    `${Math.round(hold).toString().padStart(7)} ms  ${operation.padEnd(34)}  ${parameter.padEnd(24)}  ${value}, status ${status}`,
  )
const problems = problemsIn(report, form.mostMemory)
if (report.memory) {
  const { before, after, peak } = report.memory
  console.log(
    `memory: ${before} MB before, ${after} MB after, ${peak} MB peak; limit ${form.mostMemory} MB after`,
  )
}
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  `${report.results.length} requests, ${problems.length} problems (${report.operations} operations, ${report.skipped} requests skipped, ${seconds} s)`,
)
process.exit(problems.length > 0 ? 1 : 0)
