// Two generators for TypeScript (in the usual form the more popular one) read the API document of the running server. What they generate must compile strictly,
// and a story told with it must come true.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { cpSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { operationsOf, type Document } from "../../scripts/faults/fuzz-document"
import { send, signIn } from "../support/api"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { sandbox, stopSandboxes } from "../support/sandbox"
import { booksOf, everyFifth, sell } from "./stories/books"

const root = join(import.meta.dir, "../..")
const generators: Record<string, string[]> = {
  "openapi-fetch": ["openapi-typescript", "openapi.json", "-o", "openapi-fetch/schema.ts"],
  ...(isLong ? { "hey-api": ["openapi-ts", "-i", "openapi.json", "-o", "hey-api", "--no-log-file"] } : {}),
}

/** As strict as TypeScript can be. */
const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  skipLibCheck: false,
  verbatimModuleSyntax: true,
  noEmit: true,
  target: "ESNext",
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  module: "Preserve",
  moduleResolution: "bundler",
  types: [],
}

let kontor: Kontor
let token: string
let folder: string

/** Returns a `fetch` that keeps what is wrong with a JSON response, by the document that the clients were made from. */
async function validating(problems: string[]) {
  const document = (await Bun.file(join(folder, "openapi.json")).json()) as Document
  const operations = operationsOf(document).map((each) => ({
    ...each,
    pattern: new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }))
  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const response = await fetch(request)
    const found = operations.find(
      ({ method, pattern }) => method === request.method && pattern.test(pathname),
    )
    const form = searchParams.has("dryRun") ? "dryRun" : searchParams.has("fields") ? "slim" : "whole"
    const promised = found?.answers.get(response.status)
    const problem = promised ? promised.problemOf(await response.clone().json(), form) : "is not promised"
    if (problem !== null) problems.push(`${found?.id} ${response.status} ${form}: ${problem}`)
    return response
  }
}

/** Runs a program of this repository in the folder of the clients. */
async function run(command: string[]) {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, text: stdout + stderr }
}

beforeAll(async () => {
  kontor = await serve()
  token = (await signIn(kontor)).credential.authorization?.slice("Bearer ".length) ?? ""
  // Inside the repository, where the generated code finds its packages.
  mkdirSync(join(root, "dist"), { recursive: true })
  folder = emptyFolder(join(root, "dist"))
  for (const name of ["told", "books", ...Object.keys(generators)])
    cpSync(join(import.meta.dir, `stories/${name}.ts`), join(folder, `${name}.ts`))
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["."] }))
  await Bun.write(join(folder, "openapi.json"), (await send(`${kontor.url}/openapi.json`)).text)
  const runs = Object.values(generators).map(([name = "", ...args]) =>
    run([process.execPath, "--bun", join(root, "node_modules/.bin", name), ...args]),
  )
  for (const { code, text } of await Promise.all(runs)) expect([code, text]).toEqual([0, text])
})
afterAll(async () => {
  await stopSandboxes()
  await cleanUp()
})

/** Files that @hey-api/openapi-ts copies. They do not depend on the document, and violate only this option. */
const copied = /^hey-api\/(client|core)\/\S+ error TS23(75|79): .*'exactOptionalPropertyTypes: true'/

test("what they generate, and code that uses it, compiles with the strictest settings", async () => {
  const { text } = await run([process.execPath, "check", "--no-script", "--all", "-p", folder])
  expect(text).toMatch(/checked \d+ files|No type errors in \d+ files/)
  const errors = text.split("\n").filter((line) => / error TS\d+: /.test(line))
  expect(errors.filter((line) => !copied.test(line))).toEqual([])
})

test.each(Object.keys(generators))(
  "a client of %s creates, filters, pages, changes in part, tries without writing, and reads a typed error",
  async (name) => {
    const first = name === "hey-api" ? "H" : "F"
    const { story } = await import(join(folder, `${name}.ts`))
    const problems: string[] = []
    expect(await story(kontor.url, token, await validating(problems))).toEqual({
      found: [1, 2, 3].map((i) => `${first}-LAMP-${i}`),
      pages: [
        [3, 2],
        [1, 0],
      ]
        .map((two) => two.map((i) => `${first}-LAMP-${i}`))
        .concat([[`${first}-DESK`]]),
      price: 429,
      otherFields: true,
      line: { id: true, rate: true, discount: true, quantity: 3 },
      refusal: {
        status: 422,
        code: "VALIDATION_ERROR",
        fields: expect.arrayContaining(["itemCode", "itemName"]),
      },
      dryRuns: { numbers: [null, null, null], total: 480, left: [0, 1, 0] },
    })
    expect(problems).toEqual([])
  },
)

/** The `fetch` of the guide, which repeats what has failed. */
async function safeFetch(): Promise<(request: Request) => Promise<Response>> {
  const page = readFileSync(join(root, "docs/guide/sandbox.md"), "utf8")
  const [code = ""] = /^async function safeFetch[\s\S]*?^}$/m.exec(page) ?? []
  await Bun.write(join(folder, "safe-fetch.ts"), `export ${code}\n`)
  return (await import(join(folder, "safe-fetch.ts"))).safeFetch
}

test("with the fetch of the guide their books are the same, though every fifth request fails", async () => {
  const shop = await sandbox()
  const { url, apiKey, api } = shop
  const fetch = await safeFetch()
  const books: object[] = []
  for (const name of Object.keys(generators)) {
    const { seller } = await import(join(folder, `${name}.ts`))
    for (const faults of [[], everyFifth]) {
      await api.post("/sandbox/reset")
      await api.put("/sandbox/faults", faults)
      await sell(seller(url, apiKey, fetch))
      await api.delete("/sandbox/faults")
      books.push(await booksOf(url, apiKey))
    }
  }
  for (const each of books) expect(each).toEqual(books[0] ?? {})
})
