import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { problemsInRows } from "../support/check"
import { inFile } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { allowLoopback, isSigned, receiver, stopReceivers, webhookOf } from "../support/receiver"

let kontor: Kontor
let admin: Api

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  admin = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

test("kontor check finds a webhook that is further than the feed", async () => {
  const { id } = await webhookOf(admin, "https://8.8.8.8/", { isActive: false })
  expect(problemsInRows(kontor.file)).toEqual([])
  inFile(kontor, (db) => db.run("UPDATE webhook_positions SET position = 999 WHERE webhook = ?", [id]))
  expect(problemsInRows(kontor.file)).toEqual([
    expect.stringMatching(new RegExp(`^The webhook ${id} is at event 999; the newest one is \\d+\\.$`)),
  ])
  await admin.delete(`/webhooks/${id}`)
})

const command = (...args: string[]) => run(["webhooks", ...args], { cwd: kontor.cwd })

describe("kontor webhooks", () => {
  test("list prints each webhook with its state, and no secret", async () => {
    const { url } = receiver()
    const { id, secret } = await webhookOf(admin, `${url}/listed`, { types: ["items.*"], isActive: false })
    const { code, stdout } = await command("list")
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ID +STATE +TYPES +LAST SUCCESS +URL\n/)
    expect(stdout).toMatch(new RegExp(`^${id} +inactive +items\\.\\* +– +${url}/listed$`, "m"))
    const json = await command("list", "--json")
    expect(JSON.parse(json.stdout)).toMatchObject([{ id, types: ["items.*"] }])
    expect(stdout + json.stdout).not.toContain(secret)
  })

  test("test sends a signed event and prints what the receiver answers", async () => {
    const { url, hits } = receiver(() => new Response("Thank you"))
    const { id, secret } = await webhookOf(admin, url, { types: ["items.*"] })
    const { code, stdout } = await command("test", id, ...allowLoopback)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^The receiver answered 200 in \d+ ms\.\nThank you\n$/)
    expect(hits.map(({ event }) => event.type)).toEqual(["webhooks.test"])
    expect(hits.every((hit) => isSigned(hit, secret))).toBeTrue()
  })

  test("test fails with the answer if the receiver refuses it", async () => {
    const { url } = receiver(() => new Response("No", { status: 500 }))
    const { id } = await webhookOf(admin, url)
    const { code, stdout, stderr } = await command("test", id, "--json", ...allowLoopback)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ webhook: id, status: "failed", responseStatus: 500 })
    expect(stderr).toContain(`The webhook ${id} did not accept the test event.`)
  })

  test("test does not call a private address that is not allowed", async () => {
    const { url, hits } = receiver()
    const { id } = await webhookOf(admin, url, { isActive: false })
    const { code, stdout } = await command("test", id)
    expect(code).toBe(1)
    expect(stdout).toContain("--allow-private-webhooks")
    expect(hits).toEqual([])
  })

  test.each([
    ["an unknown ID", ["test", "whk_nothing"], 1, "whk_nothing"],
    ["no ID", ["test"], 2, "takes an ID"],
    ["an ID to list", ["list", "whk_1"], 2, "takes no ID"],
    ["an unknown action", ["send"], 2, "list|test"],
  ])("%s is refused with a sentence", async (_, args, status, said) => {
    const { code, stdout, stderr } = await command(...args)
    expect([code, stdout]).toEqual([status, ""])
    expect(stderr).toContain(said)
  })
})
