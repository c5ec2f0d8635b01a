// A database in a place that cannot be written: a backup medium, a snapshot, a volume that is mounted for reading.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, program, run, serve, type Kontor } from "../support/kontor"
import { withoutRights } from "../support/without-rights"

afterAll(async () => {
  for (const folder of closed) chmodSync(folder, 0o700)
  await cleanUp()
})

/** Folders that nobody may write. */
const closed: string[] = []

/** A copy of a folder that nobody may write, and whose files nobody may write. */
function closedCopy(from: string): string {
  const folder = emptyFolder()
  cpSync(from, folder, { recursive: true })
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o400)
  chmodSync(folder, 0o500)
  closed.push(folder)
  return folder
}

/** Starts a program that sees a folder as mounted for reading, as root too. */
const mounted = (folder: string): string[] => [
  "unshare",
  ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]),
  "--mount",
  "sh",
  "-euc",
  'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; exec "$@"',
  folder,
  ...program,
]

const contentOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, Bun.hash(readFileSync(join(folder, name)))])
const codesIn = (file: string) =>
  inFile({ file }, (db) => db.query<{ code: string }, []>("SELECT item_code AS code FROM items").all()).map(
    ({ code }) => code,
  )

/** Checks the database of a folder, and makes a backup of it. Nothing in the folder changes. */
async function readsAll(command: string[], folder: string, codes: string[]) {
  const before = contentOf(folder)
  const file = join(folder, "kontor.db")
  expect(await run(["check", "--db", file], { command })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Head of the audit log"),
  })
  const target = join(emptyFolder(), "backup.db")
  const done = await run(["backup", target, "--db", file], { command })
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("is a verified backup of") })
  expect(codesIn(target)).toEqual(codes)
  expect(contentOf(folder)).toEqual(before)
}

/** A database whose server has stopped, and one whose server was killed, so that the last item is only in the log. */
let [complete, killed] = ["", ""]
let live: Kontor
beforeAll(async () => {
  const stopped = await serve()
  await (await signIn(stopped)).create("/items", { itemCode: "STORED", itemName: "Stored" })
  await stopped.stop()
  complete = stopped.cwd
  const other = await serve()
  await (await signIn(other)).create("/items", { itemCode: "LOGGED", itemName: "Logged" })
  await other.stop("SIGKILL")
  killed = other.cwd
  live = await serve()
  await (await signIn(live)).create("/items", { itemCode: "LIVE", itemName: "Live" })
})

const ways: [string, (folder: string) => { command: string[]; folder: string }][] = [
  [
    "a folder without the right to write",
    (folder) => ({ command: [...withoutRights, ...program], folder: closedCopy(folder) }),
  ],
  ["a folder that is mounted for reading", (folder) => ({ command: mounted(folder), folder })],
]

describe.each(ways)("in %s", (_, way) => {
  test("a database that is complete is checked and backed up", async () => {
    const { command, folder } = way(complete)
    expect(readdirSync(folder)).toEqual(["kontor.db"])
    await readsAll(command, folder, ["STORED"])
  })

  test("what is only in the log beside it is read too", async () => {
    const { command, folder } = way(killed)
    expect(readdirSync(folder)).toContain("kontor.db-wal")
    await readsAll(command, folder, ["LOGGED"])
  })
})

test("a database that a server uses is read where only the reader cannot write", async () => {
  await readsAll(mounted(live.cwd), live.cwd, ["LIVE"])
})

test("a file that may not be written is read in a folder that may, and leaves nothing there", async () => {
  const folder = emptyFolder()
  cpSync(complete, folder, { recursive: true })
  chmodSync(join(folder, "kontor.db"), 0o400)
  await readsAll([...withoutRights, ...program], folder, ["STORED"])
})

test("a command that writes says that the place is read-only", async () => {
  const folder = closedCopy(complete)
  const command = [...withoutRights, ...program]
  const refused = await run(["users", "list", "--db", join(folder, "kontor.db")], { command })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be opened") })
})
