import { afterAll, describe, expect, test } from "bun:test"
import { apiWith, signIn, type Api } from "../support/api"
import { manyRecords } from "../support/engine"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { importer } from "../support/imports"
import { cleanUp, serve } from "../support/kontor"
import { until } from "../support/until"

const kontor = await serve()
const api = await signIn(kontor)
afterAll(cleanUp)

const password = "correct horse battery"
let count = 0

/** A new manager, and a session of that manager. */
async function manager() {
  const email = `manager-${++count}@jobs.example`
  const { id } = await api.create("/users", { email, name: "Manager", role: "manager", password })
  return { id: String(id), email, session: await signIn(kontor, email, password) }
}

/** A new API key of the admin. */
async function apiKey() {
  const { id, key } = await api.create("/api-keys", {
    name: "Jobs",
    scopes: ["read", "write"],
    expiresAt: null,
  })
  return { id: String(id), api: apiWith(kontor, { "x-api-key": String(key) }) }
}

type Job = {
  status: string
  counts: Record<string, number>
  error: { code: string; message: string; params?: Record<string, unknown> } | null
}
/** A job that takes long, by the path at which an admin sees it. `done` is the count of what it has written. */
type Long = { rows: number; done: string; start(by: Api, rows?: number): Promise<string> }

const importedRows = manyRecords(4_000)

const kinds: Record<"import" | "price change", Long> = {
  import: {
    rows: importedRows,
    done: "created",
    async start(by, rows = importedRows) {
      const prefix = `R${++count}`
      const lines = Array.from({ length: rows }, (_, i) => `${prefix}-${i},Thing`).join("\n")
      const answer = await importer(by).send("kind=items", `itemCode,itemName\n${lines}\n`)
      expect(answer).toMatchObject({ status: 202 })
      return `/imports/${answer.body.data.id}`
    },
  },
  "price change": {
    rows: manyRecords(3_000),
    done: "updated",
    async start(by) {
      const category = `Shelf ${++count}`
      const from = count * 10_000
      inFile(kontor, (db) =>
        fillItems(db, { from: from + 1, to: from + this.rows, category, sellingPrice: 100_000 }),
      )
      const answer = await by.post("/items/reprice", { filter: { category }, change: { percent: 10 } })
      expect(answer).toMatchObject({ status: 202 })
      return `/jobs/${answer.body.data.id}`
    },
  },
}

const jobAt = async (path: string): Promise<Job> => (await api.get(path)).body.data
const isEnded = ({ status }: Job) => status === "finished" || status === "failed"
async function ended(path: string): Promise<Job> {
  await until(async () => isEnded(await jobAt(path)))
  return jobAt(path)
}

/** Starts a job, does something when it has written its first records, and returns how it ended. */
async function interrupted(long: Long, by: Api, happens: () => Promise<unknown>) {
  const path = await long.start(by)
  await until(async () => ((await jobAt(path)).counts[long.done] ?? 0) > 0)
  await happens()
  const job = await ended(path)
  return { ...job, isPartial: (job.counts[long.done] ?? 0) < long.rows }
}

describe.each(Object.entries(kinds))("a running %s", (_, long) => {
  test("ends when the API key that started it expires", async () => {
    const key = await apiKey()
    const job = await interrupted(long, key.api, async () =>
      inFile(kontor, (db) =>
        db.query("UPDATE api_keys SET expires_at = ? WHERE id = ?").run("2020-01-01T00:00:00.000Z", key.id),
      ),
    )
    expect(job).toMatchObject({
      status: "failed",
      isPartial: true,
      error: {
        code: "FORBIDDEN",
        params: { reason: "KEY_EXPIRED" },
        message: expect.stringContaining("expired"),
      },
    })
  })

  test("ends when its API key may no longer be used from the address that started it", async () => {
    const key = await apiKey()
    const job = await interrupted(long, key.api, async () =>
      expect((await api.patch(`/api-keys/${key.id}`, { allowedIps: ["192.0.2.7"] })).status).toBe(200),
    )
    expect(job).toMatchObject({
      status: "failed",
      isPartial: true,
      error: { code: "IP_NOT_ALLOWED", params: { address: expect.any(String) } },
    })
  })

  test.each(["revoked", "rotated"])("ends when its API key is %s", async (how) => {
    const key = await apiKey()
    const path = `/api-keys/${key.id}`
    const end = () => (how === "revoked" ? api.delete(path) : api.post(`${path}/rotate`, {}))
    const job = await interrupted(long, key.api, end)
    expect(job).toMatchObject({
      status: "failed",
      isPartial: true,
      error: { code: "FORBIDDEN", params: { reason: "KEY_REVOKED" } },
    })
  })

  test("ends when the password of the person who started it is replaced, even after signing out", async () => {
    const { id, session } = await manager()
    const job = await interrupted(long, session, async () => {
      expect((await session.post("/auth/logout", {})).status).toBe(204)
      expect((await api.patch(`/users/${id}`, { password: "another correct horse" })).status).toBe(200)
    })
    expect(job).toMatchObject({
      status: "failed",
      isPartial: true,
      error: { code: "FORBIDDEN", params: { reason: "SESSIONS_ENDED" } },
    })
  })

  test("ends when the person signs out on all devices", async () => {
    const { session } = await manager()
    const job = await interrupted(long, session, async () =>
      expect((await session.post("/auth/logout-all", {})).status).toBe(204),
    )
    expect(job).toMatchObject({ status: "failed", error: { params: { reason: "SESSIONS_ENDED" } } })
  })

  test("ends when the person becomes inactive, also if that lasts only a moment", async () => {
    const { id, session } = await manager()
    const job = await interrupted(long, session, async () => {
      expect((await api.patch(`/users/${id}`, { isActive: false })).status).toBe(200)
      expect((await api.patch(`/users/${id}`, { isActive: true })).status).toBe(200)
    })
    expect(job).toMatchObject({
      status: "failed",
      isPartial: true,
      error: { code: "FORBIDDEN", params: { reason: "USER_INACTIVE" } },
    })
  })
})

test("changing your own password ends what other sessions have started, not what your session has", async () => {
  const { email, session } = await manager()
  const other = await signIn(kontor, email, password)
  const [few, many] = [50, importedRows]
  const [theirs, mine] = [await kinds.import.start(other, many), await kinds.import.start(session, few)]
  const changed = await session.put("/auth/password", {
    currentPassword: password,
    newPassword: "another correct horse",
  })
  expect(changed.status).toBeLessThan(300)
  expect(await ended(theirs)).toMatchObject({
    status: "failed",
    error: { params: { reason: "SESSIONS_ENDED" } },
  })
  expect(await ended(mine)).toMatchObject({ status: "finished", counts: { created: few } })
})

test("a job whose API key expires while it waits does not begin", async () => {
  const key = await apiKey()
  const first = await kinds.import.start(api)
  const waiting = await kinds.import.start(key.api)
  inFile(kontor, (db) =>
    db.query("UPDATE api_keys SET expires_at = ? WHERE id = ?").run("2020-01-01T00:00:00.000Z", key.id),
  )
  await api.post(`${first}/cancel`)
  expect(await ended(waiting)).toMatchObject({
    status: "failed",
    counts: { rows: 0 },
    error: { params: { reason: "KEY_EXPIRED" } },
  })
})

test("a refresh token that is used twice ends what its session has started", async () => {
  const { email } = await manager()
  const login = (await api.post("/auth/login", { email, password })).body.data
  const path = await kinds.import.start(apiWith(kontor, { authorization: `Bearer ${login.token}` }))
  const refresh = (refreshToken: string) => api.post("/auth/refresh", { refreshToken })
  const next = (await refresh(login.refreshToken)).body.data
  await refresh(next.refreshToken)
  expect((await refresh(login.refreshToken)).status).toBe(401)
  expect(await ended(path)).toMatchObject({
    status: "failed",
    error: { params: { reason: "SESSIONS_ENDED" } },
  })
})
