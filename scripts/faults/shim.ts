import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { adminEmail, adminPassword } from "../../test/support/kontor"

let built: string | null | undefined

/**
 * Returns the path of the preloaded library that intercepts disk writes. Builds it on first use; null if that fails.
 */
export async function findShim(): Promise<string | null> {
  if (built === undefined) built = await build()
  if (built === null) console.warn(missing)
  return built
}

const missing =
  "Tests that interrupt writes are skipped: they need Linux and a C compiler. On Debian: apt-get install gcc libc6-dev"

async function build(): Promise<string | null> {
  if (process.platform !== "linux") return null
  if (!hasCompiler() && process.getuid?.() === 0 && Bun.which("apt-get"))
    if (!runs(["apt-get", "install", "-y", "--no-install-recommends", "gcc", "libc6-dev"])) {
      runs(["apt-get", "update"])
      runs(["apt-get", "install", "-y", "--no-install-recommends", "gcc", "libc6-dev"])
    }
  const folder = mkdtempSync(join(tmpdir(), "kontor-shim-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const library = join(folder, "shim.so")
  const source = join(import.meta.dir, "shim.c")
  const isBuilt = runs([
    "cc",
    "-shared",
    "-fPIC",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-o",
    library,
    source,
  ])
  if (!isBuilt && hasCompiler()) throw new Error("scripts/faults/shim.c does not compile.")
  return isBuilt ? library : null
}

/** True when there is a C compiler with the headers of the C library. */
const hasCompiler = (): boolean =>
  Bun.which("cc") !== null && runs(["cc", "-fsyntax-only", "-x", "c", "-include", "stdio.h", "/dev/null"])

function runs(command: string[]): boolean {
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    return Bun.spawnSync(command, { env, stdio: ["ignore", "ignore", "inherit"] }).success
  } catch {
    return false
  }
}

/** The environment in which a program's writes to a folder go through the shim, with a first admin. */
export const shimmed = (library: string, folder: string): Record<string, string> => ({
  LD_PRELOAD: library,
  KONTOR_FAULTS_FOLDER: realpathSync(folder),
  KONTOR_ADMIN_EMAIL: adminEmail,
  KONTOR_ADMIN_PASSWORD: adminPassword,
})
