// Installs what is missing or has changed in bun.lock, including Bun. Runs on Node before the commands of package.json, so
// that a machine with only Node and npm is enough.
//   node scripts/install.mjs         everything
//   node scripts/install.mjs serve   only what serving from source needs: a third of it
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const stamp = "node_modules/.kontor-installed"
const lock = readFileSync("bun.lock", "utf8")
const manifest = JSON.parse(readFileSync("package.json", "utf8"))
const version = createHash("sha256").update(lock).digest("hex")
// The page of the API reference is taken with npm. Without npm, everything is installed.
const part = process.argv[2] === "serve" && !process.versions.bun ? "serve" : "all"

const present = existsSync(stamp) && existsSync("node_modules/.bin/bun") ? readFileSync(stamp, "utf8") : ""
if (present !== `all ${version}` && present !== `${part} ${version}`) {
  console.error("Installing dependencies (only the first time)…")
  const options = part === "serve" ? ["--production", "--omit=peer"] : []
  withBun((bun) => run(bun, "install", "--frozen-lockfile", ...options))
  if (part === "serve") installReference()
  writeFileSync(stamp, `${part} ${version}`)
}

/** Calls a function with the path of Bun: the one that runs this file, or one that is downloaded for it. */
function withBun(work) {
  if (process.versions.bun) return work(process.execPath)
  const name = nameOfBun()
  const program = process.platform === "win32" ? "bun.exe" : "bun"
  withPackage(name, manifest.dependencies.bun, (archive, folder) => {
    run("tar", "-xzf", archive, "-C", folder, "--strip-components=2", `package/bin/${program}`)
    work(resolve(folder, program))
  })
}

/** The package that has Bun for this machine. */
function nameOfBun() {
  const system = { win32: "windows" }[process.platform] ?? process.platform
  const processor = { arm64: "aarch64" }[process.arch] ?? process.arch
  const isMusl = system === "linux" && !process.report.getReport().header.glibcVersionRuntime
  return `@oven/bun-${system}-${processor}${isMusl ? "-musl" : ""}`
}

/**
 * Installs the page of the API reference. It is one file of 4 MB that needs nothing else, while its package brings 200 MB
 * of other packages.
 */
function installReference() {
  const name = "@scalar/api-reference"
  const target = join("node_modules", name)
  mkdirSync(target, { recursive: true })
  withPackage(name, manifest.devDependencies[name], (archive) =>
    run("tar", "-xzf", archive, "-C", target, "--strip-components=1", "package/dist/browser/standalone.js"),
  )
}

/** Downloads a package and calls a function with it, if it is the one that bun.lock names. Nothing of another one is run. */
function withPackage(name, wanted, work) {
  mkdirSync("node_modules", { recursive: true })
  const folder = mkdtempSync(join("node_modules", ".download-"))
  try {
    run("npm", "pack", "--silent", "--pack-destination", folder, `${name}@${wanted}`)
    const archive = join(folder, `${name.replace("@", "").replace("/", "-")}-${wanted}.tgz`)
    const digest = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
    const locked = lock.split("\n").find((line) => line.trim().startsWith(`"${name}": ["${name}@${wanted}"`))
    if (!locked?.includes(`"${digest}"`)) fail(`${name} is not the package that bun.lock names.`)
    work(archive, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
