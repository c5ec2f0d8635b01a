// Installs what is missing or has changed in bun.lock, including Bun. Runs on Node before the commands of package.json, so
// that a machine with only Node and npm is enough.
//   node scripts/install.mjs         everything
//   node scripts/install.mjs serve   only what serving from source needs: a third of it
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const stamp = "node_modules/.kontor-installed"
const lock = readFileSync("bun.lock", "utf8")
const manifest = JSON.parse(readFileSync("package.json", "utf8"))
const version = createHash("sha256").update(lock).digest("hex")
// The page of the API reference is taken with npm. Without npm, everything is installed.
const part = process.argv[2] === "serve" && !process.versions.bun ? "serve" : "all"

const present = existsSync(stamp) && existsSync("node_modules/.bin/bun") ? readFileSync(stamp, "utf8") : ""
if (present !== `all ${version}` && present !== `${part} ${version}`) {
  console.error("Installing dependencies (only the first time)…")
  const bun = process.versions.bun ? [process.execPath] : ["npx", "--yes", `bun@${manifest.dependencies.bun}`]
  run(...bun, "install", "--frozen-lockfile", ...(part === "serve" ? ["--production", "--omit=peer"] : []))
  if (part === "serve") installReference()
  writeFileSync(stamp, `${part} ${version}`)
}

/**
 * Installs the page of the API reference. It is one file of 4 MB that needs nothing else, while its package brings 200 MB
 * of other packages.
 */
function installReference() {
  const name = "@scalar/api-reference"
  const folder = join("node_modules", name)
  const download = mkdtempSync(join("node_modules", ".download-"))
  run("npm", "pack", "--silent", "--pack-destination", download, `${name}@${manifest.devDependencies[name]}`)
  const archive = join(download, `scalar-api-reference-${manifest.devDependencies[name]}.tgz`)
  const digest = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
  if (!lock.includes(digest)) fail(`${name} is not the package that bun.lock names.`)
  mkdirSync(folder, { recursive: true })
  run("tar", "-xzf", archive, "-C", folder, "--strip-components=1", "package/dist/browser/standalone.js")
  rmSync(download, { recursive: true })
}

function run(...command) {
  const { status } = spawnSync(command[0], command.slice(1), {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  })
  if (status !== 0) fail("The dependencies could not be installed. See the messages above.", status ?? 1)
}

function fail(message, status = 1) {
  console.error(message)
  process.exit(status)
}
