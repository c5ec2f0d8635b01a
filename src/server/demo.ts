import type { Config } from "../config"
import { openCopy, openCopyWithoutSecrets, placeOf, snapshotSource } from "../core/engine/place"
import type { Database } from "../core/engine/engine"
import type { FetchHandler } from "../core/http/answer/record-answer"
import { runDue, runUntil, type Work } from "../office/jobs/run-due"
import { type DemoData, fillWithData, readData } from "../demo/data"
import { fillWithDemo } from "../demo/fill"
import { keepIn } from "../demo/mail"
import { type DemoAccess, handOver, type Owner } from "../demo/owner"
import { type PreparedShop, preparedShop } from "../demo/prepared"
import { keepSessions } from "../demo/sessions"
import { type DemoWorld, demoWorld } from "../demo/world"
import { isOfSandbox } from "../office/sandbox/faults"
import { sandboxRoutes } from "../office/sandbox/routes"
import { type Sandbox, sandboxService } from "../office/sandbox/service"
import { forgetSending } from "../office/webhooks/store"
import { bringUpToDate } from "./database"
import { type Listener, loopback } from "./listener"
import type { OpenedShop, OpenRunning, Running } from "./running"

type Deps = { open: OpenRunning; owner: Owner | null; listener: Listener }

/** Opens a demo shop in memory, fills it, and lets it be controlled. */
export async function openDemo(config: Config, { open, owner, listener }: Deps): Promise<OpenedShop> {
  const { seed, now, run, host } = config
  const data = config.data === null ? null : readData(config.data)
  const world = demoWorld({ seed, now, isRunning: run, isLocal: loopback.test(host) })
  const { current, sandbox, openFirst, answer } = replaceable(world, open)
  const prepared = world.isUsual && data === null ? await preparedShop() : null
  const filled = await (prepared ? openPrepared(openFirst, world, prepared) : fill(openFirst, world, data))
  const access = await handOver({ ...current(), world }, filled, owner)
  await current().services.search.learn()
  sandbox.prepare()
  world.clock.start()
  const connections = { close: listener.close, keepOpen: listener.timeout }
  return {
    current,
    fetch: sandbox.faults.around(answer, connections),
    welcome: welcome(access),
    access: { ...access, now: world.start, seed: world.seed },
    end: world.end,
  }
}

type OpenFirst = (db: Database) => Running

/** Opens a shop that is filled already. Everybody knows its secrets, so where others reach it, it gets new ones. */
async function openPrepared(
  openFirst: OpenFirst,
  { hasKnownSecrets }: DemoWorld,
  { bytes, access }: PreparedShop,
): Promise<DemoAccess> {
  if (hasKnownSecrets) openFirst(openCopy(bytes))
  else {
    const db = openCopyWithoutSecrets(bytes)
    forgetSending(db)
    await openFirst(db).services.webhookSending.open()
  }
  return access
}

/** Opens an empty shop and fills it. */
async function fill(openFirst: OpenFirst, world: DemoWorld, data: DemoData | null): Promise<DemoAccess> {
  world.begin("fill")
  const db = placeOf(":memory:").open()
  await bringUpToDate(db, ":memory:")
  const { services } = openFirst(db)
  await services.webhookSending.open()
  const release = services.feed.hold()
  const access = data
    ? await fillWithData(db, services, world, data)
    : await fillWithDemo(db, services, world)
  // What is due then is of the prepared shop, and so are the texts for the search.
  await runUntil(services.works, world.clock, world.start)
  await services.feed.settle()
  release()
  return access
}

/** A shop in memory that can be replaced by a copy while requests are answered. */
function replaceable(world: DemoWorld, open: OpenRunning) {
  let current: Running | null = null
  const now = (): Running => {
    if (!current) throw new Error("The demo is not open yet.")
    return current
  }
  const order = orderOfWork(world, () => now().services)
  const sandbox: Sandbox = sandboxService({
    ...world,
    works: order.works,
    inOrder: order.around,
    writeCounters: () => now().services.flushCounters({ all: true }),
    size: () => now().db.engine.size().bytes,
    copy: () => snapshotSource(now().db, ":memory:") as Uint8Array,
    async replace(copy, begin) {
      const before = now()
      const release = await traffic.hold(before.endLongAnswers)
      try {
        // What is still written, such as what became of a message, takes IDs.
        await before.endWork()
        begin()
        current = openWith(openCopy(copy))
        keepSessions(before.db, current.db)
        await current.services.search.learn()
        current.begin()
      } finally {
        release()
      }
      void before.stop().catch(() => {})
    },
  })
  const more = {
    moreRoutes: sandboxRoutes(sandbox),
    deliver: keepIn(sandbox.mail),
    isMailHeld: order.isHeld,
  }
  const openWith = (db: Database): Running => open(db, more)
  const traffic = requests((request) =>
    reads.includes(request.method) || isOfSandbox(request)
      ? now().fetch(request)
      : order.around(async () => now().fetch(request)),
  )
  return {
    current: now,
    sandbox,
    openFirst: (db: Database): Running => (current = openWith(db)),
    answer: traffic.answer,
  }
}

/**
 * Nothing is written beside a write, so that all have the same IDs each time. While the clock runs, that would be of no use.
 */
function orderOfWork({ clock }: DemoWorld, services: () => Running["services"]) {
  let writes = 0
  const { isRunning } = clock
  const sender = () => services().mailSending.sender
  const settleMail = () => atMost(longestWait, sender().settle())
  const inTurn = (work: Work): Work =>
    work.name === "mail" && !isRunning ? { ...work, run: settleMail } : work
  const works = (): readonly Work[] => services().works.map(inTurn)
  const isAtOnce = ({ name }: Work): boolean => !besideWrites.includes(name)
  return {
    works,
    isHeld: (): boolean => writes > 0,

    /** Waits for the mail that is being sent, and runs a write and what it makes due, all but mail. */
    async around<T>(write: () => Promise<T>): Promise<T> {
      if (isRunning) return write()
      writes++
      try {
        await settleMail()
        const result = await write()
        await runDue(works().filter(isAtOnce))
        return result
      } finally {
        writes--
        if (writes === 0) sender().wake()
      }
    },
  }
}

/** The work that takes longer than an answer may. */
const besideWrites = ["jobs", "mail", "webhooks"]
const reads = ["GET", "HEAD", "OPTIONS"]

/** Waits for some work, but no longer. */
async function atMost(millis: number, work: Promise<void>): Promise<void> {
  const enough = Promise.withResolvers<void>()
  const timer = setTimeout(enough.resolve, millis)
  await Promise.race([work, enough.promise])
  clearTimeout(timer)
}

/** In milliseconds: how long a reset waits for the requests before it, and a write for mail, and how often it is looked. */
const [longestWait, look] = [5_000, 2]

/** The requests to a demo, which wait while its shop is replaced. Those to the controls do not: one of them replaces it. */
function requests(handle: FetchHandler) {
  let open = 0
  let held: PromiseWithResolvers<void> | null = null
  return {
    async answer(request: Request): Promise<Response> {
      if (isOfSandbox(request)) return handle(request)
      while (held) await held.promise
      open++
      try {
        return await handle(request)
      } finally {
        open--
      }
    },

    /** Holds new requests until the returned function is called, and waits for the others. */
    async hold(endLongAnswers: () => void): Promise<() => void> {
      const waiting = Promise.withResolvers<void>()
      held = waiting
      endLongAnswers()
      for (let left = longestWait / look; open > 0 && left > 0; left--) await Bun.sleep(look)
      return () => {
        held = null
        waiting.resolve()
      }
    },
  }
}

const welcome = ({ email, password, key, isGiven }: DemoAccess): string[] => [
  "This is a demo shop in memory. Its data is lost when Kontor stops.",
  `Sign in as ${email} with the password ${isGiven ? "of KONTOR_ADMIN_PASSWORD" : password}`,
  `API key with every scope: ${key}`,
]
