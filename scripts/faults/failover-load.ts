// The load of the failover test: clients that write and repeat, and a record of what they were told.
import { steadyMillis } from "../../src/core/lib/clock"
import { isDeepStrictEqual } from "node:util"
import type { Client } from "./client"
import type { Follower } from "./feed"
import { advance, latest, readAgain, stableFields, WrongAnswer, type Scenario } from "./scenario"

/** What the clients were told, and whether it was true. */
export type Told = {
  acknowledged: number
  /** Responses that say that nothing was stored. */
  refused: number
  /** Responses that say that it is not known whether something was stored. */
  unknown: number
  /** Requests without a response. */
  unanswered: number
  /** Writes whose outcome was not known, and that were stored. */
  unknownStored: number
  /** In milliseconds: the longest time without an acknowledged write, and without a successful read. */
  longestSilence: { writes: number; reads: number }
  problems: string[]
}

export const newTold = (): Told => ({
  acknowledged: 0,
  refused: 0,
  unknown: 0,
  unanswered: 0,
  unknownStored: 0,
  longestSilence: { writes: 0, reads: 0 },
  problems: [],
})

type Options = {
  clients: readonly Client[]
  nextScenario: () => Scenario
  writers: number
  follower: Follower
  told: Told
}

/** In milliseconds: between two attempts, and until a server that refuses everything counts as broken. */
const pause = 50
const patience = 5 * 60_000

/**
 * Starts clients that write until `stop`. A write that was not acknowledged is sent again, with the same Idempotency-Key
 * and to any server.
 */
export function startLoad({ clients, nextScenario, writers, follower, told }: Options) {
  let isOver = false
  const silence = { writes: stopwatch(told, "writes"), reads: stopwatch(told, "reads") }
  const anyClient = (): Client => clients[Math.floor(Math.random() * clients.length)] as Client

  const write = async () => {
    while (!isOver) {
      const scenario = nextScenario()
      while (!isOver && !scenario.isOver) {
        await writeOnce(scenario, anyClient, told)
        silence.writes.reset()
      }
    }
  }
  const read = async () => {
    while (!isOver) {
      const answer = anyClient().call("GET", "/items?perPage=1")
      const { status } = await answer.catch(() => ({ status: 0 }))
      if (status === 200) silence.reads.reset()
      else if (status !== 503 && status !== 0) told.problems.push(`A read returned ${status}.`)
      await Bun.sleep(10)
    }
  }
  const follow = async () => {
    while (!isOver) {
      await follower.follow(anyClient(), () => isOver, 1)
      await Bun.sleep(pause)
    }
  }
  const orProblem = (error: unknown) => {
    told.problems.push(String(error))
    isOver = true
  }
  const all = [read(), follow(), ...Array.from({ length: writers }, write)]
  const work = Promise.all(all.map((each) => each.catch(orProblem)))

  return {
    /** Waits for a number of further acknowledged writes. */
    async acknowledged(count: number): Promise<void> {
      const wanted = told.acknowledged + count
      await Promise.race([until(() => told.acknowledged >= wanted), work])
    },
    async stop(): Promise<void> {
      isOver = true
      await work
    },
    /** In milliseconds: the longest time without an acknowledged write. */
    silence: () => silence.writes.longest,
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(5)
}

function stopwatch({ longestSilence }: Told, name: keyof Told["longestSilence"]) {
  let last = steadyMillis()
  const own = {
    longest: 0,
    reset() {
      const now = steadyMillis()
      own.longest = Math.max(own.longest, Math.round(now - last))
      longestSilence[name] = Math.max(longestSilence[name], own.longest)
      last = now
    },
  }
  return own
}

/** Sends the next write of a scenario until it is acknowledged, and checks what the other responses said about it. */
async function writeOnce(scenario: Scenario, anyClient: () => Client, told: Told): Promise<void> {
  let isDoubtful = false
  for (const began = steadyMillis(); ;) {
    const client = anyClient()
    const before = scenario.answers.length
    try {
      await readAgain(scenario, client)
      if (scenario.open && !isDoubtful) told.problems.push(...(await storedProblems(scenario, client)))
      const wasStored = await advance(scenario, client)
      if (wasStored && isDoubtful) told.unknownStored++
      else if (wasStored) told.problems.push(`${scenario.name}: a write was stored that was refused.`)
      if (!scenario.isOver) told.acknowledged++
      return
    } catch (error) {
      // The write is acknowledged, but what it changed could not be read.
      if (scenario.answers.length > before) return void told.acknowledged++
      if (isUnknown(error)) [isDoubtful, told.unknown] = [true, told.unknown + 1]
      else if (isReset(error)) [isDoubtful, told.unanswered] = [true, told.unanswered + 1]
      else if (isRefused(error)) told.refused++
      else throw error
      if (steadyMillis() - began > patience) throw error
      await Bun.sleep(pause)
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof WrongAnswer && error.status !== 503 ? "" : String(error)
const isUnknown = (error: unknown): boolean =>
  error instanceof WrongAnswer && messageOf(error).includes("It is not known whether the write was stored.")
/** A server that waits for its database may close a connection. */
const isReset = (error: unknown): boolean => String(error).includes("ECONNRESET")
/** Also a read that could not be made: its message has the response. */
const isRefused = (error: unknown): boolean =>
  /Nothing was stored\.|The database cannot be read at the moment\./.test(messageOf(error))

/** Checks that a refused update has changed nothing. A refused POST or DELETE is checked when it is repeated. */
async function storedProblems(scenario: Scenario, client: Client): Promise<string[]> {
  const { step } = scenario.open ?? {}
  if (step?.method !== "PUT" || !step.record) return []
  const found = await client.find(step.record)
  const isSame = isDeepStrictEqual(found && stableFields(found), latest(scenario).get(step.record))
  return isSame ? [] : [`${scenario.name}: ${step.record} was changed by a write that was refused.`]
}
