import { isDeepStrictEqual } from "node:util"
import type { FeedEvent } from "../../test/support/events"
import type { Client } from "./client"
import type { Scenario, State } from "./scenario"
import type { Snapshot } from "./verify"

/** Reads all events of the feed, in their order. */
export async function readFeed(client: Client, after = ""): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let next = after; ;) {
    const page = await readPage(client, `limit=1000${next && `&after=${next}`}`)
    events.push(...page.events)
    next = page.next
    if (!page.hasMore) return events
  }
}

async function readPage(client: Client, query: string) {
  const { status, body } = await client.call("GET", `/events?${query}`)
  if (status !== 200) throw new Error(`GET /events returned ${status}: ${JSON.stringify(body)}`)
  const { next, hasMore } = body.meta as { next: string; hasMore: boolean }
  return { events: body.data as FeedEvent[], next, hasMore }
}

/** A reader that keeps its position when its server dies, and goes on with the next server. */
export function feedFollower() {
  const events: FeedEvent[] = []
  let position: string | null = null
  const read = async (client: Client, wait: number) => {
    const after = position && `&after=${position}`
    const page = await readPage(client, `limit=50&wait=${wait}${after ?? ""}`)
    events.push(...page.events)
    position = page.next
    return page.hasMore
  }
  return {
    /** Reads until the server no longer responds, or until it is over. A request waits for `wait` seconds. */
    async follow(client: Client, isOver = () => false, wait = 5): Promise<void> {
      try {
        while (!isOver()) await read(client, wait)
      } catch {
        // The server or its database was killed. What it sent last may be lost, so its position was not stored.
      }
    },
    /** Reads the rest, and tells how all that was read differs from the feed. */
    async problems(client: Client): Promise<string[]> {
      while (await read(client, 0)) continue
      const [seen, all] = [events, await readFeed(client)].map((list) => list.map(({ id }) => id))
      return isDeepStrictEqual(seen, all)
        ? []
        : [`a reader got ${seen?.length} events, and the feed has ${all?.length}`]
    },
  }
}

export type Follower = ReturnType<typeof feedFollower>

const isStored = ({ type }: FeedEvent): boolean => /\.(created|updated|deleted)$/.test(type)

/** The changes of one record: the times of its events. A deletion is not in any response, so its time is unknown. */
const changesIn = (events: readonly FeedEvent[]): string[] =>
  events.map(({ type, at }) => (type.endsWith(".deleted") ? "deleted" : at))

/** The changes of one record that the states of a scenario have. */
function changesOf(path: string, states: readonly State[]): string[] {
  const changes: string[] = []
  let before: unknown = "gone"
  for (const state of states) {
    const now = state.get(path)
    if (now === undefined || now === "unread" || isDeepStrictEqual(now, before)) continue
    changes.push(now === "gone" ? "deleted" : String(now.updatedAt ?? now.createdAt))
    before = now
  }
  return changes
}

/** True for the path of a record that has events: not for a file of a document, and not for a key. */
const hasEvents = (path: string): boolean => path.split("/").length === 3 && !path.startsWith("/api-keys/")

/**
 * Checks that the feed has each acknowledged change of a scenario exactly once, in the order of the writes, and nothing
 * else; except for the write that may have been stored without a response.
 */
export function feedProblems(scenario: Scenario, acknowledged: number, events: FeedsByRecord): string[] {
  const { states, name } = scenario
  const paths = [...new Set(states.flatMap((state) => [...state.keys()]))].filter(hasEvents)
  const differencesAt = (count: number) =>
    paths.flatMap((path) => {
      const [has, wants] = [changesIn(events.get(path) ?? []), changesOf(path, states.slice(0, count + 1))]
      return isDeepStrictEqual(has, wants)
        ? []
        : [`${path} has the events ${has.join()}, not ${wants.join()}`]
    })
  const problems = differencesAt(acknowledged)
  if (problems.length === 0 || (states[acknowledged + 1] && differencesAt(acknowledged + 1).length === 0))
    return []
  return problems.map((problem) => `${name} after ${acknowledged} writes: ${problem}`)
}

/** The events that say what is stored, by the path of their record. */
export type FeedsByRecord = ReadonlyMap<string, FeedEvent[]>

export const byRecord = (events: readonly FeedEvent[]): FeedsByRecord =>
  Map.groupBy(events.filter(isStored), ({ kind, recordId }) => `/${kind}/${recordId}`)

/** Checks all records, also those that no scenario knows: each was created once, and no event is without a record. */
export function recordProblems(events: readonly FeedEvent[], snapshot: Snapshot): string[] {
  const records = byRecord(events)
  const numbers = events.map(({ seq }) => seq)
  const problems = numbers.every((seq, i) => i === 0 || seq > (numbers[i - 1] ?? 0))
    ? []
    : ["events are not in order"]
  for (const [path, record] of snapshot) {
    if (!hasEvents(path)) continue
    const own = records.get(path) ?? []
    const last = own.at(-1)
    const isRight =
      own.filter(({ type }) => type.endsWith(".created")).length === 1 &&
      last?.at === (record.updatedAt ?? record.createdAt) &&
      last?.version === (record.version ?? null)
    if (!isRight) problems.push(`${path} has the events ${changesIn(own).join()}`)
  }
  for (const [path, own] of records)
    if (!snapshot.has(path) && !path.startsWith("/tax-codes/") && !own.at(-1)?.type.endsWith(".deleted"))
      problems.push(`${path} has events and does not exist`)
  return problems
}
