// Runs Debian's sqlmap on every list, filter and search parameter of the demo shop:
// bun scripts/faults/sqlmap.ts [--every 1] [--only items] [--level 1]
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { cleanUp, serve } from "../../test/support/kontor"
import { fuzzPlans } from "./fuzz-plans"
import { operationsOf, partsOf, type Document, type Operation, type Schema } from "./fuzz-document"
import { vulnerableServer } from "./sqlmap-control"

const { values } = parseArgs({
  options: {
    /** Tests only every Nth parameter, when all would take too long. */
    every: { type: "string", default: "1" },
    /** Tests only paths that contain this text. */
    only: { type: "string", default: "" },
    level: { type: "string", default: "1" },
  },
})
if (!Bun.which("sqlmap")) {
  console.error("sqlmap is missing. On Debian: apt-get install sqlmap")
  process.exit(1)
}

const kontor = await serve({ args: ["--demo"], env: fuzzPlans })
while (!kontor.output.stdout.includes("API key")) await Bun.sleep(50)
const key = /API key with every scope: (\S+)/.exec(kontor.output.stdout)?.[1] ?? ""
const document = (await (await fetch(`${kontor.url}/openapi.json`)).json()) as Document

const targets: { url: string; parameter: string }[] = []
for (const operation of operationsOf(document)) {
  if (operation.method !== "GET" || !operation.path.includes(values.only)) continue
  const path = await pathOf(operation)
  if (path === null) continue
  for (const [parameter, value] of samplesOf(operation))
    targets.push({
      url: `${kontor.url}${path}?${needed(parameter)}${parameter}=${encodeURIComponent(value)}`,
      parameter,
    })
}
const chosen = targets.filter((_, index) => index % Number(values.every) === 0)
console.log(`${chosen.length} of ${targets.length} parameters, level ${values.level}`)

const folder = mkdtempSync(join(tmpdir(), "kontor-sqlmap-"))
const began = performance.now()
const control = vulnerableServer()
if (isClean(await attack(control.url, control.parameter)))
  throw new Error("sqlmap did not find the injection in the control server.")
await control.close()
let found = 0
const waiting = [...chosen]
await Promise.all(Array.from({ length: availableParallelism() }, attackThem))
const errors = kontor.output.stderr.split("\n").filter((line) => line.includes('"level":"error"')).length
rmSync(folder, { recursive: true, force: true })
await cleanUp()
console.log(
  `${chosen.length} parameters in ${Math.round((performance.now() - began) / 1000)} s: ${found} injectable or unclear, ${errors} errors in the log`,
)
process.exit(found + errors > 0 ? 1 : 0)

/** Tests one parameter after the other until none is left. */
async function attackThem(): Promise<void> {
  for (let target = waiting.shift(); target; target = waiting.shift()) {
    const output = await attack(target.url, target.parameter)
    if (isClean(output)) continue
    found++
    console.log(`${target.url.replace(kontor.url, "")}\n${output.split("\n").slice(-25).join("\n")}`)
  }
}

/** Runs sqlmap on one parameter and returns its output. */
function attack(url: string, parameter: string): Promise<string> {
  const target = ["-u", url, "-p", parameter, "-H", `X-API-Key: ${key}`]
  const tests = ["--level", values.level, "--risk", "1", "--dbms", "sqlite", "--technique", "BEUSQ"]
  const settings = [
    "--batch",
    "--flush-session",
    "--ignore-code",
    "400,422",
    "--output-dir",
    join(folder, crypto.randomUUID()),
  ]
  const child = Bun.spawn(["sqlmap", ...target, ...tests, ...settings, "--disable-coloring"])
  return new Response(child.stdout).text()
}

/** Only this sentence means that nothing was found. Any other output, including a failure of sqlmap, is reported. */
function isClean(output: string): boolean {
  return output.includes("all tested parameters do not appear to be injectable")
}

/** The path with an existing ID, or null when there is none. */
async function pathOf({ path }: Operation): Promise<string | null> {
  if (!path.includes("{")) return path
  const list = path.slice(0, path.indexOf("/{"))
  const answer = await fetch(`${kontor.url}${list}?perPage=1`, { headers: { "x-api-key": key } })
  const { data } = (await answer.json()) as { data?: { id: string }[] }
  const id = data?.[0]?.id
  return id && !path.includes("{paymentId}") ? path.replace("{id}", id) : null
}

/** The parameters of the query, and the filters without an operator and with those that use other SQL. */
function samplesOf({ record, parameters, filters }: Operation): [string, string][] {
  const exampleOf = (schema: Schema): string => String(schema.examples?.[0] ?? schema.enum?.[0] ?? 1)
  return [
    ...parameters
      .filter((each) => each.in === "query")
      .map(({ name, schema }): [string, string] => [name, exampleOf(schema)]),
    ...filters
      .filter(({ name }) => !name.endsWith("]") || /\[(in|like|gte)\]$/.test(name))
      .map(({ name }): [string, string] => [
        name,
        exampleOf(record?.properties?.[partsOf(name).field] ?? {}),
      ]),
  ]
}

/** The parameters that another parameter requires. */
function needed(name: string): string {
  return name === "types" || name === "limit" ? "q=a&" : ""
}
