import type { Writer } from "../../../core/write/writer"
import { deleteOld } from "../deliveries/store"
import { settleFirst, type First, type SettleDeps } from "./settle"
import type { Progress } from "../progress"
import { saveProgress } from "../store"

/** The time before results are stored, in milliseconds, so that many are stored together. */
const collectFor = 100
/** The number of results that are collected. After a crash, so many are sent again. */
const mostCollected = 50
/** The time before a failed write is tried again, in milliseconds. */
const againAfter = 1_000

type Deps = SettleDeps & {
  writer: Writer
  onStored: () => void
  /** False when the server stops. */
  isRunning: () => boolean
}

/** What was collected: the results in their order, and how far each webhook has come with them. */
type Collected = { results: First[]; progress: Map<string, Progress> }

const nothing = (): Collected => ({ results: [], progress: new Map() })

/** The results of first attempts, which are stored some at a time. */
export function openResults(deps: Deps) {
  let collected = nothing()
  /** The results that are collected or being stored. */
  const unstored = new Set<First>()
  let storing: Promise<void> | null = null
  const soon = timerFor(() => void flush())

  const store = async (): Promise<void> => {
    soon.cancel()
    const taken = collected
    collected = nothing()
    if (await isStored(deps, taken)) return taken.results.forEach((result) => void unstored.delete(result))
    collected = {
      results: [...taken.results, ...collected.results],
      progress: new Map([...taken.progress, ...collected.progress]),
    }
    await Bun.sleep(againAfter)
  }
  const flush = (): Promise<void> =>
    (storing ??= store().finally(() => {
      storing = null
      deps.onStored()
      if (collected.results.length > 0 || collected.progress.size > 0) soon.start()
    }))

  return {
    /** Collects a result, and how far the webhook has come with it. It resolves when there is room for more. */
    async add(result: First, progress: Progress): Promise<void> {
      collected.results.push(result)
      collected.progress.set(result.webhook, progress)
      unstored.add(result)
      soon.start()
      if (collected.results.length >= mostCollected) await flush()
      // After 410 the webhook must be disabled before anything else is sent. What is being stored at this moment may not
      // contain the result, and a write can fail.
      while (result.attempt.status === 410 && unstored.has(result) && deps.isRunning()) await flush()
    },

    /** Collects that a webhook has come further without sending anything. */
    move(webhook: string, progress: Progress): void {
      collected.progress.set(webhook, progress)
      soon.start()
    },

    /** Stores what was collected. What cannot be stored is sent again after the next start. */
    async stop(): Promise<void> {
      await storing
      await flush()
      soon.cancel()
    },
  }
}

/** Runs some work a moment after it is started. If it is started again before that, it runs once. */
function timerFor(run: () => void) {
  let timer: Timer | undefined
  return {
    start(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        run()
      }, collectFor)
    },
    cancel(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Stores what was collected. Returns false if that failed; the writer has logged the reason. */
async function isStored(deps: Deps, { results, progress }: Collected): Promise<boolean> {
  if (results.length === 0 && progress.size === 0) return true
  const write = deps.writer((tx) => {
    for (const [webhook, reached] of progress) saveProgress(deps.db, webhook, reached)
    for (const result of results) settleFirst(deps, tx, result)
    for (const webhook of new Set(results.map((result) => result.webhook))) deleteOld(deps.db, webhook)
  })
  return write.then(
    () => true,
    () => false,
  )
}

export type Results = ReturnType<typeof openResults>
