import { emptyFolder, run, serve, type Kontor } from "../../test/support/kontor"
import { clientOf, signIn, type Client } from "./client"
import { randomFrom } from "./random"
import { findShim, shimmed } from "./shim"
import { advance, latest, readAgain, storyOf, WrongAnswer, type Story } from "./story"
import { accessFaults, documentFaults, snapshotOf, storyFaults, strangers } from "./verify"

type Options = { seed: number; rounds: number; writers?: number; say?: (line: string) => void }
type Outcome = { rounds: number; acknowledged: number; open: number; repeated: number; faults: string[] }

const ways = [
  ["KONTOR_FAULTS_KILL_AT", 2_500],
  [null, 0],
  ["KONTOR_FAULTS_KILL_201", 120],
] as const

/** Kills a loaded server at random moments and checks after each restart that no acknowledged write is missing. */
export async function crash({ seed, rounds, writers = 16, say = () => {} }: Options): Promise<Outcome> {
  const random = randomFrom(seed)
  const cwd = emptyFolder()
  const stories: Story[] = []
  const outcome: Outcome = { rounds: 0, acknowledged: 0, open: 0, repeated: 0, faults: [] }
  const shim = await findShim()
  let kontor = await serve({ cwd })
  const credential = await signIn(kontor.url)
  const shared = await sharedItem(clientOf(kontor.url, credential))
  const newStory = () => {
    const story = storyOf(random.whole(0, 2 ** 31), `R${stories.length + 1}`, shared)
    stories.push(story)
    return story
  }

  while (outcome.rounds < rounds && outcome.faults.length === 0) {
    outcome.rounds++
    // The server is killed at a random moment, inside a system call to the disk, or before it sends a 201, in turn.
    const [way, most] = ways[outcome.rounds % ways.length] as (typeof ways)[number]
    const moment = random.whole(0, 30)
    if (shim && way) {
      await kontor.stop()
      const env = { ...shimmed(shim, cwd), [way]: String(random.whole(1, most)) }
      // The server may be killed while it starts. Whether it starts at all is checked below.
      const armed = await serve({ cwd, env }).catch(() => null)
      if (armed) await loadUntilDead(armed, { credential, stories, newStory, writers, writes: 400, moment })
    } else
      await loadUntilDead(kontor, {
        credential,
        stories,
        newStory,
        writers,
        writes: random.whole(20, 400),
        moment,
      })
    kontor = await serve({ cwd })
    const client = clientOf(kontor.url, credential)
    const faults = await examine(stories, client, shared, outcome)
    const check = await run(["check"], { cwd })
    if (check.code !== 0) faults.push(`kontor check: ${check.stdout}${check.stderr}`)
    outcome.faults.push(...faults.map((fault) => `Round ${outcome.rounds}: ${fault}`))
    outcome.acknowledged = stories.reduce((sum, { answers }) => sum + answers.length, 0)
    say(
      `round ${outcome.rounds}: ${outcome.acknowledged} acknowledged, ${outcome.open} unanswered, ` +
        `${outcome.repeated} of them already stored, ${faults.length} problems`,
    )
  }
  await kontor.stop("SIGKILL")
  return outcome
}

/** Creates an item that all orders use, so that the scenarios update the same row. */
export async function sharedItem(client: Client): Promise<string> {
  const { body } = await client.call("POST", "/items", {
    itemCode: "SHARED",
    itemName: "Shared",
    sellingPrice: 5,
  })
  return body.data.id
}

type Load = {
  credential: Record<string, string>
  stories: Story[]
  newStory: () => Story
  writers: number
  /** The number of acknowledged writes before the kill. */
  writes: number
  moment: number
}

/** Runs all scenarios until the server ends: killed by the shim, or a moment after the given number of writes. */
async function loadUntilDead(
  kontor: Kontor,
  { credential, stories, newStory, writers, writes, moment }: Load,
): Promise<void> {
  const client = clientOf(kontor.url, credential)
  let isDead = false
  let left = writes
  const death = kontor.process.exited.then(() => void (isDead = true))
  const waiting = stories.filter(({ isOver }) => !isOver)
  const work = async () => {
    while (!isDead) {
      const story = waiting.shift() ?? newStory()
      try {
        while (!isDead && !story.isOver) {
          await advance(story, client)
          if (--left === 0) setTimeout(() => kontor.process.kill("SIGKILL"), moment)
        }
      } catch (error) {
        // A server that is being killed may drop connections, but must not send a wrong response.
        if (error instanceof WrongAnswer) throw error
        await Promise.race([death, Bun.sleep(5_000)])
        if (!isDead) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, work))
}

async function examine(
  stories: Story[],
  client: Client,
  shared: string,
  outcome: Outcome,
): Promise<string[]> {
  const found = await snapshotOf(client)
  const acknowledged = stories.map(({ answers }) => answers.length)
  const open = stories.filter((story) => story.open !== null)
  outcome.open += open.length
  for (const story of stories) {
    await readAgain(story, client)
    if (story.open === null) continue
    if (await advance(story, client)) outcome.repeated++
  }
  const faults = stories.flatMap((story, i) => storyFaults(story, acknowledged[i] as number, found))

  const now = await snapshotOf(client)
  faults.push(
    ...stories.flatMap((story) => storyFaults({ ...story, states: [latest(story)] }, 0, now)),
    ...strangers(stories, now, shared),
    ...documentFaults(now),
  )
  for (const story of stories.slice(-20)) faults.push(...(await accessFaults(story, client)))
  return faults
}
