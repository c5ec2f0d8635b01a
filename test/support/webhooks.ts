import { openWriter } from "../../src/core/write/commit"
import { migrate } from "../../src/core/engine/schema/migrate"
import "../../src/kinds"
import { openDatabase } from "../../src/core/engine/place"
import type { Writer } from "../../src/core/write/writer"
import { networks } from "../../src/core/http/request/address"
import type { Caller } from "../../src/core/caller"
import { scopesOf } from "../../src/shared/rights"
import { later } from "../../src/shared/dates"
import { newId } from "../../src/core/lib/id"
import { stderrLog } from "../../src/core/lib/process/log"
import { eventService } from "../../src/office/events/service"
import { systemResolve } from "../../src/office/webhooks/addresses"
import { webhookSender } from "../../src/office/webhooks/sender/sender"
import { newWebhookSecret } from "../../src/office/webhooks/message"

const closing: (() => Promise<void>)[] = []

/** Stops all senders. Call it in afterEach. */
export async function closeSenders(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

const kinds = ["items", "invoices"].map((name) => ({
  name,
  types: [`${name}.created`],
  right: { area: "items", scope: "read" } as const,
}))

/** The owner of all webhooks. */
const personOf = (userId: string) =>
  ({ kind: "user", userId, role: "admin", scopes: scopesOf("admin") }) as unknown as Caller

/** A database with a sender, whose clock stands still until the test moves it. */
export function senderWorld() {
  const db = openDatabase(":memory:")
  migrate(db)
  let now = "2026-01-01T00:00:00.000Z"
  let failures = 0
  const { writer: direct, subscribe } = openWriter(db)
  let held: Promise<void> | undefined
  const writer: Writer = async (work, by) => {
    await held
    if (failures === 0) return direct(work, by)
    failures--
    throw new Error("The disk is full.")
  }
  const logged: string[] = []
  const log = stderrLog("warn", (text) => void logged.push(text))
  const events = eventService({ db, writer, feed: "f", subscribe, kinds, keptFor: Infinity })
  const network = { resolve: systemResolve, allowed: networks(["127.0.0.0/8"]) }
  const clock = () => now
  const sender = webhookSender({
    db,
    writer,
    events,
    network,
    clock,
    subscribe,
    records: () => ({}),
    personOf,
    isSwitchedOn: true,
  })
  sender.start(log)
  closing.push(async () => {
    await sender.stop()
    db.close()
  })
  const owner = newId("usr", now)
  db.run(
    `INSERT INTO users (id, email, email_key, email_sort, name, name_sort, role, is_active, version, created_at, updated_at)
     VALUES (?1, 'a', 'a', 'a', 'A', 'a', 'admin', 1, 1, ?2, ?2)`,
    [owner, now],
  )
  const one = <T>(sql: string, ...values: string[]): T => db.query<T, string[]>(sql).get(...values) as T
  return {
    logged,
    /** Moves the clock, and lets the sender look what is due. */
    move(millis: number): void {
      now = later(now, millis)
      sender.wake()
    },
    /** Ends the sender and starts it again, as another server would after this one. */
    async restart(): Promise<void> {
      await sender.stop()
      sender.start(log)
    },
    setParallel: (webhook: string, parallel: number): void =>
      void db.run("UPDATE webhooks SET parallel = ? WHERE id = ?", [parallel, webhook]),
    /** Deletes the oldest events, as if they had expired. */
    expire: (count: number): void =>
      void db.run("DELETE FROM events WHERE seq < (SELECT min(seq) FROM events) + ?", [count]),
    /** Lets some writes fail. */
    fail: (times: number): void => void (failures = times),
    /** Lets all writes wait, until the returned function is called. */
    holdWrites(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    failuresLeft: (): number => failures,
    emit: (kind = "items", count = 1, recordId?: string): Promise<void> =>
      direct((tx) => {
        for (let i = 0; i < count; i++) {
          const id = recordId ? `${recordId}${i}` : newId("itm", tx.now)
          tx.events.push({ kind, id, type: "created", version: 1, changed: [] })
        }
      }),
    /** Creates a webhook and returns its id. */
    add(url: string, position = events.latest(), parallel = 1): string {
      const id = newId("whk", now)
      db.run(
        `INSERT INTO webhooks (id, url, types, payload, is_active, version, created_at, updated_at, owner, parallel)
         VALUES (?, ?, '["*"]', 'thin', 1, 1, ?, ?, ?, ?)`,
        [id, url, now, now, owner, parallel],
      )
      db.run("INSERT INTO webhook_positions (webhook, position) VALUES (?, ?)", [id, position])
      db.run("INSERT INTO webhook_secrets (webhook, secret) VALUES (?, ?)", [id, newWebhookSecret()])
      return id
    },
    /** Stores deliveries of a webhook, whose receiver does not answer, that are sent again much later. */
    fill(webhook: string, count: number): void {
      db.run("UPDATE webhooks SET failing_since = ? WHERE id = ?", [now, webhook])
      db.run(
        `INSERT INTO webhook_deliveries (id, webhook, event, type, status, attempts, next_attempt_at, request,
           duration_ms, created_at, updated_at)
         SELECT 'whd_' || value, ?1, 'evt', 'items.created', 'pending', 1, '2099-01-01T00:00:00.000Z', '{}', 1, ?2, ?2
         FROM json_each(?3)`,
        [webhook, now, JSON.stringify(Array.from({ length: count }, (_, i) => i))],
      )
    },
    webhook: (id: string) =>
      one<{ is_active: number; disabled_reason: string | null; failing_since: string | null }>(
        "SELECT is_active, disabled_reason, failing_since FROM webhooks WHERE id = ?",
        id,
      ),
    deliveries: () =>
      db
        .query<{ status: string; attempts: number; wait: number | null }, []>(
          `SELECT status, attempts, round((julianday(next_attempt_at) - julianday(updated_at)) * 86400) AS wait
           FROM webhook_deliveries ORDER BY seq`,
        )
        .all(),
    actions: () =>
      db
        .query<{ action: string }, []>("SELECT action FROM audit_logs ORDER BY seq")
        .all()
        .map(({ action }) => action),
  }
}
