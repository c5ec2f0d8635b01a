import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import schema from "./support/schema-17.sql" with { type: "text" }
import { releasedSteps } from "../src/core/engine/schema/migrations"

test("the step to version 18 makes the creator the owner of a webhook, and removes the records from deliveries", () => {
  const db = new Database(":memory:")
  db.run(schema)
  db.run(`INSERT INTO webhooks (id, url, types, payload, is_active, created_by, version, created_at, updated_at)
    VALUES ('whk_1', 'https://shop.example/', '["*"]', 'full', 1, 'usr_1', 3, '', '')`)
  const event = { id: "evt_1", seq: 1, type: "items.updated", changed: ["record", 'a,"record":', "itemName"] }
  const bodies = [
    event,
    { ...event, record: null },
    { ...event, record: { id: "itm_1", metadata: { record: 'x,"record":{}' } } },
  ]
  for (const [i, body] of bodies.entries())
    db.run(
      `INSERT INTO webhook_deliveries (id, webhook, event, type, status, attempts, request, duration_ms, created_at,
         updated_at) VALUES (?, 'whk_1', 'evt_1', 'items.updated', 'failed', 1, ?, 1, '', '')`,
      [`whd_${i}`, JSON.stringify(body)],
    )
  db.run(releasedSteps[0]?.sql ?? "")
  expect(db.query("SELECT owner, version FROM webhooks").all()).toEqual([{ owner: "usr_1", version: 3 }])
  const stored = db
    .query<{ request: string }, []>("SELECT request FROM webhook_deliveries ORDER BY seq")
    .all()
  expect(stored.map(({ request }) => JSON.parse(request))).toEqual([event, event, event])
})
