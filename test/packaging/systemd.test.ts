import { afterAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { whyNoRoot } from "../../scripts/packaging/root"
import { bootWith, systemdPath, unitFile } from "../../scripts/packaging/systemd"
import { signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, emptyFolder } from "../support/kontor"
import { freePort, untilReady } from "../support/packaging"
import { until } from "../support/until"

afterAll(cleanUp)

const binary = process.env.KONTOR_BINARY
const hasAnalyze = Bun.which("systemd-analyze") !== null
if (!hasAnalyze) console.log("The check of the systemd unit is left out: systemd is not installed.")

test.if(hasAnalyze)("systemd-analyze accepts the unit, and rates its restrictions as good", () => {
  const unit = join(emptyFolder(), "kontor@shop.service")
  // The check wants the program to exist.
  writeFileSync(unit, readFileSync(unitFile, "utf8").replace("/usr/local/bin/kontor", "/bin/true"))
  const verify = Bun.spawnSync(["systemd-analyze", "verify", unit], { stdout: "pipe", stderr: "pipe" })
  expect([verify.exitCode, verify.stderr.toString()]).toEqual([0, ""])
  const rated = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--no-pager", unit])
  const score = /exposure level for .*?: (\d+\.\d)/.exec(rated.stdout.toString())?.[1]
  console.log(`systemd rates the exposure of the service with ${score} of 10.`)
  expect(Number(score)).toBeLessThanOrEqual(1.5)
})

const reason =
  systemdPath() === null ? "systemd is not installed" : binary ? await whyNoRoot() : "there is no binary"
if (reason) console.log(`The start under systemd is left out: ${reason}.`)

test.if(reason === null)("under systemd the service starts as its own user, works, and stops", async () => {
  const port = freePort()
  const root = await bootWith(binary ?? "", {
    KONTOR_PORT: port,
    // In place of the file that the unit names.
    KONTOR_DB: "/var/lib/kontor/shop/books.db",
    KONTOR_ADMIN_EMAIL: adminEmail,
    KONTOR_ADMIN_PASSWORD: adminPassword,
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await untilReady(url)
    const api = await signIn({ url })
    expect((await api.post("/items", { itemCode: "A", itemName: "Desk" })).status).toBe(201)
    // These run on threads that set their own priority, which the filter of system calls must allow.
    expect((await api.get("/items/export?format=xlsx")).status).toBe(200)
    expect((await api.post("/backups", {})).status).toBe(200)

    expect(root.run(["systemctl", "reload", "kontor@shop"]).code).toBe(0)
    await until(() => root.run(["cat", "/run/kontor.log"]).output.includes("There is nothing to reload"))

    const { output: pid } = root.run(["systemctl", "show", "--property=MainPID", "--value", "kontor@shop"])
    const status = root.run(["cat", `/proc/${pid.trim()}/status`]).output
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(root.run(["id", "--user", "kontor-shop"]).output.trim())
    expect(status).toContain("NoNewPrivs:\t1")
    expect(status).toContain("CapBnd:\t0000000000000000")
    expect(status).toContain("Seccomp:\t2")
    expect(
      root.run(["stat", "--format=%a %U", "/var/lib/kontor/shop", "/var/lib/kontor/shop/books.db"]).output,
    ).toBe("700 kontor-shop\n600 kontor-shop\n")

    const unit = root.run(["systemctl", "show", "--property=Environment", "--value", "kontor@shop"]).output
    expect(unit.trim()).toBe("KONTOR_DB=/var/lib/kontor/shop/kontor.db")
    expect(root.run(["cat", "/run/kontor.log"]).output).not.toContain("has no effect")

    expect(root.run(["systemctl", "stop", "kontor@shop"]).code).toBe(0)
    const ended = root.run(["systemctl", "show", "--property=Result,ExecMainStatus", "kontor@shop"]).output
    expect(ended.trim().split("\n").toSorted()).toEqual(["ExecMainStatus=0", "Result=success"])
    expect(root.run(["cat", "/run/kontor.log"]).output).toContain('"message":"Stopped."')
  } finally {
    await root.end()
  }
})
