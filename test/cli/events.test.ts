import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { feedOf } from "../support/events"
import { cleanUp, emptyFolder, program, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
  await shop.invoice()
})
afterAll(cleanUp)

const events = (...args: string[]) => run(["events", ...args], { cwd: kontor.cwd })
const linesIn = (text: string): string[] => text.split("\n").filter(Boolean)

describe("kontor events", () => {
  test("prints the time, type, record, version and changed fields of each event, while a server runs", async () => {
    const { code, stdout, stderr } = await events()
    const { events: all, next } = await feed.readAll()
    expect([code, stderr]).toEqual([0, `The next position is ${next}.\n`])
    const words = linesIn(stdout).map((line) => line.split(/ +/))
    expect(words).toEqual(
      all.map(({ at, type, recordId, version, changed }) =>
        [at, type, recordId, version === null ? "-" : `v${version}`, changed.join(",")].filter(Boolean),
      ),
    )
  })

  test("--json prints each event as the API shows it, with the position after it", async () => {
    const lines = linesIn((await events("--json")).stdout).map((line) => JSON.parse(line))
    const { events: all, next } = await feed.readAll()
    expect(lines).toEqual(all.map((event) => ({ ...event, position: expect.any(String) })))
    expect(lines.at(-1)?.position).toBe(next)
    const { stdout } = await events("--json", "--after", lines[1]?.position)
    expect(linesIn(stdout)).toHaveLength(lines.length - 2)
  })

  test("--types chooses, and --after latest is the end", async () => {
    const { stdout } = await events("--json", "--types", "invoices.*")
    const types = linesIn(stdout).map((line) => JSON.parse(line).type)
    expect(types).toEqual(["invoices.created", "invoices.issued"])
    expect(await events("--after", "latest")).toMatchObject({ code: 0, stdout: "" })
  })

  test.each([
    ["an unknown type", ["--types", "invoices.sold"], "invoices.sold"],
    ["something that is not a position", ["--after", "yesterday"], "after"],
    ["a position of another feed", ["--after", "0123456789abcdef-1"], "another feed"],
  ])("%s is refused with a sentence", async (_, args, said) => {
    const { code, stdout, stderr } = await events(...args)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(said)
  })

  test("without a database it says so", async () => {
    const { code, stderr } = await run(["events"], { cwd: emptyFolder() })
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no database")])
  })

  test("a position stays valid when the server is stopped, and for the server after that", async () => {
    const { events: all, next } = await feed.readAll()
    await kontor.stop()
    const { stdout, stderr } = await events()
    expect([linesIn(stdout).length, stderr]).toEqual([all.length, `The next position is ${next}.\n`])
    kontor = await serve({ cwd: kontor.cwd, env: {} })
    api = await signIn(kontor)
    shop = trade(api)
    feed = feedOf(api)
    expect((await feed.readAll(next)).events).toEqual([])
  })
})

describe("kontor events --follow", () => {
  const follow = (...args: string[]) =>
    Bun.spawn([...program, "events", "--follow", ...args], {
      cwd: kontor.cwd,
      env: { PATH: process.env.PATH ?? "" },
      stdout: "pipe",
      stderr: "pipe",
    })

  test("prints events that the server writes meanwhile, until it is interrupted", async () => {
    const start = await feed.latest()
    const child = follow("--json", "--after", start)
    const reader = child.stdout.getReader()
    const seen: string[] = []
    for (let i = 0; i < 3; i++) {
      const { id } = await shop.item()
      while (!seen.includes(id)) {
        const text = new TextDecoder().decode((await reader.read()).value)
        seen.push(...linesIn(text).map((line) => JSON.parse(line).recordId))
      }
    }
    expect(seen).toEqual((await feed.readAll(start)).events.map(({ recordId }) => recordId))
    child.kill("SIGINT")
    await child.exited
  })

  test("ends when nobody reads its output any more", async () => {
    const child = follow()
    const reader = child.stdout.getReader()
    await reader.read()
    await reader.cancel()
    while (child.exitCode === null) {
      await shop.item()
      await Bun.sleep(100)
    }
    expect(child.exitCode).toBe(0)
  })
})
