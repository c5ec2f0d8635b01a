// Prints the API document of the build and lints it with Redocly.
import { mkdirSync } from "node:fs"

mkdirSync("dist", { recursive: true })
const document = "dist/openapi.json"
const printed = Bun.spawnSync(["dist/kontor", "openapi"], { stderr: "inherit" })
if (!printed.success) process.exit(1)
await Bun.write(document, printed.stdout)

const lint = ["redocly", "lint", "--config", "scripts/openapi/redocly.yaml", "--format", "stylish", document]
// Without these settings, Redocly would contact a server.
const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" }
const { success, stdout, stderr } = Bun.spawnSync([process.execPath, "x", "--bun", ...lint], { env })
if (!success) console.error(`${stdout.toString()}${stderr.toString()}`)
process.exit(success ? 0 : 1)
