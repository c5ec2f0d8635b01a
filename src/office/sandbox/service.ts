import { type Ran, runUntil, type Work } from "../jobs/run-due"
import { invalid, Refusal } from "../../core/lib/refusal"
import { faultsOf } from "./faults"
import { keptMail } from "./kept-mail"
import { targetOf } from "./model"

/** What a demo lets its controls do. */
export type Demo = {
  seed: number
  clock: { now(): string; moveTo(time: string): void; isRunning: boolean }
  /** Lets IDs and secrets depend on nothing that was before. */
  begin(stage: string): void
  /** The work by time of the shop that is served now. */
  works(): readonly Work[]
  /** Does something that nothing is written beside. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  /** Writes what has been counted in memory. */
  writeCounters(): Promise<void>
  /** The shop that is served now: how large it is, and a copy of it. */
  size(): number
  copy(): Uint8Array
  /** Serves a copy in place of the shop that is served now. `begin` runs when no request is being answered. */
  replace(copy: Uint8Array, begin: () => void): Promise<void>
}

/** A state to which a demo can be set back. `stage` is the number of snapshots that were made before it, and itself. */
type State = { copy: Uint8Array; now: string; stage: number }

/** In bytes. Each snapshot is a whole copy of the shop. */
const [mostSnapshots, mostBytes] = [20, 1024 ** 3]
const namePattern = /^[A-Za-z0-9._-]+$/

/** The controls of a demo: its clock, its states, faults, and the mail that was kept instead of sent. */
export function sandboxService(demo: Demo) {
  const snapshots = new Map<string, State>()
  const faults = faultsOf(demo.seed)
  const mail = keptMail()
  const inTurn = oneByOne()
  const stateNow = (stage: number): State => ({ copy: demo.copy(), now: demo.clock.now(), stage })
  /** Set once, before the first request. */
  let prepared: State | null = null
  let stage = 0

  const show = () => ({
    seed: demo.seed,
    now: demo.clock.now(),
    isRunning: demo.clock.isRunning,
    snapshots: [...snapshots].map(([name, { now }]) => ({ name, now })),
    faults: faults.list(),
  })

  const restore = async (state: State): Promise<void> => {
    await demo.replace(state.copy, () => {
      demo.begin(`stage ${state.stage}`)
      demo.clock.moveTo(state.now)
      stage = state.stage
      mail.clear()
    })
  }
  return {
    faults,
    mail,
    show,

    /** Notes the state to which a reset leads. */
    prepare(): void {
      prepared = stateNow(0)
      demo.begin("stage 0")
    },

    /** Moves the clock, and runs what becomes due on the way. */
    moveClock: (asked: {
      now: string | null
      advance: string | null
    }): Promise<{ now: string; ran: Ran[] }> =>
      inTurn(async () => {
        const target = targetOf(asked, demo.clock.now())
        const ran = await demo.inOrder(async () => {
          await demo.writeCounters()
          return runUntil(demo.works(), demo.clock, target)
        })
        return { now: demo.clock.now(), ran }
      }),

    /** Sets everything back to how it was at the start: data, clock, IDs and faults. */
    reset: () =>
      inTurn(async () => {
        if (prepared) await restore(prepared)
        faults.clear()
        return show()
      }),

    save: ({ name }: { name: string }) =>
      inTurn(async () => {
        assertName(name)
        assertRoom(
          [...snapshots].flatMap(([each, { copy }]) => (each === name ? [] : copy.length)),
          demo.size(),
        )
        await demo.inOrder(demo.writeCounters)
        stage++
        snapshots.set(name, stateNow(stage))
        // What happens after it is the same as after it was restored.
        demo.begin(`stage ${stage}`)
        return show()
      }),

    restore: (name: string) =>
      inTurn(async () => {
        const state = snapshots.get(name)
        if (!state)
          throw new Refusal("NOT_FOUND", `There is no snapshot ${JSON.stringify(name.slice(0, 64))}.`)
        await restore(state)
        return show()
      }),
  }
}

export type Sandbox = ReturnType<typeof sandboxService>

function assertName(name: string): void {
  if (!namePattern.test(name))
    throw invalid("name", "FORMAT", "must have only letters, digits, dots, hyphens and underscores", {
      allowed: ["A-Z", "a-z", "0-9", ".", "_", "-"],
    })
}

/** Refuses another snapshot if there are many, or if they are large. */
function assertRoom(sizes: readonly number[], size: number): void {
  const refuse = (message: string) =>
    invalid("name", "RULE", message, { rule: "TOO_MANY", max: mostSnapshots })
  if (sizes.length >= mostSnapshots)
    throw refuse(`cannot be added: there are ${mostSnapshots} snapshots, which is the maximum`)
  if (sizes.reduce((sum, each) => sum + each, size) > mostBytes)
    throw refuse("cannot be added: the snapshots would take more than 1 GiB of memory")
}

/** Runs one piece of work after the other. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work, work)
    last = run.catch(() => {})
    return run
  }
}
