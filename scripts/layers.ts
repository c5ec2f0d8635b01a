// Fails when an import points upward: a lower layer must not import from a higher one.
import { dirname, join } from "node:path"
import { Glob } from "bun"

/** From low to high. A file may import from its own layer and from lower layers. */
const layers = [
  ["shared"],
  ["lib", "version"],
  ["storage"],
  ["db"],
  ["resource"],
  ["http"],
  ["modules"],
  ["kinds"],
  ["config"],
  ["console"],
  ["services"],
  ["routes"],
  ["app"],
  ["demo"],
  ["server"],
  ["cli"],
  ["main"],
]

/** The files of modules that each file of a module may import. */
const parts: Record<string, string[]> = {
  model: ["model", "checks"],
  checks: [],
  rules: ["model", "rules"],
  store: ["model", "store"],
  service: ["model", "rules", "store", "service"],
}

/** The mechanisms that several modules share, which have no service. */
const shared = ["documents", "settlements", "paper", "sheets", "jobs"]

/** The browser's code. It may import src/shared from the server, and types, which the bundler removes. */
const browser = "src/console/web/"

/** What reads the clock of the database. Statements get the time as a value. */
const sqlClock =
  /\bcurrent_(timestamp|date|time)\b|\b(clock|statement|transaction)_timestamp\(|\b(strftime|julianday|unixepoch)\(|'now'/i

/** The files that may read the environment. */
const environment = ["src/config.ts", "src/config/secrets.ts"]

/** The folders that may use what only SQLite has. */
const sqliteFolders = ["src/db/", "src/resource/"]
const sqliteOnly =
  /"bun:sqlite"|\bPRAGMA |\bsqlite_|\bjson_each\(|\bGLOB\b|\bCOLLATE NOCASE\b|\browid\b|\bINSERT OR \w|\bIS NOT \?|\btotal\(/

const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) }
const errors: string[] = []
for await (const file of new Glob("src/**/*.{ts,tsx}").scan()) {
  if (file.endsWith(".d.ts")) continue
  const source = await Bun.file(file).text()
  const isBrowser = file.startsWith(browser)
  for (const { path } of scanners[file.endsWith("x") ? "tsx" : "ts"].scanImports(source)) {
    const target = join(dirname(file), path)
    if (!path.startsWith(".") || !target.startsWith("src/")) continue
    if (isBrowser !== target.startsWith(browser) && !target.startsWith("src/shared/"))
      errors.push(`${file} imports ${target}: browser and server share only src/shared and types`)
    if (layerOf(target) > layerOf(file)) errors.push(`${file} imports ${target} from a higher layer`)
    if (target.startsWith("src/modules/")) checkPart(file, target)
  }
  if (isBrowser) continue
  if (/process\.env(?!\.NODE_ENV)/.test(source) && !environment.includes(file))
    errors.push(`${file} reads the environment; only ${environment.join(" and ")} may do that`)
  if (sqlClock.test(source)) errors.push(`${file} lets the database read the clock`)
  const [found] = sqliteFolders.some((folder) => file.startsWith(folder))
    ? []
    : (sqliteOnly.exec(source) ?? [])
  if (found)
    errors.push(`${file} has ${found.trim()}, which only SQLite has; it belongs in src/db or src/resource`)
}
if (sqlClock.test(await Bun.file("schema.sql").text()))
  errors.push("schema.sql lets the database read the clock")
for (const error of errors) console.error(error)
process.exit(errors.length > 0 ? 1 : 0)

function checkPart(file: string, target: string): void {
  const allowed = parts[partOf(file)]
  if (!file.startsWith("src/modules/") || !allowed) return
  if (shared.some((folder) => target.startsWith(`src/modules/${folder}/`))) return
  const sibling = dirname(file) !== dirname(target)
  if (sibling && !["model", "service"].includes(partOf(target)))
    errors.push(`${file} bypasses the service of ${dirname(target)}`)
  if (!sibling && partOf(target) in parts && !allowed.includes(partOf(target)))
    errors.push(`${file} must not import ${target}`)
}

function partOf(path: string): string {
  return path.split("/").at(-1)?.replace(/\.ts$/, "") ?? ""
}

function layerOf(path: string): number {
  const name = path.split("/")[1]?.replace(/\.tsx?$/, "") ?? ""
  const layer = layers.findIndex((names) => names.includes(name))
  if (layer < 0) throw new Error(`${path} is in no layer: add ${name} to scripts/layers.ts`)
  return layer
}
