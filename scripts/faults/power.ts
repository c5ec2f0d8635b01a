import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { emptyFolder, program, run, serve, type Kontor } from "../../test/support/kontor"
import { clientOf, signIn } from "./client"
import { completeShop, quiet } from "./crash"
import { diskModel, cutEffects, type CutEffect } from "./disk-model"
import { byRecord, feedProblems, readFeed, recordProblems } from "./feed"
import { randomFrom, type Random } from "./random"
import { readRecording, type Event } from "./recording"
import { shimmed } from "./shim"
import { advance, readAgain, scenarioOf, type Scenario } from "./scenario"
import { documentProblems, fileProblems, snapshotOf, scenarioProblems, unexpectedRecords } from "./verify"

type Options = {
  seed: number
  points: number
  shim: string
  /** The number of concurrent scenarios, and the total. */
  writers?: number
  scenarios?: number
  /** Ends when an acknowledged write is missing. */
  untilLoss?: boolean
  /** The program that is recorded. The rebuilt files are always checked with the program under test. */
  command?: string[]
  say?: (line: string) => void
}
type Outcome = {
  points: number
  events: number
  syncs: number
  acknowledged: number
  cutEffects: Partial<Record<CutEffect, number>>
  /** Acknowledged writes that are missing, and files that cannot be opened or fail the check. */
  losses: string[]
  damages: string[]
}
type Recorded = {
  events: Event[]
  scenarios: Scenario[]
  shared: string
  credential: Record<string, string>
  signedIn: string
}

/** Records what a loaded server writes, and rebuilds its files as after a power failure at random points. */
export async function powerCut({
  seed,
  points,
  untilLoss,
  say = () => {},
  ...options
}: Options): Promise<Outcome> {
  const random = randomFrom(seed)
  const recorded = await record(random, options)
  const { events, scenarios } = recorded
  const outcome: Outcome = {
    points: 0,
    events: events.length,
    syncs: events.filter(({ kind }) => kind === "sync").length,
    acknowledged: scenarios.reduce((sum, { answers }) => sum + answers.length, 0),
    cutEffects: {},
    losses: [],
    damages: [],
  }
  say(
    `recorded ${outcome.events} events, ${outcome.syncs} syncs, ${outcome.acknowledged} acknowledged writes`,
  )

  const disk = diskModel()
  const answered = new Set<string>()
  const running = new Set<Promise<void>>()
  let applied = 0
  for (const point of choosePoints(recorded, points, random)) {
    for (; applied < point; applied++) {
      const event = events[applied] as Event
      disk.applyEvent(event)
      if (event.kind === "answer") answered.add(event.requestId)
    }
    const effect = random.pick(cutEffects)
    const folder = emptyFolder()
    disk.cut(folder, effect, random)
    const inspection = inspect(folder, recorded, new Set(answered)).then(({ losses, damages }) => {
      const where = `point ${point} of ${events.length}, unsynced ${effect}: `
      outcome.losses.push(...losses.map((loss) => where + loss))
      outcome.damages.push(...damages.map((damage) => where + damage))
      outcome.points++
      outcome.cutEffects[effect] = (outcome.cutEffects[effect] ?? 0) + 1
      rmSync(folder, { recursive: true, force: true })
      running.delete(inspection)
      if (outcome.points % 25 === 0)
        say(`${outcome.points} points: ${outcome.losses.length} losses, ${outcome.damages.length} damaged`)
    })
    running.add(inspection)
    if (running.size >= 3) await Promise.race(running)
    if (untilLoss && outcome.losses.length > 0) break
  }
  await Promise.all(running)
  return outcome
}

/** Records a first start, a load, a kill, a second start with more load, and a normal stop. */
async function record(
  random: Random,
  {
    shim,
    writers = 8,
    scenarios: count = 24,
    command = program,
  }: Omit<Options, "seed" | "points" | "untilLoss">,
): Promise<Recorded> {
  const cwd = emptyFolder()
  const log = join(emptyFolder(), "recording")
  const env = { ...shimmed(shim, cwd), KONTOR_FAULTS_LOG: log }
  const signedIn = crypto.randomUUID()

  let kontor = await serve({ cwd, env, command, args: quiet, isFirst: true })
  const credential = await signIn(kontor.url, signedIn)
  const shared = await completeShop(clientOf(kontor.url, credential))
  const scenarios = Array.from({ length: count }, (_, i) =>
    scenarioOf(random.between(0, 2 ** 31), `P${i + 1}`, shared),
  )
  await runScenarios(kontor, credential, scenarios.slice(0, Math.ceil(count / 2)), writers)
  await kontor.stop("SIGKILL")
  kontor = await serve({ cwd, env, command, args: quiet })
  await runScenarios(kontor, credential, scenarios, writers)
  if ((await kontor.stop()) !== 0) throw new Error(`The recorded server failed: ${kontor.output.stderr}`)

  const events = readRecording(log)
  const answered = new Set(events.map((event) => (event.kind === "answer" ? event.requestId : null)))
  if (!scenarios.every(({ answers }) => answers.every((id) => answered.has(id))))
    throw new Error("The recording is incomplete: some responses are missing from it.")
  return { events, scenarios, shared, credential, signedIn }
}

async function runScenarios(
  { url }: Kontor,
  credential: Record<string, string>,
  scenarios: Scenario[],
  writers: number,
): Promise<void> {
  const client = clientOf(url, credential)
  const waiting = scenarios.filter(({ isOver }) => !isOver)
  const work = async () => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift())
      while (!scenario.isOver) {
        await readAgain(scenario, client)
        await advance(scenario, client)
      }
  }
  await Promise.all(Array.from({ length: writers }, work))
}

/** Half of the points are immediately after a response; others are before syncs and during checkpoints. */
function choosePoints({ events, scenarios, signedIn }: Recorded, count: number, random: Random): number[] {
  const promises = new Set([signedIn, ...scenarios.flatMap(({ answers }) => answers)])
  const behind = (is: (event: Event) => boolean, add = 1) =>
    events.flatMap((event, i) => (is(event) ? [i + add] : []))
  const answers = behind((event) => event.kind === "answer" && promises.has(event.requestId))
  const syncs = behind((event) => event.kind === "sync", 0)
  const checkpoints = behind((event) => event.kind === "write" && event.name === "kontor.db")
  const anywhere = events.map((_, i) => i)
  const pools = [answers, answers, answers, syncs, checkpoints, anywhere]
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, events.length)) chosen.add(random.pick(random.pick(pools)))
  return [...chosen].toSorted((a, b) => a - b)
}

/** Opens a rebuilt file with the program and compares it with the acknowledged writes. */
async function inspect(
  cwd: string,
  { scenarios, shared, credential, signedIn }: Recorded,
  answered: ReadonlySet<string>,
): Promise<{ losses: string[]; damages: string[] }> {
  const [losses, damages]: [string[], string[]] = [[], []]
  const isPromised = answered.has(signedIn)
  const check = async () => {
    const { code, stdout, stderr } = await run(["check"], { cwd })
    if (code !== 0) (stderr.includes("at version 0") ? losses : damages).push(`check: ${stdout}${stderr}`)
  }
  if (isPromised && !existsSync(join(cwd, "kontor.db"))) return { losses: ["the file is missing"], damages }
  // Before the first response there may be no tables yet; the next start creates them.
  if (isPromised) await check()
  try {
    const kontor = await serve({ cwd, args: quiet, isFirst: true })
    const client = clientOf(kontor.url, credential)
    try {
      if (isPromised) {
        const { status } = await client.call("GET", "/auth/me")
        if (status !== 200) losses.push(`the session is unknown: ${status}`)
        else {
          const [snapshot, feed] = [await snapshotOf(client), await readFeed(client)]
          const events = byRecord(feed)
          for (const scenario of scenarios) {
            const acknowledged = scenario.answers.filter((id) => answered.has(id)).length
            losses.push(...scenarioProblems(scenario, acknowledged, snapshot))
            losses.push(...feedProblems(scenario, acknowledged, events))
            losses.push(...(await fileProblems(scenario.states[acknowledged] ?? new Map(), client)))
          }
          damages.push(...unexpectedRecords(scenarios, snapshot, shared), ...documentProblems(snapshot))
          damages.push(...recordProblems(feed, snapshot))
        }
      }
    } finally {
      await kontor.stop("SIGKILL")
    }
    if (!isPromised) await check()
  } catch (error) {
    damages.push(error instanceof Error ? error.message : String(error))
  }
  return { losses, damages }
}

/** The program from source with `synchronous = NORMAL`, to prove that the test detects losses. */
export function programWithNormalSync(): string[] {
  const folder = emptyFolder()
  const root = join(import.meta.dir, "../..")
  for (const part of ["src", "docs", "schema.sql", "migrations.sql", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const file = join(folder, "src/core/engine/sqlite/open.ts")
  const source = readFileSync(file, "utf8")
  const changed = source.replace("PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL")
  if (changed === source)
    throw new Error("src/core/engine/sqlite/open.ts no longer contains PRAGMA synchronous = FULL.")
  writeFileSync(file, changed)
  return [process.execPath, join(folder, "src/main.ts")]
}
