import { rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { emptyFolder, run, serve } from "../../test/support/kontor"
import { clientOf, signIn, type Client } from "./client"
import { completeShop, quiet } from "./crash"
import { randomFrom } from "./random"
import { shimmed } from "./shim"
import { advance, latest, readAgain, scenarioOf, WrongAnswer, type Scenario } from "./scenario"
import { accessProblems, differences, documentProblems, snapshotOf, unexpectedRecords } from "./verify"
import { until } from "../../test/support/until"

/** A folder on a disk that can be made to fail and to work again, and the environment that the server needs for it. */
export type Disk = { cwd: string; env?: Record<string, string>; fail(): void; repair(): void }

/** `finished` of the scenarios run to their end after the repair; the others write once more. */
type Options = { writers?: number; finished?: number }
type Outcome = {
  acknowledged: number
  refused: number
  acknowledgedWhileFailing: number
  /** The codes of the checks that fail in /ready. */
  reasons: string[]
  problems: string[]
}

/**
 * Makes the disk fail under many parallel writers. Every write must either succeed or get a 503 and store nothing.
 * Reads must continue, and everything must recover without a restart when the disk works again.
 */
export async function failingDisk(
  disk: Disk,
  seed: number,
  { writers = 32, finished = Infinity }: Options = {},
): Promise<Outcome> {
  const random = randomFrom(seed)
  const { cwd } = disk
  const kontor = await serve(disk.env ? { cwd, args: quiet, env: disk.env } : { cwd, args: quiet })
  const client = clientOf(kontor.url, await signIn(kontor.url))
  const shared = await completeShop(client)
  const scenarios = Array.from({ length: writers * 2 }, (_, i) =>
    scenarioOf(random.between(0, 2 ** 31), `D${i + 1}`, shared),
  )
  const outcome: Outcome = {
    acknowledged: 0,
    refused: 0,
    acknowledgedWhileFailing: 0,
    reasons: [],
    problems: [],
  }
  const expect = (is: boolean, problem: string) => void (is || outcome.problems.push(problem))
  const count = () => scenarios.reduce((sum, { answers }) => sum + answers.length, 0)
  const statusOf = async (path: string) => (await fetch(kontor.url + path)).status

  const early = scenarios.slice(0, writers)
  await Promise.all(early.map((scenario) => advanceBy(scenario, client, random.between(2, 6))))

  disk.fail()
  const before = count()
  // Each scenario runs until a write fails: on a disk that fills up, some writes may still succeed.
  await Promise.all(scenarios.map((scenario) => advanceUntilRefused(scenario, client, outcome)))
  outcome.acknowledgedWhileFailing = count() - before
  expect((await statusOf("/health")) === 200, "/health does not return 200 while the disk fails")
  const ready = await fetch(`${kontor.url}/ready`)
  expect(ready.status === 503, "/ready does not return 503 while the disk fails")
  const { error } = (await ready.json()) as { error?: { checks: { code: string }[] } }
  outcome.reasons = [...new Set(error?.checks.map(({ code }) => code))]
  for (const path of ["/items", "/search?q=thing", "/reports/summary", `/items/${shared}`, "/auth/me"]) {
    const { status } = await client.call("GET", path)
    expect(status === 200, `GET ${path} returns ${status} while the disk fails`)
  }
  const during = await snapshotOf(client)
  outcome.problems.push(...differencesOf(scenarios, during))

  disk.repair()
  expect(await becomesReady(statusOf), "/ready does not recover")
  outcome.problems.push(...differencesOf(scenarios, await snapshotOf(client)))
  await Promise.all(
    scenarios.map((scenario, i) =>
      advanceBy(scenario, client, i < finished ? Infinity : 1).catch((error: Error) =>
        outcome.problems.push(`${scenario.name} could not continue: ${error.message}`),
      ),
    ),
  )
  const after = await snapshotOf(client)
  outcome.problems.push(
    ...differencesOf(scenarios, after),
    ...unexpectedRecords(scenarios, after, shared),
    ...documentProblems(after),
  )
  for (const scenario of scenarios.slice(0, 8))
    outcome.problems.push(...(await accessProblems(scenario, client)))
  await kontor.stop("SIGKILL")
  const check = await run(["check"], { cwd })
  expect(check.code === 0, `kontor check: ${check.stdout}${check.stderr}`)
  outcome.acknowledged = count()
  return outcome
}

async function advanceBy(scenario: Scenario, client: Client, writes: number): Promise<void> {
  await readAgain(scenario, client)
  for (let left = writes; left > 0 && !scenario.isOver; left--) await advance(scenario, client)
}

async function advanceUntilRefused(scenario: Scenario, client: Client, outcome: Outcome): Promise<void> {
  try {
    await advanceBy(scenario, client, Infinity)
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error
    const { status, body, headers } = error
    const code = (body as { error?: { code?: string } } | null)?.error?.code
    const retryAfter = headers.get("retry-after") ?? ""
    if (status !== 503 || code !== "SERVICE_UNAVAILABLE" || !/^[1-9]\d*$/.test(retryAfter))
      outcome.problems.push(`${error.message}, Retry-After ${retryAfter}`)
    outcome.refused++
  }
}

/** A 503 means that nothing was stored: the file has exactly the acknowledged writes. */
const differencesOf = (scenarios: Scenario[], snapshot: Awaited<ReturnType<typeof snapshotOf>>): string[] =>
  scenarios.flatMap((scenario) =>
    differences(scenario, latest(scenario), snapshot).map((problem) => `${scenario.name}: ${problem}`),
  )

/** The server may check the disk only every few seconds. */
const becomesReady = (statusOf: (path: string) => Promise<number>): Promise<boolean> =>
  until(async () => (await statusOf("/ready")) === 200).then(
    () => true,
    () => false,
  )

/**
 * The error number that the shim returns, and the number of writes that succeed before it. With a few successful
 * writes, a commit fails halfway.
 */
export const shimErrors = {
  "a full disk, in the middle of a commit": "28 5",
  "a disk that has turned read-only": "30 0",
  "a broken disk": "5 9",
} as const

export function shimmedDisk(shim: string, error: string): Disk {
  const cwd = emptyFolder()
  const refuse = join(emptyFolder(), "refuse")
  return {
    cwd,
    env: { ...shimmed(shim, cwd), KONTOR_FAULTS_REFUSE: refuse },
    fail: () => writeFileSync(refuse, error),
    repair: () => rmSync(refuse),
  }
}

/** A small tmpfs, which fills up while it is written to; null without the right to mount one. */
export function smallDisk(): (Disk & { remove(): void; remount(mode: "ro" | "rw"): boolean }) | null {
  const cwd = emptyFolder()
  const runs = (...command: string[]) =>
    Bun.spawnSync(command, { stdio: ["ignore", "ignore", "ignore"] }).success
  if (process.getuid?.() !== 0 || !Bun.which("mount")) return null
  if (!runs("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", cwd)) return null
  const filler = join(cwd, "filler")
  const spare = 600_000
  return {
    cwd,
    fail() {
      const { bavail, bsize } = statfsSync(cwd)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - spare)))
    },
    repair: () => rmSync(filler),
    remount: (mode) => runs("mount", "-o", `remount,${mode}`, cwd),
    remove: () => void runs("umount", "-l", cwd),
  }
}
