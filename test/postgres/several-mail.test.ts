import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import type { Api } from "../support/api"
import { cleanUp, run } from "../support/kontor"
import { setMail } from "../support/mail"
import { mailServer, stopMailServers, type Taken } from "../support/mail-server"
import { isPostgresInstalled } from "../support/postgres"
import { type Several, several } from "../support/several"
import { trade } from "../support/trade"
import { until } from "../support/until"

let shop: Several
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

const idOf = ({ raw }: Taken): string => /^Message-ID: <([^@>]+)@/im.exec(raw.toString("latin1"))?.[1] ?? ""

/** An issued invoice whose PDF is kept. */
async function keptInvoice(api: Api) {
  const customer = await trade(api).customer({ email: "a@x.example" })
  const invoice = await trade(api).invoice({ customer: customer.id })
  await api.get(`/invoices/${invoice.id}/pdf`)
  return invoice
}

describe.skipIf(!isPostgresInstalled())("the leader sends the mail of all servers", () => {
  beforeEach(async () => {
    shop = await several(3)
  })

  test("and another one goes on when it is killed", async () => {
    const { leader, others } = shop.split()
    const api = others[0]!.api
    const server = await mailServer({ answer: () => Bun.sleep(20) })
    await setMail(api, server.port)
    const { id } = await keptInvoice(api)
    const operations = Array.from({ length: 60 }, () => ({ op: "send", id }))
    await api.post("/invoices/batch", { mode: "each", operations })
    await until(() => server.taken.length >= 10)
    await leader.stop("SIGKILL")
    await until(async () => (await api.get("/messages?status[in]=queued,sending")).body.data.length === 0)
    const { data } = (await api.get("/messages?perPage=100")).body
    const arrived = Map.groupBy(server.taken, idOf)
    expect(data.length).toBe(60)
    for (const { id: message, status } of data) {
      const times = arrived.get(message)?.length ?? 0
      if (status === "sent") expect([message, times]).toEqual([message, 1])
      else expect([message, status, times <= 1]).toEqual([message, "uncertain", true])
    }
    const unknown = data.filter(({ status }: { status: string }) => status === "uncertain")
    expect(unknown.length).toBeLessThanOrEqual(1)
    for (const member of others) await member.stop()
    expect((await run(["check", "--db", shop.url])).code).toBe(0)
    shop.server.stop()
  })

  test("and one that lost the lead while it was sending does not get to the last byte", async () => {
    const { leader, others } = shop.split()
    const api = others[0]!.api
    const held: (() => void)[] = []
    let isHolding = true
    const server = await mailServer({
      onRcptTo: (_, __, done) => void (isHolding ? held.push(() => done()) : done()),
    })
    await setMail(api, server.port)
    const invoice = await keptInvoice(api)
    const { id } = (await api.post(`/invoices/${invoice.id}/send`)).body.data
    await until(() => held.length === 1)
    isHolding = false
    process.kill(leader.process.pid, "SIGSTOP")
    try {
      shop.inDatabase((db) =>
        db.run(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x4b4e544c}`,
        ),
      )
      await until(async () => (await api.get(`/messages/${id}`)).body.data.status === "sent")
    } finally {
      process.kill(leader.process.pid, "SIGCONT")
    }
    held[0]?.()
    // Whatever it sends after this, it has given up the message.
    const next = (await api.post(`/invoices/${invoice.id}/send`)).body.data.id
    await until(async () => (await api.get(`/messages/${next}`)).body.data.status === "sent")
    await leader.stop()
    expect(server.taken.map(idOf).toSorted()).toEqual([id, next].toSorted())
    shop.server.stop()
  })
})
