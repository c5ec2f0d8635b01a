// Writes a software bill of materials: the list of everything that a released executable contains, as CycloneDX 1.6.
import { createHash } from "node:crypto"
import { version } from "../../src/version"
import type { Package } from "./packages"

type Component = {
  type: "application" | "library" | "platform"
  "bom-ref": string
  name: string
  version: string
  description?: string
  purl?: string
  cpe?: string
  licenses?: { expression: string }[]
  hashes?: { alg: "SHA-512"; content: string }[]
}

/** The programs of others inside Bun that `process.versions` names. Bun's license file has their licenses. */
const insideBun = [
  "webkit",
  "boringssl",
  "icu",
  "zlib",
  "zstd",
  "libdeflate",
  "libarchive",
  "mimalloc",
  "llhttp",
  "picohttpparser",
  "uwebsockets",
  "usockets",
  "lshpack",
  "lolhtml",
  "ares",
  "tinycc",
]

const kontor: Component = {
  type: "application",
  "bom-ref": `kontor@${version}`,
  name: "kontor",
  version,
  licenses: [{ expression: "MIT" }],
}

/** The bill of materials of the executables that contain these packages. The same input gives the same text. */
export function sbomOf(packages: readonly Package[], bun: Record<string, string | undefined>): string {
  const used = usedBy(packages)
  const [bunItself, ...parts] = runtimeOf(bun)
  const usedByOthers = new Set([...used.values()].flatMap((refs) => [...refs]))
  const direct = [...used.keys()].filter((ref) => !usedByOthers.has(ref))
  // A package that is in two folders is one component.
  const libraries = new Map(packages.map((each) => [refOf(each), componentOf(each)]))
  const content = {
    metadata: { component: kontor },
    components: [bunItself, ...parts, ...libraries.values()],
    dependencies: [
      { ref: kontor["bom-ref"], dependsOn: [bunItself["bom-ref"], ...direct] },
      { ref: bunItself["bom-ref"], dependsOn: parts.map((each) => each["bom-ref"]) },
      ...[...used].map(([ref, refs]) => ({ ref, dependsOn: [...refs].toSorted() })),
    ],
  }
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialOf(content), version: 1 }
  return `${JSON.stringify({ $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", ...head, ...content }, null, 2)}\n`
}

/** Which components each package uses itself. */
function usedBy(packages: readonly Package[]): Map<string, Set<string>> {
  const refs = new Map(packages.map((each) => [each.folder, refOf(each)]))
  const used = new Map<string, Set<string>>()
  for (const each of packages) {
    const those = each.uses.flatMap((folder) => refs.get(folder) ?? [])
    used.set(refOf(each), new Set([...(used.get(refOf(each)) ?? []), ...those]))
  }
  return used
}

const refOf = ({ name, version: of }: Package): string => `pkg:npm/${name.replace("@", "%40")}@${of}`

function componentOf(each: Package): Component {
  const { name, version: of, license, sha512 } = each
  const purl = refOf(each)
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version: of,
    purl,
    licenses: [{ expression: license }],
    ...(sha512 ? { hashes: [{ alg: "SHA-512", content: sha512 }] } : {}),
    ...(name === "@scalar/api-reference"
      ? { description: "One file, into which its publisher has bundled its own dependencies" }
      : {}),
  }
}

/** Bun and what is inside it. The first one is Bun. */
function runtimeOf(versions: Record<string, string | undefined>): [Component, ...Component[]] {
  const of = (name: string) => versions[name] ?? "unknown"
  const bun: Component = {
    type: "platform",
    "bom-ref": `pkg:npm/bun@${of("bun")}`,
    name: "bun",
    version: of("bun"),
    purl: `pkg:npm/bun@${of("bun")}`,
    licenses: [{ expression: "MIT" }],
  }
  const sqlite: Component = {
    type: "library",
    "bom-ref": `pkg:generic/sqlite@${of("sqlite")}`,
    name: "sqlite",
    version: of("sqlite"),
    description: "Inside Bun, except on macOS, where the SQLite of the system is used",
    purl: `pkg:generic/sqlite@${of("sqlite")}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${of("sqlite")}:*:*:*:*:*:*:*`,
    licenses: [{ expression: "blessing" }],
  }
  const others = insideBun.map((name): Component => ({
    type: "library",
    "bom-ref": `bun/${name}@${of(name)}`,
    name,
    version: of(name),
  }))
  return [bun, sqlite, ...others]
}

/** A UUID that is made from the content, so that the same content has the same one. */
function serialOf(content: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("hex")
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return `urn:uuid:${[...parts, hash.slice(20, 32)].join("-")}`
}
