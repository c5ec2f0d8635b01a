// Finds the npm packages that are part of an executable.
import { readFileSync } from "node:fs"

/** An npm package of which at least one file is part of the executable. */
export type Package = {
  name: string
  version: string
  /** As an SPDX expression. */
  license: string
  /** The folders of the bundled packages that it uses itself. */
  uses: string[]
  folder: string
  /** The SHA-512 hash of the package as npm delivers it, in hexadecimal digits. */
  sha512: string | null
}

type Manifest = {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** A package in bun.lock: name and version, origin, relations, hash. */
type Locked = { packages: Record<string, [string, ...unknown[]]> }

/** The licenses of packages that have a file with a license and do not name it in their package.json. */
const unnamedLicenses: Record<string, string> = { "png-js": "MIT" }

/** Returns the packages that the bundled files come from, by name. */
export function packagesOf(sources: readonly string[], lockfile = "bun.lock"): Package[] {
  const folders = new Set(sources.map(folderOf).filter((folder) => folder !== null))
  const hashes = hashesOf(Bun.JSONC.parse(readFileSync(lockfile, "utf8")) as Locked)
  const all = [...folders].map((folder): Package => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest
    const { name, version, license = unnamedLicenses[name] } = manifest
    if (!license) throw new Error(`The package ${name} names no license.`)
    const wanted = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    const uses = new Set(
      wanted.map((each) => resolveFrom(folder, each, folders)).filter((found) => found !== null),
    )
    return {
      name,
      version,
      license,
      uses: [...uses],
      folder,
      sha512: hashes.get(`${name}@${version}`) ?? null,
    }
  })
  return all.toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1))
}

/** The folder of the package that a file belongs to; null for Kontor's own files. */
function folderOf(path: string): string | null {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null
}

/** The folder that an import of `name` in `folder` finds: the nearest node_modules upwards that has it. */
function resolveFrom(folder: string, name: string, folders: ReadonlySet<string>): string | null {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf("/node_modules/"))) {
    if (folders.has(`${at}/node_modules/${name}`)) return `${at}/node_modules/${name}`
    if (!at.includes("/node_modules/")) break
  }
  const top = folder.slice(0, folder.indexOf("node_modules/"))
  return folders.has(`${top}node_modules/${name}`) ? `${top}node_modules/${name}` : null
}

const hashesOf = ({ packages }: Locked): Map<string, string> =>
  new Map(
    Object.values(packages).flatMap(([name, ...rest]) => {
      const hash = rest.find((each) => typeof each === "string" && each.startsWith("sha512-"))
      return typeof hash === "string" ? [[name, Buffer.from(hash.slice(7), "base64").toString("hex")]] : []
    }),
  )
