import { Elysia } from "elysia"
import type { Database } from "bun:sqlite"
import { probeWrite } from "../db/probe"
import { unavailable, type Writer } from "../db/writer"
import { steadyMillis } from "../lib/clock"
import { ok } from "./envelope"

const checkEvery = 5_000

/** For supervisors: /health says the process lives, /ready that the database answers and can be written. */
export function health(db: Database, writer: Writer) {
  let checkedAt = -Infinity
  let isReady: Promise<boolean> = Promise.resolve(false)

  const check = (): Promise<boolean> =>
    writer((tx) => {
      probeWrite(db, tx)
      return true
    }).catch(() => false)

  return new Elysia({ name: "health" })
    .get("/health", () => ok({ status: "ok" }), { detail: { hide: true } })
    .get(
      "/ready",
      async () => {
        if (steadyMillis() - checkedAt >= checkEvery) {
          checkedAt = steadyMillis()
          isReady = check()
        }
        if (!(await isReady)) throw unavailable()
        return ok({ status: "ready" })
      },
      { detail: { hide: true } },
    )
}
