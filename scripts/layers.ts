// Fails when an import points upward: a lower layer must not import from a higher one.
import { dirname, join } from "node:path"
import { Glob } from "bun"

/** From low to high. A file may import from its own layer and from lower layers. */
const layers = [
  ["shared"],
  ["core/lib", "version"],
  ["core/caller"],
  ["storage"],
  ["core/engine"],
  ["core/write"],
  ["core/kind"],
  ["core/search"],
  ["core/store"],
  ["core/http"],
  ["core/folder"],
  ["office"],
  ["trade"],
  ["shop"],
  ["kinds"],
  ["config"],
  ["services"],
  ["routes"],
  ["app"],
  ["demo"],
  ["server"],
  ["cli"],
  ["main"],
  ["console"],
]

/** The files of its folder, and of others, that a file of a kind or a feature may import. */
const parts: Record<string, string[]> = {
  model: ["model", "checks"],
  checks: [],
  rules: ["model", "rules"],
  store: ["model", "store"],
  service: ["model", "rules", "store", "service"],
}

/** The folders of kinds and features. */
const isFolder = (path: string): boolean => /^src\/(office|trade|shop)\//.test(path)

/** The mechanisms that several of them share, which have no service. */
const mechanisms = ["src/trade/", "src/office/sheets/", "src/office/jobs/"]

/**
 * The browser's code: the frame in src/console, and the pages beside their kinds and features. It may import src/shared
 * from the server, and types, which the bundler removes.
 */
const isBrowserFile = (path: string): boolean =>
  /^src\/console\/|^src\/(office|trade|shop)\/(.*\/)?(page\/|[^/]*\.tsx$|texts(\.ts)?$|page$|fields$)/.test(
    path,
  )

/** The layers of the browser's code, from low to high. */
const browserLayers = ["shared", "console", "office", "trade", "shop", "entry"]

/** The files of the frame that know all pages. */
const entry = /^src\/console\/(main|shell\/(shell|pages))\b/

/** What reads the clock of the database. Statements get the time as a value. */
const sqlClock =
  /\bcurrent_(timestamp|date|time)\b|\b(clock|statement|transaction)_timestamp\(|\b(strftime|julianday|unixepoch)\(|'now'/i

/** The files that may read the environment. */
const environment = ["src/config.ts", "src/config/secrets.ts"]

/** The folders that may use what only SQLite has. */
const sqliteFolders = ["engine", "write", "kind", "search", "store"].map((name) => `src/core/${name}/`)
const sqliteOnly =
  /"bun:sqlite"|\bPRAGMA |\bsqlite_|\bjson_each\(|\bGLOB\b|\bCOLLATE NOCASE\b|\browid\b|\bINSERT OR \w|\bIS NOT \?|\btotal\(/

const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) }
const errors: string[] = []
for await (const file of new Glob("src/**/*.{ts,tsx}").scan()) {
  if (file.endsWith(".d.ts")) continue
  const source = await Bun.file(file).text()
  const isBrowser = isBrowserFile(file)
  for (const { path } of scanners[file.endsWith("x") ? "tsx" : "ts"].scanImports(source)) {
    const target = join(dirname(file), path)
    if (!path.startsWith(".") || !target.startsWith("src/")) continue
    if (isBrowser !== isBrowserFile(target) && !target.startsWith("src/shared/"))
      errors.push(`${file} imports ${target}: browser and server share only src/shared and types`)
    if (isFolder(target)) checkPart(file, target)
  }
  for (const target of relativeImports(file, source)) {
    if (isBrowser) {
      if (isBrowserFile(target) && browserLayerOf(target) > browserLayerOf(file))
        errors.push(`${file} imports ${target} from a higher layer`)
    } else if (layerOf(target) > layerOf(file)) errors.push(`${file} imports ${target} from a higher layer`)
  }
  if (isBrowser) continue
  if (/process\.env(?!\.NODE_ENV)/.test(source) && !environment.includes(file))
    errors.push(`${file} reads the environment; only ${environment.join(" and ")} may do that`)
  if (sqlClock.test(source)) errors.push(`${file} lets the database read the clock`)
  const [found] = sqliteFolders.some((folder) => file.startsWith(folder))
    ? []
    : (sqliteOnly.exec(source) ?? [])
  if (found) errors.push(`${file} has ${found.trim()}, which only SQLite has; it belongs in src/core`)
}
if (sqlClock.test(await Bun.file("schema.sql").text()))
  errors.push("schema.sql lets the database read the clock")
for (const error of errors) console.error(error)
process.exit(errors.length > 0 ? 1 : 0)

function checkPart(file: string, target: string): void {
  const allowed = parts[partOf(file)]
  if (!isFolder(file) || !allowed) return
  if (mechanisms.some((folder) => target.startsWith(folder))) return
  const sibling = dirname(file) !== dirname(target)
  if (sibling && !["model", "service"].includes(partOf(target)))
    errors.push(`${file} bypasses the service of ${dirname(target)}`)
  if (!sibling && partOf(target) in parts && !allowed.includes(partOf(target)))
    errors.push(`${file} must not import ${target}`)
}

/** The files that a file imports, also for types alone. Tests may import from everywhere. */
function relativeImports(file: string, source: string): string[] {
  if (/\.test\.tsx?$/.test(file)) return []
  return [...source.matchAll(/(?:\bfrom|\bimport) *\(? *"(\.[^"]*)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((target) => target.startsWith("src/") && !target.includes("node_modules"))
}

function partOf(path: string): string {
  return path.split("/").at(-1)?.replace(/\.ts$/, "") ?? ""
}

function browserLayerOf(path: string): number {
  return browserLayers.indexOf(entry.test(path) ? "entry" : (path.split("/")[1] ?? ""))
}

function layerOf(path: string): number {
  const [folder = "", part = ""] = path
    .replace(/\.tsx?$/, "")
    .split("/")
    .slice(1)
  const name = folder === "core" ? `core/${part}` : folder
  const layer = layers.findIndex((names) => names.includes(name))
  if (layer < 0) throw new Error(`${path} is in no layer: add ${name} to scripts/layers.ts`)
  return layer
}
