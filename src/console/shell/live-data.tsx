import { useQueryClient, type Query, type QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { followFeed } from "../api/follow"
import { useSession } from "../api/session"
import type { FeedEvent } from "../api/types"
import { clock } from "../clock"
import { isOutdated, type Change } from "./outdated"

/** Events are collected for this time, in ms. */
const collected = 1_000
/** The least time between two reloads, in ms. */
const leastPause = 2_000
/** While there are always new events, pages are reloaded this often, in ms, after the first reloads. */
const usualPause = 5_000
const firstReloads = 10
/** After more changes than these, all data is read again. */
const mostChanges = 1_000

/** Reads the data of the open page again when somebody has changed it. Shows nothing. */
export function LiveData() {
  const client = useQueryClient()
  const id = useSession().user?.id
  useEffect(() => {
    if (!id) return
    const reloads = reloader(client)
    const stop = followFeed(id, reloads)
    return () => {
      stop()
      reloads.end()
    }
  }, [client, id])
  return null
}

/** The pace of reloads, which leaves most of the user's requests per minute for the user. */
function reloadPace() {
  let nextAt = 0
  // Grows with each reload, and is never before now. How far it is ahead tells how many reloads there were lately.
  let paidUntil = 0
  return {
    /** The time before the next reload, in ms. */
    wait(): number {
      const now = clock.real()
      return Math.max(collected, nextAt - now, paidUntil - firstReloads * usualPause - now)
    },
    /** Counts a reload. */
    count(): void {
      const now = clock.real()
      nextAt = now + leastPause
      paidUntil = Math.max(paidUntil, now) + usualPause
    },
  }
}

/** Reads outdated data again. */
function reloader(client: QueryClient) {
  const changes = new Map<string, Change>()
  let isBurst = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const pace = reloadPace()

  const schedule = () => {
    timer ??= setTimeout(reload, pace.wait())
  }
  const reload = () => {
    timer = undefined
    const noted = [...changes.values()]
    const isAll = isBurst || noted.length > mostChanges
    const outdated = client
      .getQueryCache()
      .findAll()
      .filter((query) => isAll || noted.some((change) => isOutdated(query, change)))
    // A request that runs may have been sent before the change. It is not repeated now, so that no page is lost that
    // the user waits for.
    if (outdated.some(({ state }) => state.fetchStatus !== "idle")) return schedule()
    changes.clear()
    isBurst = false
    if (outdated.length === 0) return
    pace.count()
    const hashes = new Set(outdated.map(({ queryHash }) => queryHash))
    void invalidate(client, ({ queryHash }) => hashes.has(queryHash))
  }
  return {
    onEvents(events: FeedEvent[]) {
      for (const event of events) if (changes.size <= mostChanges) changes.set(event.recordId, event)
      schedule()
    },
    onGap: () => void invalidate(client, isOlder),
    onBurst() {
      isBurst = true
      schedule()
    },
    end: () => clearTimeout(timer),
  }
}

/** What was read before a gap may be outdated. What was read just now, while the page was loaded, is not. */
const isOlder = ({ state }: Query): boolean =>
  state.fetchStatus === "idle" && state.dataUpdatedAt < clock.real() - collected

type Filter = Exclude<Parameters<QueryClient["invalidateQueries"]>[0], undefined>

/** Hidden pages are read again when they are shown. */
const invalidate = (client: QueryClient, predicate: Filter["predicate"]): Promise<void> =>
  client.invalidateQueries({ predicate, refetchType: document.hidden ? "none" : "active" })
