import { afterAll, afterEach, describe, expect, test } from "bun:test"
import {
  mailServer,
  polite,
  refusal,
  scriptedServer,
  stopMailServers,
} from "../../../../test/support/mail-server"
import { until } from "../../../../test/support/until"
import { openDatabase } from "../../../core/engine/place"
import { migrate } from "../../../core/engine/schema/migrate"
import { newId } from "../../../core/lib/id"
import { stderrLog } from "../../../core/lib/process/log"
import { networks } from "../../../core/http/request/address"
import { signedCursors } from "../../../core/store/cursor"
import { tableStore } from "../../../core/store/table-store"
import { openWriter } from "../../../core/write/commit"
import type { Writer } from "../../../core/write/writer"
import { kinds } from "../../../kinds"
import { later } from "../../../shared/dates"
import { systemResolve } from "../../webhooks/addresses"
import { type Message, messages } from "../model"
import { messageService } from "../service"
import { accessTokens } from "../transport/oauth"
import { deliver } from "../transport/deliver"
import type { MailServer } from "../transport/server"
import { mailSender } from "./sender"
import { doubtQueued, recover } from "./settle"

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(stopMailServers)

const [minute, hour] = [60_000, 3_600_000]

/** A database with a sender, whose clock stands still until the test moves it. */
function mailWorld({ port, perMinute = 1_000 }: { port: number; perMinute?: number }) {
  const db = openDatabase(":memory:")
  migrate(db)
  const time = { now: "2026-01-01T00:00:00.000Z", failures: 0, sends: true, perMinute }
  const { writer: direct, subscribe } = openWriter(db)
  const writer: Writer = async (work, by) => {
    if (time.failures === 0) return direct(work, by)
    time.failures--
    throw new Error("The disk is full.")
  }
  const moneyContext = () => ({ currency: "EUR", digits: 2, today: "2026-01-01" })
  const store = tableStore(db, messages, { cursors: signedCursors("c"), moneyContext })
  const sentOf: string[] = []
  const server = (): MailServer => ({
    host: "127.0.0.1",
    port,
    security: "none",
    auth: { type: "none" },
    from: "shop@shop.example",
    fromName: null,
    replyTo: null,
    bcc: null,
    perMinute: time.perMinute,
  })
  const prepared = { message: "Hello", logo: null, company: "Shop", files: [] }
  const settling = { db, store, onSent: (_: unknown, { id }: Message) => void sentOf.push(id) }
  const newSender = (prepare = async () => prepared) =>
    mailSender({
      ...settling,
      writer,
      subscribe,
      prepare,
      server,
      clock: () => time.now,
      network: { resolve: systemResolve, allowed: networks(["127.0.0.0/8"]) },
      tokens: accessTokens(() => {}),
      deliver,
      isSending: () => time.sends,
      first: "users",
    })
  let sender = newSender()
  const service = messageService({
    db,
    store,
    kinds: [kinds.invoices],
    assertSetUp: () => {},
    onQueued: () => sender.wake(),
  })
  const log = stderrLog("error", () => {})
  sender.start(log)
  closing.push(async () => {
    await sender.stop()
    db.close()
  })
  const find = (id: string) => store.find(id) as Message
  return {
    db,
    time,
    sentOf,
    find,
    statusOf: (id: string) => find(id).status,
    queue: (kind = "invoices"): Promise<string> =>
      direct((tx) => {
        const message = {
          kind,
          record: newId("inv", tx.now),
          number: "1",
          to: ["a@x.example"],
          cc: [],
          subject: "S",
          message: "M",
          language: "en" as const,
          externalId: null,
          metadata: {},
          createdBy: null,
          isAutomatic: false,
          files: [],
        }
        return service.queue({ ...tx, now: time.now }, message).id
      }),
    move(millis: number): void {
      time.now = later(time.now, millis)
      sender.wake()
    },
    recover: () => direct((tx) => recover(settling, { ...tx, now: time.now })),
    doubt: () => direct((tx) => doubtQueued(settling, tx)),
    wake: () => sender.wake(),
    stop: () => sender.stop(),
    /** Starts another sender, as after a restart. */
    restart(prepare?: () => Promise<typeof prepared>): void {
      sender = newSender(prepare)
      sender.start(log)
    },
    run: (sql: string, ...values: string[]) => db.query(sql).run(...values),
  }
}

describe("a message that is refused for now", () => {
  test("is tried again after 1, 5 and 30 minutes, and 2, 6 and 12 hours, and fails then", async () => {
    const server = await mailServer({ answer: () => Promise.reject(refusal(451, "4.3.0 later")) })
    const world = mailWorld(server)
    const id = await world.queue()
    const waits: number[] = []
    for (const [tries, wait] of [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour].entries()) {
      await until(() => world.find(id).attempts.length === tries + 1 && world.statusOf(id) === "queued")
      const { nextAttemptAt } = world.find(id)
      waits.push(Date.parse(nextAttemptAt ?? "") - Date.parse(world.time.now))
      world.move(wait - 1)
      await Bun.sleep(20)
      expect(world.find(id).attempts.length).toBe(tries + 1)
      world.move(1)
    }
    expect(waits).toEqual([minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour])
    await until(() => world.statusOf(id) === "failed")
    expect(world.find(id).attempts.map(({ code }) => code)).toEqual(Array(7).fill(451))
    expect([world.sentOf, server.taken.length, server.counts.ended]).toEqual([[], 0, 7])
  })

  test("goes out when the server takes it at last", async () => {
    const server = await mailServer({
      answer: (_, number) => (number < 3 ? Promise.reject(refusal(450, "4.2.0 later")) : undefined),
    })
    const world = mailWorld(server)
    const id = await world.queue()
    for (const wait of [minute, 5 * minute]) {
      const { length } = world.find(id).attempts
      await until(() => world.find(id).attempts.length > length && world.statusOf(id) === "queued")
      world.move(wait)
    }
    await until(() => world.statusOf(id) === "sent")
    expect(world.find(id).attempts.map(({ code }) => code)).toEqual([450, 450, 250])
    expect(world.sentOf).toEqual([id])
  })
})

describe("the limit per minute", () => {
  test("holds for all messages, and after a restart", async () => {
    const server = await mailServer()
    const world = mailWorld({ ...server, perMinute: 3 })
    for (let i = 0; i < 5; i++) await world.queue()
    await until(() => server.taken.length === 3)
    await world.stop()
    world.restart()
    world.wake()
    await Bun.sleep(100)
    expect(server.taken.length).toBe(3)
    // As if a minute had passed.
    world.run("UPDATE message_times SET at = '2020-01-01T00:00:00.000Z'")
    world.wake()
    await until(() => server.taken.length === 5)
  })
})

describe("a sender that ends", () => {
  test("before the last byte sends the message again, and once in all", async () => {
    const { port, lines } = await scriptedServer()
    const world = mailWorld({ port })
    const blocked = Promise.withResolvers<never>()
    await world.stop()
    world.restart(() => blocked.promise)
    const id = await world.queue()
    await until(() => world.statusOf(id) === "sending")
    // Another process has been killed here: its claim stays.
    await world.recover()
    expect(world.find(id)).toMatchObject({ status: "queued", attempts: [] })
    blocked.reject(new Error("The process has ended."))
    await world.stop()
    world.restart()
    await until(() => world.statusOf(id) === "sent")
    expect(lines.filter((line) => line === ".").length).toBe(1)
  })

  test("after the last byte leaves the message uncertain, until a person repeats it", async () => {
    const server = await mailServer()
    const world = mailWorld(server)
    await world.stop()
    const id = await world.queue()
    world.run("UPDATE messages SET status = 'sending', next_attempt_at = NULL WHERE id = ?", id)
    world.run("UPDATE message_work SET attempt = 'att_lost', is_ending = 1 WHERE message = ?", id)
    world.restart()
    await until(() => world.statusOf(id) === "uncertain")
    world.move(24 * hour)
    await Bun.sleep(50)
    expect([world.statusOf(id), server.taken.length]).toEqual(["uncertain", 0])
    expect(world.find(id).attempts).toMatchObject([{ step: "data", code: null }])
  })

  test("waits for the last answer, and gives up what has not come to its end", async () => {
    const answers: (() => void)[] = []
    const { port, lines } = await scriptedServer((line, socket, state) => {
      const answer = polite(line, socket, state)
      if (line !== ".") return answer
      answers.push(() => socket.write("250 taken\r\n"))
      return null
    })
    const world = mailWorld({ port })
    const id = await world.queue()
    await until(() => answers.length === 1)
    const stopped = world.stop()
    answers[0]?.()
    await stopped
    expect(world.statusOf(id)).toBe("sent")
    const other = await world.queue()
    world.restart(() => Promise.withResolvers<never>().promise)
    await until(() => world.statusOf(other) === "sending")
    expect(lines.filter((line) => line === ".").length).toBe(1)
  })

  test("whose results cannot be stored for a while forgets none", async () => {
    const server = await mailServer({ answer: () => void (world.time.failures = 2) })
    const world = mailWorld(server)
    const id = await world.queue()
    await until(() => world.statusOf(id) === "sent")
    expect(server.taken.length).toBe(1)
  })

  test("and is replaced by another one sends nothing to its last byte", async () => {
    const { port, lines } = await scriptedServer()
    const world = mailWorld({ port })
    await world.stop()
    const gate = Promise.withResolvers<void>()
    world.restart(async () => {
      await gate.promise
      return { message: "Hello", logo: null, company: "Shop", files: [] }
    })
    const id = await world.queue()
    await until(() => world.statusOf(id) === "sending")
    // Another server takes over: it finds the message, and begins an attempt of its own.
    world.run("UPDATE message_work SET attempt = 'att_other' WHERE message = ?", id)
    gate.resolve()
    await until(() => lines.includes("DATA"))
    await Bun.sleep(50)
    expect(lines).not.toContain(".")
    expect(world.statusOf(id)).toBe("sending")
  })
})

test("the interruptions of a message that ends the server make it wait", async () => {
  const world = mailWorld({ port: 1 })
  await world.stop()
  const id = await world.queue()
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    world.run("UPDATE messages SET status = 'sending', next_attempt_at = NULL WHERE id = ?", id)
    world.run("UPDATE message_work SET attempt = 'att_lost' WHERE message = ?", id)
    await world.recover()
    waits.push(Date.parse(world.find(id).nextAttemptAt ?? "") - Date.parse(world.time.now))
  }
  expect(waits.map((wait) => wait / 1_000)).toEqual([0, 0, 0, 20, 40, 80, 160, 320])
})

test("mail to users goes before what has waited longer", async () => {
  const server = await mailServer()
  const world = mailWorld(server)
  world.time.sends = false
  for (const kind of ["invoices", "invoices", "users"]) {
    await world.queue(kind)
    world.move(1_000)
  }
  world.time.sends = true
  await world.stop()
  world.restart()
  await until(() => server.taken.length === 3)
  const order = world.db
    .query<{ kind: string }, []>("SELECT kind FROM messages ORDER BY version, seq")
    .all()
    .map(({ kind }) => kind)
  expect(order.length).toBe(3)
  expect(world.sentOf[0]).toBe(
    world.db.query<{ id: string }, []>("SELECT id FROM messages WHERE kind = 'users'").get()?.id as string,
  )
})

test("what waited in a backup is uncertain after a restore", async () => {
  const world = mailWorld({ port: 1 })
  await world.stop()
  const ids = [await world.queue(), await world.queue()]
  expect(await world.doubt()).toBeFalse()
  for (const id of ids) expect(world.find(id)).toMatchObject({ status: "uncertain", nextAttemptAt: null })
})
