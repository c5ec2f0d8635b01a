// What tests need of Debian's packages. As a program, it installs what is missing.
import { existsSync } from "node:fs"
import { Glob } from "bun"
import { apt } from "./apt"

/** The packages, each with the file that tests need of it. */
const packages = {
  libfaketime: "usr/lib/*/faketime/libfaketime.so.1",
  pgbouncer: "usr/sbin/pgbouncer",
}
type Package = keyof typeof packages

function find(name: Package): string | null {
  const [path] = new Glob(packages[name]).scanSync({ cwd: "/", onlyFiles: false })
  return path !== undefined && existsSync(`/${path}`) ? `/${path}` : null
}

/** Returns the path of the file, and installs the package first if it is missing. */
export function ofDebian(name: Package): string {
  const path = find(name) ?? (install([name]) ? find(name) : null)
  if (path === null) throw new Error(`This test needs a package that is missing: apt-get install ${name}`)
  return path
}

const install = (names: readonly Package[]): boolean =>
  apt("update") && apt("install", "--yes", "--no-install-recommends", ...names)

if (import.meta.main) {
  const missing = (Object.keys(packages) as Package[]).filter((name) => find(name) === null)
  if (missing.length > 0) {
    console.error(`Installing ${missing.join(" and ")} for the tests (only the first time)…`)
    install(missing)
  }
}
