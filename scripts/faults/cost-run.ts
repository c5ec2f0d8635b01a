// Sends the most expensive values to every operation of the API document, and compares each result with the limits.
import { existsSync } from "node:fs"
import { adminEmail, adminPassword, emptyFolder, serve } from "../../test/support/kontor"
import { askerOf } from "./cost-asker"
import { bodyCases } from "./cost-body"
import { json, type Case, type Means, type Sent } from "./cost-case"
import { crowdResults } from "./cost-crowd"
import { documentCases } from "./cost-documents"
import { doorCases, strangerCase } from "./cost-doors"
import { heldFor, heldSince, lineOf, send, type Bars, type Result } from "./cost-measure"
import { plainCases } from "./cost-plain"
import { queryCases } from "./cost-query"
import { atRest, underWatch, type Watched } from "./cost-server"
import { fillShop, heaviest } from "./cost-shop"
import type { Size } from "./cost-shop-size"
import { millis } from "./cost-watch"
import { diceOf } from "./dice"
import { actors, type Actors } from "./fuzz-actors"
import { operationsOf, type Document, type Operation } from "./fuzz-document"
import { knownIds } from "./fuzz-known"
import { fuzzPlans } from "./fuzz-plans"
import { memoryOf } from "./overload-storm"

export const parts = ["start", "plain", "documents", "doors", "setup", "bodies", "queries", "crowds"]

export type Settings = {
  /** The command of the program under test; by default the built binary. */
  command?: string[]
  seed: number
  size: Size
  bars: Bars
  isShort: boolean
  /** The parts to run; by default all. */
  only?: readonly string[]
  say(line: string): void
}

export type CostReport = {
  operations: number
  results: Result[]
  /** Cases that were skipped because a smaller one of the same series has failed. */
  spared: number
  /** The server's memory in MB; null when the system does not report it. */
  memory: { before: number; after: number; peak: number } | null
}

/** Fills a shop, sends the requests and reports the results. The caller stops the servers with cleanUp. */
export async function cost(settings: Settings): Promise<CostReport> {
  const { bars, isShort, say, only = parts } = settings
  const server = await underWatch(await shopOf(settings))
  const { url } = server.now()
  const results: Result[] = []
  const note = (result: Result): void => {
    results.push(result)
    if (result.fault) say(`PROBLEM ${lineOf(result)}`)
  }
  const starting = await startResult(server, bars)
  if (only.includes("start")) note(starting)
  const before = memory(server)

  const operations = operationsOf((await (await fetch(`${url}/openapi.json`)).json()) as Document)
  const people = await actors(url, { email: adminEmail, password: adminPassword })
  const means = await meansOf(settings, server, people, operations)
  const surroundings = { people, known: means.known, operations, bars }
  const asker = askerOf(server, surroundings)

  const part = async (name: string, cases: () => Iterable<Case>, { ask } = asker): Promise<void> => {
    if (!only.includes(name)) return
    const [began, count] = [millis(), results.length]
    for (const asked of cases()) {
      const result = await ask(asked)
      if (result) note(result)
    }
    say(`${name}: ${results.length - count} requests in ${secondsSince(began)} s`)
  }
  const ofEach = (casesOf: (operation: Operation, means: Means) => Iterable<Case>) =>
    function* () {
      for (const operation of operations) yield* casesOf(operation, means)
    }
  await part("plain", ofEach(plainCases))
  await part("documents", () => documentCases(means))
  await part("doors", () => doorCases(url, means))
  await part("doors", ofEach(strangerCases))
  if (only.includes("setup")) {
    const empty = await underWatch(() => serve(launchOf(settings, emptyFolder(), {})))
    const isSetUp = ({ id }: Operation) => id === "setUp"
    const bodies = ofEach((operation) => (isSetUp(operation) ? bodyCases(operation, means) : []))
    await part("setup", bodies, askerOf(empty, surroundings))
    await empty.stop()
  }
  await part("bodies", ofEach(bodyCases))
  await part("queries", ofEach(queryCases))
  if (only.includes("crowds")) {
    const [spare, admin] = [await people.credentialFor("changePassword"), await people.credentialFor("")]
    for await (const result of crowdResults({ spare, admin, bars, isShort }, server.now)) note(result)
  }

  const after = memory(server)
  await server.stop()
  return {
    operations: operations.length,
    spared: asker.spared(),
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
  return start
}

/** How long other clients wait in the first seconds, while the server loads the words of all records. */
async function startResult(server: Watched, bars: Bars): Promise<Result> {
  const target = server.now()
  const from = millis()
  await atRest(target.pid)
  const hold = await heldSince(target, from, 0)
  const fault = hold > bars.hold ? heldFor(hold) : null
  return { operation: "the start", parameter: "all words", value: "are loaded", hold, status: 200, fault }
}

async function meansOf(
  { seed, isShort }: Settings,
  server: Watched,
  people: Actors,
  operations: readonly Operation[],
): Promise<Means> {
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
  const dice = diceOf(seed)
  const known = knownIds([...people.spared, ...Object.values(heaviest), client.data.id])
  for (const { path, parameters } of operations)
    if (!path.includes("{") && parameters.some(({ name }) => name === "cursor"))
      known.learn(await ask({ method: "GET", path: `${path}?order=asc&perPage=100&fields=id` }))
  const amend: Means["amend"] = (operation, body) => people.amend(operation, body, dice)
  return { known, dice, isShort, ask, amend, clientId: client.data.clientId, redirectUri }
}

const strangerCases = (operation: Operation, means: Means): Case[] =>
  operation.body && !operation.isOpen ? [strangerCase(operation, means)] : []
