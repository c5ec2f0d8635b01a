// Fuzzes dist/kontor from its own API document: bun scripts/faults/fuzz.ts --requests 50000 --seed 1
import { parseArgs } from "node:util"
import { adminEmail, adminPassword, cleanUp, serve } from "../../test/support/kontor"
import { fuzz } from "./fuzz-run"
import { fuzzPlans } from "./fuzz-plans"

const { values } = parseArgs({
  options: { requests: { type: "string", default: "50000" }, seed: { type: "string" } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
console.log(`seed ${seed}`)
const kontor = await serve({
  env: { ...fuzzPlans, KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword },
})
const began = performance.now()
const report = await fuzz({
  url: kontor.url,
  email: adminEmail,
  password: adminPassword,
  seed,
  requests: Number(values.requests),
})
const seconds = Math.round((performance.now() - began) / 1000)
const errors = kontor.output.stderr.split("\n").filter((line) => line.includes('"level":"error"'))
await cleanUp()
console.log(`${report.requests} requests to ${report.operations} operations in ${seconds} s`)
console.log(`responses: ${JSON.stringify(report.statuses)}`)
if (report.neverSucceeded.length > 0) console.log(`never returned 2xx: ${report.neverSucceeded.join(", ")}`)
for (const line of [...report.problems, ...errors.slice(0, 20)]) console.log(`PROBLEM ${line}`)
console.log(`${report.problems.length + errors.length} problems`)
process.exit(report.problems.length + errors.length + report.neverSucceeded.length > 0 ? 1 : 0)
