// Fails when an import points upward: a lower layer must not import from a higher one. Fails also when a file names a
// kind of the shop that it does not know, and when a folder has too many files.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob } from "bun"
import { keyOfName } from "../src/core/kind/define"
import { shop } from "../src/kinds"

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
  ["console/server"],
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
  /^src\/console\/(?!server\/)|^src\/(office|trade|shop)\/(.*\/)?(page\/|[^/]*\.tsx$|texts(\.ts)?$)/.test(
    path,
  ) ||
  // An import has no extension.
  (isFolder(path) && existsSync(`${path}.tsx`))

/** The layers of the browser's code, from low to high. */
const browserLayers = ["shared", "console", "office", "trade", "shop", "entry"]

/** The files of the frame that know all pages. */
const entry = /^src\/console\/(main|shell\/(shell|pages))\b/

/** What reads the clock of the database. Statements get the time as a value. */
const sqlClock =
  /\bcurrent_(timestamp|date|time)\b|\b(clock|statement|transaction)_timestamp\(|\b(strftime|julianday|unixepoch)\(|'now'/i

/** The files that may name it: a list of the words that PostgreSQL reserves, and the comparison of its clock with ours. */
const namesClock = ["schema/expression", "clock"].map((name) => `src/core/engine/postgres/${name}.ts`)

/** The files that may read the environment. */
const environment = ["src/config.ts", "src/config/secrets.ts"]

/**
 * What asks which engine a database has: the classes, errors and functions of one of them. Only src/core/engine may ask;
 * others use `db.engine` and `placeOf`.
 */
const engineQuestion = /\b\w*(?:Postgres(?!QL)|Sqlite)\w*|\bpostgres\w*Of\b/
const isOfOneEngine = (path: string): boolean => /^src\/core\/engine\/(sqlite|postgres)\//.test(path)

/** The folders that may use what only SQLite has. */
const sqliteFolders = ["engine", "search", "store"].map((name) => `src/core/${name}/`)
const sqliteOnly =
  /"bun:sqlite"|\bPRAGMA |\bsqlite_|\bjson_each\(|\bGLOB\b|\bCOLLATE NOCASE\b|\browid\b|\bINSERT OR \w|\bIS NOT \?|\btotal\(/

/** The kinds of the shop, with what stands for them in a string. */
const shopKinds = Object.values(shop).map(({ kind: { name, table, ...kind } }) => {
  const tables = [table, ...("view" in kind && kind.view ? [kind.view] : [])].join("|")
  return {
    folder: `src/shop/${name}`,
    inString: [
      // Alone or in a list: "invoices", "salesOrders", "items,customers".
      new RegExp(`^(?:[\\w.*-]+,)*(?:${name}|${keyOfName(name)}|${tables})(?:,[\\w.*-]+)*$`),
      // In a path, and with a type of event or an action: "/invoices/:id", "invoices.issued".
      new RegExp(`/${name}(?![\\w.-])|^${name}\\.(?!md$)[\\w*-]+$`),
      // In SQL.
      new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE) (?:${tables})\\b`),
    ],
  }
})

/**
 * The files that may name every kind: trade, reports on all of them, what is above the shop, and the table of rights,
 * whose areas have names of kinds. The browser's files are to follow.
 */
const namesAll = /^src\/(trade|shop\/reports|kinds|services|routes|app|demo|server|cli|shared\/rights)\b/

/** Within the shop, `items` are also the lines of a document. */
const linesField = /^items(\.item)?$/

/** The files that name kinds which they do not import, and how often. A number here may only become smaller. */
const naming: Record<string, number> = {
  // A step rebuilds a table of the shop, which PostgreSQL does in its own words.
  "src/core/engine/schema/migrations.ts": 1,
  // What was sent to a webhook is called a delivery too.
  "src/office/webhooks/deliveries/routes.ts": 2,
  "src/office/webhooks/model.ts": 1,
  "src/shop/customers/model.ts": 3,
  "src/shop/deliveries/checks.ts": 1,
  "src/shop/invoices/deposits/checks.ts": 1,
  "src/shop/invoices/model.ts": 3,
  "src/shop/invoices/store.ts": 1,
  "src/shop/items/model.ts": 2,
  "src/shop/items/service.ts": 1,
  "src/shop/sales-orders/model.ts": 8,
  "src/shop/sales-orders/service.ts": 1,
  "src/shop/sales-orders/store.ts": 5,
  "src/shop/stock-movements/model.ts": 2,
  "src/shop/tax-codes/model.ts": 1,
}

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
  if (!file.startsWith("src/core/engine/") && !file.endsWith(".test.ts")) checkEngine(file, source)
  if (!namesAll.test(file) && !file.endsWith(".test.ts")) checkNames(file, source)
  if (/process\.env(?!\.NODE_ENV)/.test(source) && !environment.includes(file))
    errors.push(`${file} reads the environment; only ${environment.join(" and ")} may do that`)
  if (sqlClock.test(source) && !namesClock.includes(file))
    errors.push(`${file} lets the database read the clock`)
  const [found] = sqliteFolders.some((folder) => file.startsWith(folder))
    ? []
    : (sqliteOnly.exec(source) ?? [])
  if (found) errors.push(`${file} has ${found.trim()}, which only SQLite has; it belongs in src/core`)
}
const filesIn = Map.groupBy(
  [...new Glob("src/**/*.{ts,tsx}").scanSync()].filter((file) => !/\.test\.tsx?$/.test(file)),
  (file) => dirname(file),
)
for (const [folder, files] of filesIn) {
  const most = folder.startsWith("src/shop/") ? 10 : 15
  if (files.length > most)
    errors.push(`${folder} has ${files.length} files; more than ${most} need folders by subject`)
}
for (const file of ["schema.sql", "migrations.sql"])
  if (sqlClock.test(await Bun.file(file).text())) errors.push(`${file} lets the database read the clock`)
for (const error of errors) console.error(error)
process.exit(errors.length > 0 ? 1 : 0)

function checkEngine(file: string, source: string): void {
  const [asked] = engineQuestion.exec(source) ?? []
  const [imported] = relativeImports(file, source).filter(isOfOneEngine)
  if (asked ?? imported)
    errors.push(`${file} asks with ${asked ?? imported} which engine it is; only src/core/engine may do that`)
}

/**
 * The name, path or table of a kind stands in its folder, and in folders of the shop that import from it. An example in the
 * API document may name it everywhere, and an area of rights may be called like a kind.
 */
function checkNames(file: string, source: string): void {
  const code = source.replaceAll(
    /^\s*(?:\/\/|\/?\*).*$|^.*\bexamples?:.*$|\b(?:from|import) "[^"]*"|\brightsOf\("[^"]*"\)/gm,
    "",
  )
  const strings = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template]) => plain ?? template ?? "",
  )
  const known = knownFolders(file)
  const unknown = shopKinds.filter(({ folder }) => !known.has(folder))
  const named = strings.filter(
    (string) =>
      !(known.size > 0 && linesField.test(string)) &&
      unknown.some(({ inString }) => inString.some((pattern) => pattern.test(string))),
  )
  const allowed = naming[file] ?? 0
  if (named.length > allowed)
    errors.push(
      `${file} names kinds that it does not import: ${named.map((each) => each.trim()).join(" | ")}`,
    )
  if (named.length < allowed)
    errors.push(`${file} names only ${named.length} kinds: lower its number in scripts/layers.ts`)
}

/** The folders of the shop that the folder of a file imports from. */
function knownFolders(file: string): Set<string> {
  const [own] = /^src\/shop\/[^/]+/.exec(file) ?? []
  if (own === undefined) return new Set()
  const sources = [...new Glob(`${own}/*.ts`).scanSync()].map(
    (each) => [each, readFileSync(each, "utf8")] as const,
  )
  const targets = sources.flatMap(([each, text]) => relativeImports(each, text))
  return new Set([own, ...targets.map((target) => target.split("/").slice(0, 3).join("/"))])
}

function checkPart(file: string, target: string): void {
  const allowed = parts[partOf(file)]
  if (!isFolder(file) || !allowed) return
  if (mechanisms.some((folder) => target.startsWith(folder))) return
  // The folders inside its own belong to it.
  const sibling = dirname(file) !== dirname(target) && !target.startsWith(`${dirname(file)}/`)
  if (sibling && !["model", "service", "query"].includes(partOf(target)))
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
  const name = folder === "core" || (folder === "console" && part === "server") ? `${folder}/${part}` : folder
  const layer = layers.findIndex((names) => names.includes(name))
  if (layer < 0) throw new Error(`${path} is in no layer: add ${name} to scripts/layers.ts`)
  return layer
}
