import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Glob } from "bun"
import { allCommands } from "../src/cli/commands"
import { options } from "../src/config"
import { ownRefusals } from "../src/kinds"
import { diagrams, withDiagrams } from "../scripts/diagrams"
import { guideTables } from "../scripts/guide-tables"
import { routesPage } from "../scripts/routes"

const root = join(import.meta.dir, "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...new Glob("docs/**/*.md").scanSync({ cwd: root }),
]
const architecture = read("docs/architecture.md")
const operating = read("docs/operating.md")

test("the state diagrams match the tables of the program; `bun scripts/diagrams.ts` writes them", () => {
  expect(withDiagrams(architecture) === architecture).toBeTrue()
  for (const diagram of Object.values(diagrams)) expect(architecture.includes(diagram)).toBeTrue()
})

test("every command, every option and every variable is in docs/operating.md", async () => {
  const flags = Object.values(options).flatMap(({ flag, env }) => [`\`--${flag}`, env])
  // These two have no row; they are named in the row of `kontor openapi`.
  const names = (await allCommands()).map(({ name }) =>
    name === "version" || name === "help" ? `\`${name}\`` : `\`kontor ${name}`,
  )
  expect([...names, ...flags].filter((text) => !operating.includes(text))).toEqual([])
})

test("every dependency is in docs/architecture.md, and nothing else", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"))
  const table = architecture.split("\n## ").find((section) => section.startsWith("Dependencies")) ?? ""
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "))
  const rows = named.filter((name) => name !== "Package" && !name.startsWith("---"))
  expect(rows.toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted())
})

test("the list of routes matches the program; `bun scripts/routes.ts` writes it", () => {
  expect(read("docs/routes.md")).toBe(routesPage())
})

test("the README has at most 200 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(200)
})

test("every error code is in the guide", async () => {
  const { allCodes } = await import("../src/core/lib/refusal")
  const rows = Object.entries(allCodes(ownRefusals)).map(([code, status]) => `| \`${code}\` | ${status} |`)
  const page = read("docs/guide/errors.md")
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})

test.each(Object.entries(guideTables))("the table of %s is that of the kinds", (path, withTable) => {
  expect(withTable(read(path))).toBe(read(path))
})

test("every code of a warning is in the guide", async () => {
  const { warningCodes } = await import("../src/core/lib/warning")
  const page = read("docs/guide/errors.md")
  expect(warningCodes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([])
})

test("every code of a detail, every format and every rule is in the guide", async () => {
  const { detailCodes, formats, rules } = await import("../src/core/lib/refusal")
  const page = read("docs/guide/errors.md")
  const missing = detailCodes.filter((code) => !page.includes(`| \`${code}\` | `))
  expect([...missing, ...[...formats, ...rules].filter((word) => !page.includes(`\`${word}\``))]).toEqual([])
})

/** The text without fenced code and inline code, where brackets are no links. */
const proseOf = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/`[^`\n]*`/g, "code")

/** The anchors of a page's headings, as GitHub forms them. */
const anchorsOf = (text: string) =>
  [...text.replace(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )

test("every relative link and anchor in the documents points to something that exists", () => {
  const broken = documents.flatMap((page) =>
    [...proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return []
      const [path = "", anchor] = link.split("#")
      const target = path === "" ? page : relative(root, join(root, dirname(page), path))
      if (!existsSync(join(root, target))) return [`${page}: ${link}`]
      return anchor === undefined || anchorsOf(read(target)).includes(anchor) ? [] : [`${page}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

test("the guide uses plain Markdown, because the reference shows it too, without its pictures", () => {
  for (const page of documents.filter((name) => name.startsWith("docs/guide/"))) {
    const prose = proseOf(read(page))
    // `src/core/http/openapi/guide.ts` leaves out a picture with a line of its own.
    const text = prose.replaceAll(/^!\[[^\]]+\]\(\.\.\/screenshots\/[^)]+\)\n\n/gm, "")
    expect([page, /^# \S/.test(prose), /<[a-z!/]/i.test(prose), text.includes("![")]).toEqual([
      page,
      true,
      false,
      false,
    ])
  }
})

test("no document names files outside the repository", () => {
  expect(documents.filter((page) => read(page).includes("../shared"))).toEqual([])
})
