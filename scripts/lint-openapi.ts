// Prints the API document of the build and holds it against Redocly's and Spectral's rules.
import { mkdirSync } from "node:fs"

mkdirSync("dist", { recursive: true })
const document = "dist/openapi.json"
const printed = Bun.spawnSync(["dist/kontor", "openapi"], { stderr: "inherit" })
await Bun.write(document, printed.stdout)

const linters = [
  ["redocly", "lint", "--config", "scripts/openapi/redocly.yaml", "--format", "stylish", document],
  ["spectral", "lint", "--ruleset", "scripts/openapi/spectral.yaml", "--fail-severity", "warn", document],
]
let failed = printed.exitCode !== 0
for (const linter of linters) {
  // Redocly asks a server for news unless it is told not to.
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" }
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "x", "--bun", ...linter], { env })
  if (exitCode === 0) continue
  failed = true
  console.error(`${linter[0]}:\n${stdout.toString()}${stderr.toString()}`)
}
process.exit(failed ? 1 : 0)
