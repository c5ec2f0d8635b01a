// Sends the most expensive values to every operation of the API document, and compares each result with the limits.
import { existsSync } from "node:fs"
import { adminEmail, adminPassword, emptyFolder, serve, type Kontor } from "../../test/support/kontor"
import { runnerOf } from "./cost-runner"
import { bodyCases } from "./cost-body"
import { json, type Case, type Context, type Sent } from "./cost-case"
import { concurrentResults } from "./cost-concurrent"
import { documentCases } from "./cost-documents"
import { heldResults } from "./cost-held"
import { importResults } from "./cost-import"
import { unauthenticatedCases, unauthenticatedBody } from "./cost-unauthenticated"
import { heldSince, lineOf, measured, send, type Limits, type Result } from "./cost-measure"
import { moneyCases } from "./cost-money"
import { paperCases } from "./cost-paper"
import { plainCases } from "./cost-plain"
import { queryCases } from "./cost-query"
import { untilIdle, watchedServer, type Watched } from "./cost-server"
import { fillShop, heaviest } from "./cost-shop"
import type { Size } from "./cost-shop-size"
import { millis } from "./cost-watch"
import { randomFrom } from "./random"
import { actors, type Actors } from "./fuzz-actors"
import { operationsOf, type Document, type Operation } from "./fuzz-document"
import { knownIds } from "./fuzz-known"
import { fuzzPlans } from "./fuzz-plans"
import { memoryOf } from "./overload-run"

export const parts = [
  "start",
  "plain",
  "documents",
  "money",
  "paper",
  "imports",
  "held",
  "unauthenticated",
  "setup",
  "bodies",
  "queries",
  "concurrent",
]

/** The share of the cases of a part that the short form sends. */
const sampled: Readonly<Record<string, number>> = { bodies: 1 / 8, queries: 1 / 8, documents: 1 / 4 }

/** In ms, between two requests of the second client. The short form has higher limits, so it may measure less exactly. */
const pauseOf = ({ isShort }: Settings): number => (isShort ? 4 : 1)

export type Settings = {
  /** The command of the program under test; by default the built binary. */
  command?: string[]
  seed: number
  size: Size
  limits: Limits
  isShort: boolean
  /** The parts to run; by default all. */
  only?: readonly string[]
  say(line: string): void
}

export type CostReport = {
  operations: number
  results: Result[]
  /** Cases that were skipped because a smaller one of the same series has failed. */
  skipped: number
  /** The server's memory in MB; null when the system does not report it. */
  memory: { before: number; after: number; peak: number } | null
}

/** Fills a shop, sends the requests and reports the results. The caller stops the servers with cleanUp. */
export async function cost(settings: Settings): Promise<CostReport> {
  const { limits, isShort, say, only = parts } = settings
  const { start, folder } = await shopOf(settings)
  const { server, starting } = await startedServer(start, settings)
  const { url } = server.now()
  const results: Result[] = []
  const note = (result: Result): void => {
    results.push(result)
    if (result.problem) say(`PROBLEM ${lineOf(result)}`)
  }
  if (only.includes("start")) note(starting)
  const before = memory(server)

  const operations = operationsOf((await (await fetch(`${url}/openapi.json`)).json()) as Document)
  const people = await actors(url, { email: adminEmail, password: adminPassword })
  const context = await contextOf(settings, server, people, operations)
  const deps = { people, known: context.known, operations, limits }
  const runner = runnerOf(server, deps)

  const random = randomFrom(settings.seed)
  const shareOf = (name: string): number => (isShort && sampled[name]) || 1
  const part = async (name: string, cases: () => Iterable<Case>, { ask } = runner): Promise<void> => {
    if (!only.includes(name)) return
    const [began, count] = [millis(), results.length]
    for (const testCase of cases()) {
      if (!random.chance(shareOf(name))) continue
      const result = await ask(testCase)
      if (result) note(result)
    }
    say(`${name}: ${results.length - count} requests in ${secondsSince(began)} s`)
  }
  const ofEach = (casesOf: (operation: Operation, context: Context) => Iterable<Case>) =>
    function* () {
      for (const operation of operations) yield* casesOf(operation, context)
    }
  await part("plain", ofEach(plainCases))
  await part("documents", () => documentCases(context))
  await part("money", () => moneyCases(context, settings.size))
  await part("paper", () => paperCases(context))
  if (only.includes("imports")) {
    const admin = await people.credentialFor("")
    for await (const result of importResults({ admin, limits, isShort }, server.now)) note(result)
  }
  if (only.includes("held")) {
    const admin = await people.credentialFor("")
    for await (const result of heldResults({ admin, limits, isShort, folder }, server.now)) note(result)
  }
  await part("unauthenticated", () => unauthenticatedCases(url, context))
  await part("unauthenticated", ofEach(unauthenticatedBodies))
  if (only.includes("setup")) {
    const empty = await watchedServer(() => serve(launchOf(settings, emptyFolder(), {})), pauseOf(settings))
    const isSetUp = ({ id }: Operation) => id === "setUp"
    const bodies = ofEach((operation) => (isSetUp(operation) ? bodyCases(operation, context) : []))
    await part("setup", bodies, runnerOf(empty, deps))
    await empty.stop()
  }
  await part("bodies", ofEach(bodyCases))
  await part("queries", ofEach(queryCases))
  if (only.includes("concurrent")) {
    const [spare, admin] = [await people.credentialFor("changePassword"), await people.credentialFor("")]
    for await (const result of concurrentResults({ spare, admin, limits, isShort }, server.now)) note(result)
  }

  const after = memory(server)
  await server.stop()
  return {
    operations: operations.length,
    skipped: runner.skipped(),
    results,
    memory: before && after ? { before: before.now, after: after.now, peak: after.peak } : null,
  }
}

const secondsSince = (from: number): number => Math.round((millis() - from) / 1000)
const memory = (server: Watched) => (process.platform === "linux" ? memoryOf(server.now().pid) : null)

const launchOf = ({ command }: Settings, cwd: string, env: Record<string, string>) => ({
  ...(command ? { command } : {}),
  cwd,
  args: ["--trusted-proxies", "127.0.0.1", "--log-level", "error"],
  env: { ...fuzzPlans, ...env },
})

/** Creates and fills the file, in memory if possible, so that the disk is not measured. */
async function shopOf(settings: Settings) {
  const cwd = emptyFolder(existsSync("/dev/shm") ? "/dev/shm" : undefined)
  const admin = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
  const start = () => serve(launchOf(settings, cwd, admin))
  const { stop, file } = await start()
  await stop()
  const began = millis()
  fillShop(file, settings.size)
  settings.say(`the shop was filled in ${secondsSince(began)} s`)
  return { start, folder: cwd }
}

/** Starts the server, and again if it blocks others, as other cases are measured again. */
async function startedServer(start: () => Promise<Kontor>, settings: Settings) {
  const servers: Watched[] = []
  const starting = await measured(settings.limits.hold, async () => {
    await servers.at(-1)?.stop()
    const server = await watchedServer(start, pauseOf(settings))
    servers.push(server)
    return startResult(server)
  })
  return { server: servers.at(-1) as Watched, starting }
}

/** How long other clients wait in the first seconds, while the server loads the words of all records. */
async function startResult(server: Watched): Promise<Result> {
  const target = server.now()
  const from = millis()
  await untilIdle(target.pid)
  const hold = await heldSince(target, from)
  return {
    operation: "the start",
    parameter: "all words",
    value: "are loaded",
    hold,
    status: 200,
    problem: null,
  }
}

async function contextOf(
  { seed, isShort }: Settings,
  server: Watched,
  people: Actors,
  operations: readonly Operation[],
): Promise<Context> {
  const admin = await people.credentialFor("")
  const ask = async (sent: Sent): Promise<unknown> =>
    (await send(server.now().url, { ...sent, headers: { ...sent.headers, ...admin } })).body
  const redirectUri = "https://shop.example/callback"
  const client = (await ask({
    method: "POST",
    path: "/api/v1/oauth-clients",
    headers: json,
    body: JSON.stringify({ name: "Shop", redirectUris: [redirectUri], scopes: ["read"] }),
  })) as { data: { id: string; clientId: string } }
  const random = randomFrom(seed)
  const known = knownIds([...people.protectedIds, ...Object.values(heaviest), client.data.id])
  for (const { path, parameters } of operations)
    if (!path.includes("{") && parameters.some(({ name }) => name === "cursor"))
      known.learn(await ask({ method: "GET", path: `${path}?order=asc&perPage=100&fields=id` }))
  const amend: Context["amend"] = (operation, body) => people.amend(operation, body, random)
  return { known, random, isShort, ask, amend, clientId: client.data.clientId, redirectUri }
}

const unauthenticatedBodies = (operation: Operation, context: Context): Case[] =>
  operation.body && !operation.isOpen ? [unauthenticatedBody(operation, context)] : []
