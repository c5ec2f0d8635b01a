import { existsSync } from "node:fs"
import { join } from "node:path"
import { version as current } from "../package.json" with { type: "json" }

/** The version of this build, from package.json. */
export const version: string = current

/** The commit of an executable, which its build writes here; undefined from source. */
declare const builtFrom: string | undefined

let found: string | undefined

/** The commit of this build; `unknown` from source without git. */
export const commit = (): string => (found ??= typeof builtFrom === "string" ? builtFrom : commitIn(root))

const root = join(import.meta.dir, "..")

/**
 * The commit of a clone, with `-changed` if files in it were changed. The folder of a clone has its own `.git`: the commit
 * of another repository around it would be misleading.
 */
export function commitIn(folder: string): string {
  if (!existsSync(join(folder, ".git"))) return "unknown"
  const described = git(folder, "rev-parse", "--short=12", "HEAD")
  if (described === null) return "unknown"
  return git(folder, "diff", "--quiet", "HEAD") === null ? `${described}-changed` : described
}

function git(folder: string, ...args: string[]): string | null {
  try {
    const { exitCode, stdout } = Bun.spawnSync(["git", "-C", folder, ...args], { stderr: "ignore" })
    return exitCode === 0 ? stdout.toString().trim() : null
  } catch {
    return null
  }
}
