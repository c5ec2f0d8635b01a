import { followClock, steadyMillis } from "../core/lib/clock"
import { beginIds } from "../core/lib/id"
import { type RandomUse, seedRandom } from "../core/lib/random/random"
import { millisOf, timestampOf } from "../shared/dates"

export const usualSeed = 1
/** A Monday, so that a week is ahead. */
export const usualNow = "2027-01-04T09:00:00.000Z"

export type DemoOptions = {
  /** Null if none was given. */
  seed: number | null
  now: string | null
  /** True if the clock of the demo runs. */
  isRunning: boolean
  /** True if only programs on this machine reach the server, so that known secrets do no harm. */
  isLocal: boolean
}

/**
 * What a demo depends on besides requests: its clock, and its random numbers. Both are of the process, so one demo at a
 * time has them.
 */
export function demoWorld({ seed: given, now, isRunning, isLocal }: DemoOptions) {
  const seed = given ?? usualSeed
  const start = now ?? usualNow
  const hasKnownSecrets = isLocal || given !== null
  const uses: RandomUse[] = ["ids", "requests", ...(hasKnownSecrets ? ["secrets" as const] : [])]
  const clock = demoClock(start, isRunning)
  const stopClock = followClock(clock.read)
  return {
    seed,
    start,
    clock,
    /** True if its records are those of the usual seed and time. */
    isUsual: seed === usualSeed && start === usualNow,
    /** True if its secrets depend on the seed too, so that everybody who knows the seed knows them. */
    hasKnownSecrets,

    /** Lets IDs and secrets depend on nothing that was before. Two stages with the same name get the same ones. */
    begin(stage: string): void {
      seedRandom(`${seed} ${start} ${stage}`, uses)
      beginIds()
    },

    end(): void {
      stopClock()
      seedRandom(null)
    },
  }
}

export type DemoWorld = ReturnType<typeof demoWorld>

/** A clock that stands still, or runs, from where it was moved to last. */
function demoClock(start: string, isRunning: boolean) {
  let [from, since] = [millisOf(start), steadyMillis()]
  // While the shop is filled, the clock stands still too.
  let runs = false
  const read = (): number => (runs ? Math.floor(from + steadyMillis() - since) : from)
  return {
    read,
    isRunning,
    now: (): string => timestampOf(read()),
    moveTo(time: string): void {
      ;[from, since] = [millisOf(time), steadyMillis()]
    },
    /** Lets it run, if it should. */
    start(): void {
      ;[from, since] = [read(), steadyMillis()]
      runs = isRunning
    },
    stop(): void {
      ;[from, since] = [read(), steadyMillis()]
      runs = false
    },
  }
}

export type DemoClock = ReturnType<typeof demoClock>
