// Fails when an import points upward: a lower floor must not know of a higher one.
import { dirname, join } from "node:path"
import { Glob } from "bun"

/** Lowest first. A file may import from its own floor and from those below it. */
const floors = [
  ["shared"],
  ["lib", "version"],
  ["db"],
  ["resource"],
  ["http"],
  ["modules"],
  ["config"],
  ["console"],
  ["services"],
  ["app"],
  ["cli"],
  ["main"],
]
/** Within a module: what each of its files may import from modules, its own and others. */
const rooms: Record<string, string[]> = {
  model: ["model"],
  rules: ["model", "rules"],
  store: ["model", "store"],
  service: ["model", "rules", "store", "service"],
}

/** The browser's code. Of the server it may use src/shared, and types, which are gone once it is bundled. */
const browser = "src/console/web/"

const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) }
const faults: string[] = []
for await (const file of new Glob("src/**/*.{ts,tsx}").scan()) {
  if (file.endsWith(".d.ts")) continue
  const source = await Bun.file(file).text()
  const isBrowser = file.startsWith(browser)
  for (const { path } of scanners[file.endsWith("x") ? "tsx" : "ts"].scanImports(source)) {
    const target = join(dirname(file), path)
    if (!path.startsWith(".") || !target.startsWith("src/")) continue
    if (isBrowser !== target.startsWith(browser) && !target.startsWith("src/shared/"))
      faults.push(`${file} needs ${target}: browser and server share only src/shared, and types`)
    if (floorOf(target) > floorOf(file)) faults.push(`${file} reaches up to ${target}`)
    if (target.startsWith("src/modules/")) checkRoom(file, target)
  }
  if (isBrowser) continue
  if (/process\.env(?!\.NODE_ENV)/.test(source) && file !== "src/config.ts")
    faults.push(`${file} reads the environment; only src/config.ts may`)
  if (/new Date\(\)|Date\.now\(\)/.test(source) && file !== "src/lib/clock.ts")
    faults.push(`${file} reads the clock; only src/lib/clock.ts may`)
}
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)

function checkRoom(file: string, target: string): void {
  const allowed = rooms[roomOf(file)]
  if (!file.startsWith("src/modules/") || !allowed) return
  // What documents share belongs to each of them.
  if (dirname(target) === "src/modules/lines") return
  const sibling = dirname(file) !== dirname(target)
  if (sibling && !["model", "service"].includes(roomOf(target)))
    faults.push(`${file} goes behind the service of ${dirname(target)}`)
  if (!sibling && roomOf(target) in rooms && !allowed.includes(roomOf(target)))
    faults.push(`${file} should not need ${target}`)
}

function roomOf(path: string): string {
  return path.split("/").at(-1)?.replace(/\.ts$/, "") ?? ""
}

function floorOf(path: string): number {
  const name = path.split("/")[1]?.replace(/\.tsx?$/, "") ?? ""
  const floor = floors.findIndex((names) => names.includes(name))
  if (floor < 0) throw new Error(`${path} stands on no floor: give ${name} a place in scripts/floors.ts`)
  return floor
}
