import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { type Api, signIn } from "../support/api"
import { isPostgres } from "../support/engine"
import { adminEmail, adminPassword, cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { setMail, settled, tried } from "../support/mail"
import { mailServer, refusal, stopMailServers, type Taken } from "../support/mail-server"
import { trade } from "../support/trade"
import { until } from "../support/until"

afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const idOf = ({ raw }: Taken): string => /^Message-ID: <([^@>]+)@/im.exec(raw.toString("latin1"))?.[1] ?? ""

/** An issued invoice whose PDF is kept. */
async function keptInvoice(admin: Api) {
  const customer = await trade(admin).customer({ email: "a@x.example" })
  const invoice = await trade(admin).invoice({ customer: customer.id })
  expect((await admin.get(`/invoices/${invoice.id}/pdf`)).status).toBe(200)
  return invoice
}

async function allMessages(admin: Api): Promise<any[]> {
  const all: any[] = []
  for (let page = 1; ; page++) {
    const { data } = (await admin.get(`/messages?perPage=100&page=${page}&sort=createdAt&order=asc`)).body
    all.push(...data)
    if (data.length < 100) return all
  }
}

const [kills, count] = isLong ? [200, 500] : [15, 60]

test(`of ${count} messages, a server that is killed ${kills} times loses none, and sends none twice`, async () => {
  const cwd = emptyFolder()
  let kontor = await serve({ cwd })
  let admin = await signIn(kontor)
  const server = await mailServer({ answer: () => Bun.sleep(Math.random() * 40) })
  await setMail(admin, server.port)
  const invoice = await keptInvoice(admin)
  const operations = Array.from({ length: count }, () => ({ op: "send", id: invoice.id }))
  await admin.post("/invoices/batch", { mode: "each", operations })
  for (let i = 0; i < kills; i++) {
    await Bun.sleep(Math.random() * 500)
    await kontor.stop("SIGKILL")
    kontor = await serve({ cwd })
  }
  admin = await signIn(kontor)
  await until(
    async () => (await admin.get("/messages?status[in]=queued,sending&perPage=1")).body.data.length === 0,
  )
  const arrived = Map.groupBy(server.taken, idOf)
  const found = await allMessages(admin)
  expect(found.length).toBe(count)
  for (const { id, status, attempts } of found) {
    const times = arrived.get(id)?.length ?? 0
    if (status === "sent") expect([id, times, attempts.at(-1).code]).toEqual([id, 1, 250])
    else expect([id, status, times <= 1]).toEqual([id, "uncertain", true])
  }
  expect([...arrived.keys()].every((id) => found.some((message) => message.id === id))).toBeTrue()
  // Most of them are certain: what was killed before the last byte is sent again by itself.
  expect(found.filter(({ status }) => status === "sent").length).toBeGreaterThan(count / 2)
  await kontor.stop()
  expect((await run(["check"], { cwd })).code).toBe(0)
})

test("a server that is stopped waits for the answer, and goes on after its start", async () => {
  const cwd = emptyFolder()
  let kontor = await serve({ cwd })
  let admin = await signIn(kontor)
  const answers: (() => void)[] = []
  const server = await mailServer({ answer: () => new Promise((resolve) => void answers.push(resolve)) })
  await setMail(admin, server.port)
  const invoice = await keptInvoice(admin)
  const ids = []
  for (let i = 0; i < 2; i++) ids.push((await admin.post(`/invoices/${invoice.id}/send`)).body.data.id)
  await until(() => answers.length === 1)
  const stopped = kontor.stop()
  await Bun.sleep(100)
  answers[0]?.()
  expect(await stopped).toBe(0)
  kontor = await serve({ cwd })
  admin = await signIn(kontor)
  await until(() => answers.length === 2)
  answers[1]?.()
  for (const id of ids) expect((await settled(admin, id)).status).toBe("sent")
  expect(server.taken.map(idOf)).toEqual(ids)
})

test("the limit per minute holds after a restart, and a message waits its time", async () => {
  const cwd = emptyFolder()
  let kontor = await serve({ cwd })
  let admin = await signIn(kontor)
  const server = await mailServer({ answer: () => Promise.reject(refusal(451, "4.3.0 later")) })
  await setMail(admin, server.port, { perMinute: 1 })
  const invoice = await keptInvoice(admin)
  const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
  const { nextAttemptAt } = await tried(admin, id, 1)
  await kontor.stop("SIGKILL")
  kontor = await serve({ cwd })
  admin = await signIn(kontor)
  const second = (await admin.post(`/invoices/${invoice.id}/send`)).body.data.id
  expect((await admin.get(`/messages/${id}`)).body.data.nextAttemptAt).toBe(nextAttemptAt)
  expect((await admin.get(`/messages/${second}`)).body.data.status).toBe("queued")
  expect(server.counts.ended).toBe(1)
})

test("a server with --no-sending sends nothing, and one without it what has waited", async () => {
  const cwd = emptyFolder()
  let kontor = await serve({ cwd, args: ["--no-sending"] })
  let admin = await signIn(kontor)
  const server = await mailServer()
  await setMail(admin, server.port)
  const invoice = await keptInvoice(admin)
  const { id } = (await admin.post(`/invoices/${invoice.id}/send`)).body.data
  expect((await admin.get("/messages/status")).body.data).toMatchObject({
    isSending: false,
    isSwitchedOff: true,
  })
  expect((await admin.post("/settings/smtp/test", { to: "a@x.example" })).status).toBe(422)
  await kontor.stop()
  expect(server.counts.connections).toBe(0)
  kontor = await serve({ cwd })
  admin = await signIn(kontor)
  expect((await settled(admin, id)).status).toBe("sent")
})

// A PostgreSQL database has no backups.
test.skipIf(isPostgres)("after a restore, nothing is sent until an admin resumes it", async () => {
  const cwd = emptyFolder()
  let kontor = await serve({ cwd, args: ["--no-sending"] })
  let admin = await signIn(kontor)
  const server = await mailServer()
  const secret = "a very secret password"
  await setMail(admin, server.port, { auth: "password", user: "shop", password: secret })
  const invoice = await keptInvoice(admin)
  const order = await trade(admin).submitted({ customer: invoice.customer })
  const ids: string[] = []
  for (const path of [`/invoices/${invoice.id}/send`, `/sales-orders/${order.id}/send`])
    ids.push((await admin.post(path)).body.data.id)
  const backup = join(cwd, "copy.db")
  expect((await run(["backup", backup], { cwd })).code).toBe(0)
  expect(Buffer.from(await Bun.file(backup).arrayBuffer()).includes(secret)).toBeFalse()
  await kontor.stop()
  expect((await run(["restore", backup], { cwd })).code).toBe(0)
  kontor = await serve({ cwd })
  admin = await signIn(kontor, adminEmail, adminPassword)
  expect((await admin.get("/messages/status")).body.data).toEqual({
    isSending: false,
    isPaused: true,
    isSwitchedOff: false,
    isSetUp: false,
    missing: ["password"],
  })
  for (const id of ids)
    expect((await admin.get(`/messages/${id}`)).body.data).toMatchObject({
      status: "uncertain",
      attempts: [{ step: "prepare", code: null }],
    })
  expect((await admin.post(`/invoices/${invoice.id}/send`)).body.error.code).toBe("MAIL_NOT_SET_UP")
  await admin.put("/settings", { smtp: { password: secret } })
  const later = (await admin.post(`/invoices/${invoice.id}/send`)).body.data.id
  expect((await admin.post(`/messages/${ids[1]}/retry`)).status).toBe(200)
  expect(server.counts.connections).toBe(0)
  expect((await admin.post("/messages/resume")).body.data).toMatchObject({ isSending: true, isPaused: false })
  expect((await settled(admin, later)).status).toBe("sent")
  expect((await settled(admin, ids[1] ?? "")).attachments[0].sha256).toMatch(/^[0-9a-f]{64}$/)
  expect((await admin.get(`/messages/${ids[0]}`)).body.data.status).toBe("uncertain")
})
