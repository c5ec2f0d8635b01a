// Overloads dist/kontor repeatedly and measures its memory after a pause:
// bun scripts/faults/overload.ts [--rounds 5] [--rest 60]
import { statSync } from "node:fs"
import { parseArgs } from "node:util"
import { adminEmail, adminPassword, cleanUp, serve } from "../../test/support/kontor"
import { failuresIn, memoryOf, overload } from "./overload-run"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, rest: { type: "string", default: "60" } },
})
/** The memory that the allocator holds varies a little between rounds. A leak grows in every round. */
const allowedGrowth = 1.1

const kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
const login = await fetch(`${kontor.url}/api/v1/auth/login`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: adminEmail, password: adminPassword }),
})
const { data } = (await login.json()) as { data: { token: string } }
const headers = { Authorization: `Bearer ${data.token}` }
const { pid } = kontor.process
console.log(`at the start ${memoryOf(pid).now} MB`)

const idleMemory: number[] = []
const sizes: number[] = []
let failures = 0
for (let round = 1; round <= Number(values.rounds); round++) {
  const outcome = await overload({
    url: kontor.url,
    headers,
    idle: 500,
    slow: 200,
    requests: 2_000,
    logins: 500,
  })
  await Bun.sleep(Number(values.rest) * 1000)
  const { now, peak } = memoryOf(pid)
  idleMemory.push(now)
  const size = Math.round(statSync(kontor.file).size / 2 ** 20)
  sizes.push(size)
  const failed = failuresIn(outcome)
  failures += failed.length
  console.log(
    `round ${round}: ${JSON.stringify(outcome)}; ${now} MB after ${values.rest} s idle, ${peak} MB peak, file size ${size} MB${failed.length > 0 ? ` FAILED ${failed.join(", ")}` : ""}`,
  )
}
await cleanUp()
const [first = 0] = idleMemory
const last = idleMemory.at(-1) ?? 0
const fileGrew = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
const grew = idleMemory.length > 1 && last > first * allowedGrowth
console.log(
  `after the first round ${first} MB, after the last ${last} MB, while the file grew by ${fileGrew} MB: ${grew ? "GROWING" : "not growing"}`,
)
process.exit(failures > 0 || grew ? 1 : 0)
