import { run, serve } from "../../test/support/kontor"
import { clientOf, signIn, type Client } from "./client"
import { completeShop, findProblems, quiet } from "./crash"
import { crashImportOf, importProblems, startImport, type CrashImport } from "./crash-import"
import { newTold, startLoad, type Told } from "./failover-load"
import { scriptedPair, type FailoverPair } from "./failover-pair"
import { feedFollower } from "./feed"
import { randomFrom, type Random } from "./random"
import { scenarioOf, type Scenario } from "./scenario"

type Options = {
  seed: number
  rounds: number
  /** How many servers of Kontor use the database. */
  servers?: number
  writers?: number
  /**
   * If false, commits do not wait for the standby. Acknowledged writes are lost then in some of the rounds, and the test
   * ends with the first loss that it finds.
   */
  isSynchronous?: boolean
  /** Starts the two PostgreSQL servers; by default a pair that the test itself manages. */
  newPair?: (isSynchronous: boolean) => Promise<FailoverPair>
  say?: (line: string) => void
}
type Outcome = Told & {
  rounds: number
  /** For each kind of failure, in milliseconds: the longest time without an acknowledged write. */
  silenceAfter: Record<string, number>
}

/** After so many rounds, everything is read and compared, which takes longer than a round. */
const compareEvery = 5

/**
 * Kills a PostgreSQL server under load, makes its synchronous standby the primary server, and makes a standby of the killed
 * one, again and again. Afterwards every acknowledged write must be stored once, with its events, a write must not be
 * stored of which it was said that it was not, and a repeated write must not be stored twice.
 */
export async function failover(options: Options): Promise<Outcome> {
  const { newPair = scriptedPair, isSynchronous = true } = options
  const pair = await newPair(isSynchronous)
  try {
    pair.createDatabase("shop")
    return await failoverOf(pair, options)
  } finally {
    pair.stop()
  }
}

async function failoverOf(
  pair: FailoverPair,
  { seed, rounds, servers = 1, writers = 16, isSynchronous = true, say = () => {} }: Options,
): Promise<Outcome> {
  const random = randomFrom(seed)
  const db = pair.url("shop")
  const kontors = []
  for (let i = 0; i < servers; i++) kontors.push(await serve({ args: ["--db", db, ...quiet] }))
  const urls = kontors.map(({ url }) => url)
  const credential = await signIn(urls[0] ?? "")
  const clients = urls.map((url) => clientOf(url, credential))
  const client = clients[0] as Client
  const shared = await completeShop(client)
  const scenarios: Scenario[] = []
  const follower = feedFollower()
  const outcome: Outcome = { rounds: 0, silenceAfter: {}, ...newTold() }
  const { problems } = outcome

  while (outcome.rounds < rounds && problems.length === 0) {
    outcome.rounds++
    const waiting = scenarios.filter(({ isOver }) => !isOver)
    const nextScenario = () => {
      const next = waiting.shift()
      if (next) return next
      const scenario = scenarioOf(random.between(0, 2 ** 31), `R${scenarios.length + 1}`, shared)
      scenarios.push(scenario)
      return scenario
    }
    const load = startLoad({ clients, nextScenario, writers, follower, told: outcome })
    const imported = crashImportOf(`R${outcome.rounds}`, random.between(50, 1_500))
    const importing = startedImport({ url: client.url, credential }, imported)
    const lags = !isSynchronous || outcome.rounds % 2 === 0
    const failure = await failOver(pair, load, { random, lags, round: outcome.rounds })
    outcome.silenceAfter[failure] = Math.max(outcome.silenceAfter[failure] ?? 0, load.silence())
    if (problems.length > 0) break
    const access = { url: client.url, credential }
    problems.push(...(await importProblems(access, imported, await importing)))
    if (!isSynchronous || outcome.rounds % compareEvery === 0 || outcome.rounds === rounds) {
      problems.push(...(await findProblems(scenarios, client, shared, { open: 0, repeated: 0 })))
      problems.push(...(await follower.problems(client)))
      const check = await run(["check", "--db", db])
      if (check.code !== 0) problems.push(`kontor check: ${check.stdout}${check.stderr}`)
    }
    say(`round ${outcome.rounds}: ${JSON.stringify({ ...outcome, problems: problems.length })}`)
  }
  if (problems.length > 0) problems.push(...kontors.flatMap(({ output }) => errorsIn(output.stderr)))
  for (const kontor of kontors) await kontor.stop("SIGKILL")
  return outcome
}

/** The last errors in the log of a server, which tell the cause of a response with the status 500. */
const errorsIn = (log: string): string[] => log.match(/^.*A request failed.*$/gm)?.slice(-3) ?? []

/**
 * One round: the clients write all the time, while the servers of PostgreSQL change their roles. Returns how the primary
 * server failed.
 */
async function failOver(
  pair: FailoverPair,
  load: ReturnType<typeof startLoad>,
  { random, lags, round }: { random: Random; lags: boolean; round: number },
): Promise<string> {
  await load.acknowledged(random.between(50, 250))
  await Bun.sleep(random.between(0, 30))
  // Commits wait for a standby that lags behind. When the primary server is killed then, nobody knows their outcome.
  if (lags) pair.freezeStandby()
  if (lags) await Bun.sleep(random.between(50, 300))
  const failure = pair.strike(round)
  if (lags) pair.thawStandby()
  await pair.takeOver(random)
  if (pair.writesAlone) await load.acknowledged(random.between(20, 100))
  await pair.repair()
  await load.acknowledged(random.between(20, 100))
  await load.stop()
  return failure
}

/** Starts an import, and again if the database cannot be reached. Returns its ID. */
async function startedImport(
  access: { url: string; credential: Record<string, string> },
  imported: CrashImport,
): Promise<string> {
  for (;;) {
    const started = await startImport(access, imported).catch(() => null)
    if (started) return started.id
    await Bun.sleep(100)
  }
}
