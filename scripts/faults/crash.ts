import { company, taxCode } from "../../test/support/downloads"
import { emptyFolder, run, serve, type Kontor } from "../../test/support/kontor"
import { clientOf, signIn, type Client } from "./client"
import { byRecord, feedFollower, feedProblems, readFeed, recordProblems, type Follower } from "./feed"
import { crashImportOf, importProblems, startImport } from "./crash-import"
import { randomFrom } from "./random"
import { findShim, shimmed } from "./shim"
import { advance, latest, readAgain, scenarioOf, WrongAnswer, type Scenario } from "./scenario"
import { accessProblems, documentProblems, snapshotOf, scenarioProblems, unexpectedRecords } from "./verify"

/** `most` is the largest number of writes before a kill. */
type Options = { seed: number; rounds: number; writers?: number; most?: number; say?: (line: string) => void }
type Outcome = { rounds: number; acknowledged: number; open: number; repeated: number; problems: string[] }

/** With the number of system calls, or of responses, before the kill: at most so many for each write of the load. */
const killModes = [
  ["KONTOR_FAULTS_KILL_AT", 6],
  [null, 0],
  ["KONTOR_FAULTS_KILL_201", 0.3],
] as const

/**
 * Kills a loaded server at random moments, with an import in progress, and checks after each restart that no acknowledged
 * write is missing, that the import goes on and writes every row once, and that the feed of events has every change
 * once. A reader of the feed goes on with its last position.
 */
export async function crash({
  seed,
  rounds,
  writers = 16,
  most = 400,
  say = () => {},
}: Options): Promise<Outcome> {
  const random = randomFrom(seed)
  const cwd = emptyFolder()
  const scenarios: Scenario[] = []
  const outcome: Outcome = { rounds: 0, acknowledged: 0, open: 0, repeated: 0, problems: [] }
  const shim = await findShim()
  const follower = feedFollower()
  let kontor = await serve({ cwd, args: quiet })
  const credential = await signIn(kontor.url)
  const shared = await completeShop(clientOf(kontor.url, credential))
  const newScenario = () => {
    const scenario = scenarioOf(random.between(0, 2 ** 31), `R${scenarios.length + 1}`, shared)
    scenarios.push(scenario)
    return scenario
  }

  while (outcome.rounds < rounds && outcome.problems.length === 0) {
    outcome.rounds++
    // The rounds alternate: the server is killed at a random moment, in a system call to the disk, or before a 201.
    const [variable, perWrite] = killModes[outcome.rounds % killModes.length] as (typeof killModes)[number]
    const moment = random.between(0, 30)
    const imported = crashImportOf(`R${outcome.rounds}`, random.between(50, most * 4))
    let importId: string | null = null
    const load = async (server: Kontor, writes: number) => {
      const starting = startImport({ url: server.url, credential }, imported).then(
        ({ id }) => void (importId = id),
        () => {},
      )
      await loadUntilDead(server, { credential, scenarios, newScenario, writers, writes, moment, follower })
      await starting
    }
    if (shim && variable) {
      await kontor.stop()
      const env = { ...shimmed(shim, cwd), [variable]: String(random.between(1, most * perWrite)) }
      // The server may be killed while it starts. Whether it starts at all is checked below.
      const armed = await serve({ cwd, env, args: quiet }).catch(() => null)
      if (armed) await load(armed, most)
    } else await load(kontor, random.between(20, most))
    kontor = await serve({ cwd, args: quiet })
    const client = clientOf(kontor.url, credential)
    const problems = await importProblems({ url: kontor.url, credential }, imported, importId)
    problems.push(...(await findProblems(scenarios, client, shared, outcome)))
    problems.push(...(await follower.problems(client)))
    const check = await run(["check"], { cwd })
    if (check.code !== 0) problems.push(`kontor check: ${check.stdout}${check.stderr}`)
    outcome.problems.push(...problems.map((problem) => `Round ${outcome.rounds}: ${problem}`))
    outcome.acknowledged = scenarios.reduce((sum, { answers }) => sum + answers.length, 0)
    say(
      `round ${outcome.rounds}: ${outcome.acknowledged} acknowledged, ${outcome.open} unanswered, ` +
        `${outcome.repeated} of them already stored, ${problems.length} problems`,
    )
  }
  await kontor.stop("SIGKILL")
  return outcome
}

/** A message that is sent changes by itself. test/api/mail-restarts.test.ts kills servers that send. */
export const quiet = ["--no-sending"]

const smtp = { host: "127.0.0.1", security: "none", auth: "none", from: "shop@shop.example" }

/** Fills in the data of the company that e-invoices need, and creates the shared item. */
export async function completeShop(client: Client): Promise<string> {
  const { body: code } = await client.call("POST", "/tax-codes", taxCode)
  const settings = { ...company, smtp, defaultTaxCode: code.data.id }
  const { status, body } = await client.call("PUT", "/settings", settings)
  if (status !== 200) throw new Error(`PUT /settings returned ${status}: ${JSON.stringify(body)}`)
  return sharedItem(client)
}

/** Creates an item that all orders use, so that the scenarios update the same row. */
async function sharedItem(client: Client): Promise<string> {
  const { body } = await client.call("POST", "/items", {
    itemCode: "SHARED",
    itemName: "Shared",
    sellingPrice: 5,
  })
  return body.data.id
}

type Load = {
  credential: Record<string, string>
  scenarios: Scenario[]
  newScenario: () => Scenario
  writers: number
  /** The number of acknowledged writes before the kill. */
  writes: number
  moment: number
  /** Reads the feed meanwhile. */
  follower: Follower
}

/** Runs all scenarios until the server ends: killed by the shim, or a moment after the given number of writes. */
async function loadUntilDead(
  kontor: Kontor,
  { credential, scenarios, newScenario, writers, writes, moment, follower }: Load,
): Promise<void> {
  const client = clientOf(kontor.url, credential)
  let isDead = false
  let left = writes
  const exit = kontor.process.exited.then(() => void (isDead = true))
  const waiting = scenarios.filter(({ isOver }) => !isOver)
  const work = async () => {
    while (!isDead) {
      const scenario = waiting.shift() ?? newScenario()
      try {
        while (!isDead && !scenario.isOver) {
          await advance(scenario, client)
          if (--left === 0) setTimeout(() => kontor.process.kill("SIGKILL"), moment)
        }
      } catch (error) {
        // A server that is being killed may drop connections, but must not send a wrong response.
        if (error instanceof WrongAnswer) throw error
        await Promise.race([exit, Bun.sleep(5 * 60_000)])
        if (!isDead) throw error
      }
    }
  }
  await Promise.all([follower.follow(client), ...Array.from({ length: writers }, work)])
}

/** Compares what the server has with what the scenarios know. Repeats the writes that got no response. */
export async function findProblems(
  scenarios: Scenario[],
  client: Client,
  shared: string,
  outcome: Pick<Outcome, "open" | "repeated">,
): Promise<string[]> {
  const [found, events] = [await snapshotOf(client), byRecord(await readFeed(client))]
  const acknowledged = scenarios.map(({ answers }) => answers.length)
  const open = scenarios.filter((scenario) => scenario.open !== null)
  outcome.open += open.length
  for (const scenario of scenarios) {
    await readAgain(scenario, client)
    if (scenario.open === null) continue
    if (await advance(scenario, client)) outcome.repeated++
  }
  const problems = scenarios.flatMap((scenario, i) => [
    ...scenarioProblems(scenario, acknowledged[i] as number, found),
    ...feedProblems(scenario, acknowledged[i] as number, events),
  ])

  const [now, feed] = [await snapshotOf(client), await readFeed(client)]
  const fed = byRecord(feed)
  problems.push(
    ...scenarios.flatMap((scenario) => scenarioProblems({ ...scenario, states: [latest(scenario)] }, 0, now)),
    ...scenarios.flatMap((scenario) => feedProblems(scenario, scenario.answers.length, fed)),
    ...recordProblems(feed, now),
    ...unexpectedRecords(scenarios, now, shared),
    ...documentProblems(now),
  )
  for (const scenario of scenarios.slice(-20)) problems.push(...(await accessProblems(scenario, client)))
  return problems
}
