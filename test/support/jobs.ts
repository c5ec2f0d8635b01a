import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "../../src/core/engine/schema/migrate"
import "../../src/kinds"
import { openDatabase } from "../../src/core/engine/place"
import { groupWriter, system } from "../../src/core/write/writer"
import type { Caller } from "../../src/core/caller"
import { later } from "../../src/shared/dates"
import { stderrLog } from "../../src/core/lib/process/log"
import { Refusal } from "../../src/core/lib/refusal"
import type { JobHandler, RunningJob } from "../../src/office/jobs/handler"
import type { Job, JobCaller } from "../../src/office/jobs/model"
import { jobService, type JobService } from "../../src/office/jobs/service"

const caller: JobCaller = {
  kind: "user",
  userId: "usr_1",
  credentialId: "ses_1",
  scopes: ["write"],
  actor: system,
}
const active: Caller = {
  ...caller,
  email: "",
  name: "",
  role: "admin",
  plan: "enterprise",
  subject: "usr_1",
  credentialName: "",
  endsAt: Infinity,
  generation: 0,
  blocked: null,
}

const closing: (() => Promise<void>)[] = []

/** Stops all servers and deletes their files. Call it in afterEach. */
export async function closeJobs(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

/** A database with a clock that stands still until the test moves it. */
export function world() {
  const folder = mkdtempSync(join(tmpdir(), "kontor-jobs-"))
  const db = openDatabase(join(folder, "kontor.db"))
  migrate(db)
  db.run("CREATE TABLE done (n INTEGER NOT NULL) STRICT")
  let now = "2026-01-01T00:00:00.000Z"
  let callerNow: Caller | Refusal = active
  const clock = () => now
  const writer = groupWriter(db, clock, () => {})
  const services: JobService[] = []
  const logged: string[] = []
  const log = stderrLog("error", (text) => void logged.push(text))
  closing.push(async () => {
    for (const { runner } of services) await runner.stop()
    db.close()
    rmSync(folder, { recursive: true })
  })

  /** Another server on the same file. */
  const server = (run: JobHandler["run"], end?: JobHandler["end"]): JobService => {
    const service = jobService({ db, writer, callerAgain: () => callerNow, clock }, [
      { kind: "count", lane: "data", run, end },
    ])
    services.push(service)
    return service
  }
  const row = (id: string) =>
    db
      .query<{ attempts: number; run_at: string; lease: string | null }, [string]>(
        "SELECT attempts, run_at, lease FROM jobs WHERE id = ?",
      )
      .get(id)
  return {
    writer,
    server,
    row,
    logged,
    start: (service: JobService) => service.runner.start(log),
    move: (millis: number) => void (now = later(now, millis)),
    setCaller: (next: Caller | Refusal) => void (callerNow = next),
    begin: (service: JobService, uniqueKey: string | null = null): Promise<Job> =>
      writer((tx) =>
        service.begin(tx, { kind: "count", idPrefix: "job", caller, input: {}, uniqueKey, state: { n: 0 } }),
      ),
    done: () =>
      db
        .query<{ n: number }, []>("SELECT n FROM done ORDER BY rowid")
        .all()
        .map(({ n }) => n),
    /** A slice that inserts a row. */
    insert: (n: number) => void db.query("INSERT INTO done (n) VALUES (?)").run(n),
  }
}

export type World = ReturnType<typeof world>

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await Bun.sleep(1)
}

export const ended = async (service: JobService, id: string): Promise<Job> => {
  await until(() => service.get("count", id, null).finishedAt !== null)
  return service.get("count", id, null)
}

/** A promise that the test resolves. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()))

/** A handler that counts to 3, one slice each, and waits before some slices. */
export const counting =
  (
    { insert }: Pick<World, "insert">,
    before: (n: number, running: RunningJob) => Promise<void> | void = () => {},
  ) =>
  async (running: RunningJob): Promise<void> => {
    for (let n = Number(running.job.state.n); n < 3 && !running.signal.aborted; n++) {
      await before(n, running)
      await running.write(() => {
        insert(n)
        return { status: "applying", state: { n: n + 1 }, progress: (n + 1) * 30 }
      })
    }
  }
