// Installs the dependencies in package.json, including Bun, when something is missing or bun.lock has changed.
// Runs on Node before `npm start` and `npm test`, so that a machine with only Node and npm is enough.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"

const stamp = "node_modules/.kontor-installed"
const wanted = createHash("sha256").update(readFileSync("bun.lock")).digest("hex")
const present = existsSync(stamp) && existsSync("node_modules/.bin/bun") && readFileSync(stamp, "utf8")

if (present !== wanted) {
  const bun = JSON.parse(readFileSync("package.json", "utf8")).devDependencies.bun
  console.error("Installing dependencies (only the first time)…")
  const install = process.versions.bun
    ? [process.execPath, "install", "--frozen-lockfile"]
    : ["npx", "--yes", `bun@${bun}`, "install", "--frozen-lockfile"]
  const done = spawnSync(install[0], install.slice(1), {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  })
  if (done.status !== 0) {
    console.error("The dependencies could not be installed. See the messages above.")
    process.exit(done.status ?? 1)
  }
  writeFileSync(stamp, wanted)
}
