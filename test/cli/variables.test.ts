import { afterAll, expect, test } from "bun:test"
import { join } from "node:path"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"

afterAll(cleanUp)

const overridden = (variable: string, flag: string) =>
  `${variable} has no effect, because --${flag} gives another value.`

test("the log names each variable whose option a flag sets to something else", async () => {
  const folder = emptyFolder()
  const kontor = await serve({
    args: ["--db", "used.db", "--log-level", "info", "--backup-keep", "3", "--no-sending"],
    env: {
      KONTOR_DB: join(folder, "ignored.db"),
      KONTOR_LOG_LEVEL: "info",
      KONTOR_BACKUP_KEEP: "03",
      KONTOR_NO_SENDING: "yes",
      KONTOR_PORT: "7",
      KONTOR_KEEP_EVENTS: "12h",
    },
  })
  await kontor.stop()
  const lines = kontor.output.stderr.split("\n").filter((line) => line.includes("has no effect"))
  // A variable with the same value in other words is none of them, and one that is no value at all is.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", message: overridden("KONTOR_DB", "db") },
    { level: "warn", message: overridden("KONTOR_PORT", "port") },
    { level: "warn", message: overridden("KONTOR_BACKUP_KEEP", "backup-keep") },
  ])
})

test("commands name it too", async () => {
  const { stderr } = await run(["users", "list", "--db", "missing.db"], { env: { KONTOR_DB: "other.db" } })
  expect(stderr).toContain(`Warning: ${overridden("KONTOR_DB", "db")}`)
  const same = await run(["users", "list", "--db", "missing.db"], { env: { KONTOR_DB: "missing.db" } })
  expect(same.stderr).not.toContain("Warning")
})
