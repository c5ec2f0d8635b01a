import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { type Api, signIn } from "../support/api"
import { problemsIn } from "../support/check"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, type Kontor, run, serve } from "../support/kontor"
import { setMail, settled } from "../support/mail"
import { type MailServer, mailServer, refusal, stopMailServers } from "../support/mail-server"
import { trade } from "../support/trade"

let kontor: Kontor
let admin: Api
let server: MailServer
let sent: string
let failed: string

beforeAll(async () => {
  kontor = await serve()
  admin = await signIn(kontor)
  server = await mailServer({
    onRcptTo: ({ address }, _, done) => done(address.startsWith("no") ? refusal(550, "5.1.1 unknown") : null),
  })
  await setMail(admin, server.port)
  const customer = await trade(admin).customer({ email: "a@x.example" })
  const order = await trade(admin).submitted({ customer: customer.id })
  sent = (await admin.post(`/sales-orders/${order.id}/send`)).body.data.id
  failed = (await admin.post(`/sales-orders/${order.id}/send`, { to: "no@x.example" })).body.data.id
  for (const id of [sent, failed]) await settled(admin, id)
})
afterAll(async () => {
  await cleanUp()
  await stopMailServers()
})

describe("kontor mail", () => {
  const mail = (...args: string[]) => run(["mail", ...args], { cwd: kontor.cwd })

  test("lists the messages, or those that failed", async () => {
    const { stdout, code } = await mail("list")
    expect([code, stdout]).toEqual([0, expect.stringContaining("LAST ANSWER")])
    expect(stdout).toContain(sent)
    const only = await mail("list", "--failed")
    expect(only.stdout).toContain("550 5.1.1 unknown")
    expect(only.stdout).not.toContain(sent)
    expect(JSON.parse((await mail("list", "--json")).stdout)).toMatchObject([
      { id: sent, status: "sent" },
      { id: failed, status: "failed" },
    ])
  })

  test("tests the server, and fails if it does not take the message", async () => {
    const good = await mail("test", "a@x.example")
    expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/^connect +220/)])
    const bad = await mail("test", "no@x.example")
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("recipient  550 5.1.1 unknown")])
    expect(bad.stderr).toContain("has not taken the test message")
  })

  test.each([
    [["test"]],
    [["test", "Anna"]],
    [["list", "a@x.example"]],
    [["send"]],
    [["test", "a@x.example", "--failed"]],
  ])("%p is a wrong command line", async (args) => expect((await mail(...args)).code).toBe(2))
})

describe("kontor check", () => {
  /** What the check finds in a copy that was changed by hand. */
  async function foundAfter(...statements: string[]): Promise<string[]> {
    const folder = emptyFolder()
    const backup = join(folder, "backup.db")
    expect((await run(["backup", backup], { cwd: kontor.cwd })).code).toBe(0)
    const file = join(folder, "copy.db")
    copyFileSync(backup, file)
    inFile({ file }, (db) => statements.forEach((sql) => db.run(sql)))
    return problemsIn(file)
  }

  test.each([
    ["nothing in a database that is right", [], []],
    [
      "a message that says that it was sent, and was not",
      [`UPDATE messages SET status = 'sent', sent_at = created_at WHERE status = 'failed'`],
      ["no server has taken it"],
    ],
    [
      "a message whose answer was removed",
      [`UPDATE messages SET attempts = replace(attempts, '"code":250', '"code":450') WHERE status = 'sent'`],
      ["no server has taken it"],
    ],
    [
      "a file that was changed",
      [`UPDATE message_files SET bytes = x'00' WHERE bytes IS NOT NULL`],
      ["another hash", "another hash"],
    ],
    ["a document that was never sent", ["UPDATE sales_orders SET last_sent_at = NULL"], ["another time"]],
    ["a message that the sender has lost", ["DELETE FROM message_work"], ["knows nothing", "knows nothing"]],
    [
      "a message that is being sent by nobody",
      ["UPDATE messages SET status = 'sending' WHERE status = 'failed'"],
      ["is being sent by nobody"],
    ],
  ])("finds %s", async (_, statements, wanted) => {
    const found = await foundAfter(...statements)
    expect(found).toEqual(wanted.map((part) => expect.stringContaining(part)))
  })
})
