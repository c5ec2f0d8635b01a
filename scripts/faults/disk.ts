import { rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { emptyFolder, run, serve } from "../../test/support/kontor"
import { clientOf, signIn, type Client } from "./client"
import { sharedItem } from "./crash"
import { randomFrom } from "./random"
import { shimmed } from "./shim"
import { advance, latest, readAgain, storyOf, WrongAnswer, type Story } from "./story"
import { accessFaults, differences, documentFaults, snapshotOf, strangers } from "./verify"

/** A folder on a disk that can be made to fail and to work again, and the environment that the server needs for it. */
export type Disk = { cwd: string; env?: Record<string, string>; fail(): void; mend(): void }

type Outcome = { acknowledged: number; refused: number; acknowledgedWhileFailing: number; faults: string[] }

/**
 * Makes the disk fail under many parallel writers. Every write must either succeed or get a 503 and store nothing.
 * Reads must continue, and everything must recover without a restart when the disk works again.
 */
export async function failingDisk(disk: Disk, seed: number, writers = 32): Promise<Outcome> {
  const random = randomFrom(seed)
  const { cwd } = disk
  const kontor = await serve(disk.env ? { cwd, env: disk.env } : { cwd })
  const client = clientOf(kontor.url, await signIn(kontor.url))
  const shared = await sharedItem(client)
  const stories = Array.from({ length: writers * 2 }, (_, i) =>
    storyOf(random.whole(0, 2 ** 31), `D${i + 1}`, shared),
  )
  const outcome: Outcome = { acknowledged: 0, refused: 0, acknowledgedWhileFailing: 0, faults: [] }
  const expect = (is: boolean, fault: string) => void (is || outcome.faults.push(fault))
  const count = () => stories.reduce((sum, { answers }) => sum + answers.length, 0)
  const statusOf = async (path: string) => (await fetch(kontor.url + path)).status

  const early = stories.slice(0, writers)
  await Promise.all(early.map((story) => go(story, client, random.whole(2, 6))))

  disk.fail()
  const before = count()
  // Until each has met the failure: on a disk that fills up, some writes may still succeed.
  await Promise.all(stories.map((story) => goUntilRefused(story, client, outcome)))
  outcome.acknowledgedWhileFailing = count() - before
  expect((await statusOf("/health")) === 200, "/health does not return 200 while the disk fails")
  expect((await statusOf("/ready")) === 503, "/ready does not return 503 while the disk fails")
  for (const path of ["/items", "/search?q=thing", "/reports/summary", `/items/${shared}`, "/auth/me"]) {
    const { status } = await client.call("GET", path)
    expect(status === 200, `GET ${path} returns ${status} while the disk fails`)
  }
  const during = await snapshotOf(client)
  outcome.faults.push(...exactly(stories, during))

  disk.mend()
  expect(await becomesReady(statusOf), "/ready does not recover")
  outcome.faults.push(...exactly(stories, await snapshotOf(client)))
  await Promise.all(
    stories.map((story) =>
      go(story, client, Infinity).catch((error: Error) =>
        outcome.faults.push(`${story.name} could not continue: ${error.message}`),
      ),
    ),
  )
  const after = await snapshotOf(client)
  outcome.faults.push(
    ...exactly(stories, after),
    ...strangers(stories, after, shared),
    ...documentFaults(after),
  )
  for (const story of stories.slice(0, 8)) outcome.faults.push(...(await accessFaults(story, client)))
  await kontor.stop("SIGKILL")
  const check = await run(["check"], { cwd })
  expect(check.code === 0, `kontor check: ${check.stdout}${check.stderr}`)
  outcome.acknowledged = count()
  return outcome
}

async function go(story: Story, client: Client, writes: number): Promise<void> {
  await readAgain(story, client)
  for (let left = writes; left > 0 && !story.isOver; left--) await advance(story, client)
}

async function goUntilRefused(story: Story, client: Client, outcome: Outcome): Promise<void> {
  try {
    await go(story, client, Infinity)
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error
    const { status, body, headers } = error
    const code = (body as { error?: { code?: string } } | null)?.error?.code
    const retryAfter = headers.get("retry-after") ?? ""
    if (status !== 503 || code !== "SERVICE_UNAVAILABLE" || !/^[1-9]\d*$/.test(retryAfter))
      outcome.faults.push(`${error.message}, Retry-After ${retryAfter}`)
    outcome.refused++
  }
}

/** A 503 means that nothing was stored: the file has exactly the acknowledged writes. */
const exactly = (stories: Story[], snapshot: Awaited<ReturnType<typeof snapshotOf>>): string[] =>
  stories.flatMap((story) =>
    differences(story, latest(story), snapshot).map((fault) => `${story.name}: ${fault}`),
  )

/** The server may check the disk only every few seconds. */
async function becomesReady(statusOf: (path: string) => Promise<number>): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    if ((await statusOf("/ready")) === 200) return true
    await Bun.sleep(250)
  }
  return false
}

/**
 * The error number that the shim returns, and how many writes succeed before it: with a few, a commit fails halfway.
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
    mend: () => rmSync(refuse),
  }
}

/** A small tmpfs, which fills up while it is written to; null without the right to mount one. */
export function smallDisk(): (Disk & { remove(): void; remount(mode: "ro" | "rw"): boolean }) | null {
  const cwd = emptyFolder()
  const runs = (...command: string[]) =>
    Bun.spawnSync(command, { stdio: ["ignore", "ignore", "ignore"] }).success
  if (process.getuid?.() !== 0 || !Bun.which("mount")) return null
  if (!runs("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", cwd)) return null
  const ballast = join(cwd, "ballast")
  const spare = 600_000
  return {
    cwd,
    fail() {
      const { bavail, bsize } = statfsSync(cwd)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - spare)))
    },
    mend: () => rmSync(ballast),
    remount: (mode) => runs("mount", "-o", `remount,${mode}`, cwd),
    remove: () => void runs("umount", "-l", cwd),
  }
}
