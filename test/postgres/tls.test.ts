import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { protectionOf } from "../../src/core/engine/postgres/driver/address"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
import { giveAway, isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"
import { refusingPostgres } from "../support/refusing-postgres"

/** An address that reaches this machine, but not one that belongs to it alone. */
const elsewhere = "0.0.0.0"
const hint = "unless the address has sslmode."

afterAll(cleanUp)

describe.skipIf(!isPostgresInstalled())("a server that refuses TLS", () => {
  let refusing: Awaited<ReturnType<typeof refusingPostgres>>

  beforeAll(async () => {
    refusing = await refusingPostgres()
  })
  afterAll(() => refusing.stop())

  test.each([
    ["by default", `postgres://kontor:clear-secret@${elsewhere}:PORT/shop`, {}],
    [
      "although a variable for other programs allows it",
      `postgres://kontor:clear-secret@${elsewhere}:PORT/shop`,
      { PGSSLMODE: "disable" },
    ],
    [
      "if a variable names the server",
      "postgres://kontor:clear-secret@:PORT/shop",
      { PGHOST: elsewhere, PGSSLMODE: "prefer" },
    ],
    [
      "if a variable names the address of a server with a name of this machine",
      "postgres://kontor:clear-secret@localhost:PORT/shop",
      { PGHOSTADDR: elsewhere },
    ],
    [
      "if only one of several servers is on this machine",
      `postgres://kontor:clear-secret@${elsewhere}:PORT,127.0.0.1:PORT/shop`,
      {},
    ],
  ])("gets no password %s", async (_, address, env) => {
    const db = address.replaceAll("PORT", String(refusing.port))
    const { code, stderr } = await run(["check", "--db", db], { env })
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([1, 1])
    expect(stderr).toContain("server does not support SSL, but SSL was required")
    expect(stderr).toContain(hint)
    expect(refusing.received()).not.toContain("secret")
    expect(refusing.received()).not.toContain("kontor")
  })

  test("gets the password only if the address allows that", async () => {
    const db = `postgres://kontor:clear-secret@${elsewhere}:${refusing.port}/shop?sslmode=disable`
    expect((await run(["check", "--db", db])).code).toBe(1)
    expect(refusing.received()).toContain("clear-secret")
  })
})

describe.skipIf(!isPostgresInstalled())("a server with a certificate", () => {
  let server: PostgresServer
  let folder: string
  const opened: PostgresDatabase[] = []

  beforeAll(async () => {
    folder = emptyFolder()
    openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca")
    openssl("req -newkey rsa:2048 -nodes -keyout db.key -out db.csr -subj /CN=db")
    writeFileSync(join(folder, "names"), `subjectAltName=IP:${elsewhere}`)
    openssl(
      "x509 -req -in db.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out db.pem -days 2 -extfile names",
    )
    for (const path of [folder, join(folder, "db.key"), join(folder, "db.pem")]) giveAway(path)
    const settings = [
      "ssl = on",
      `ssl_cert_file = '${join(folder, "db.pem")}'`,
      `ssl_key_file = '${join(folder, "db.key")}'`,
    ]
    server = await postgres({ settings })
    server.createDatabase("shop")
  })
  afterAll(() => {
    for (const db of opened) db.close()
    server?.stop()
  })

  function openssl(line: string): void {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...line.split(" ")], { cwd: folder })
    expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""])
  }

  const open = (place: string, query: string): PostgresDatabase => {
    const db = new PostgresDatabase(`postgres://kontor@${place}:${server.port}/shop?${query}`)
    opened.push(db)
    return db
  }
  const isEncrypted = (db: PostgresDatabase) =>
    db.query("SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()").values().flat()[0] === "true"

  test("is refused if the system does not trust the authority of the certificate", () => {
    expect(() => open(elsewhere, "")).toThrow("certificate verify failed")
    expect(() => open(elsewhere, "")).toThrow(hint)
    expect(() => open(elsewhere, "sslrootcert=system")).toThrow("certificate verify failed")
    expect(() => open(elsewhere, "sslmode=verify-full")).toThrow("certificate verify failed")
  })

  test("is accepted if the address names the authority, and the connection is encrypted", () => {
    const db = open(elsewhere, `sslrootcert=${join(folder, "ca.pem")}`)
    expect(isEncrypted(db)).toBe(true)
    expect(db.weakness).toBeNull()
  })

  test("is refused if its certificate is for another name", () => {
    const query = `hostaddr=${elsewhere}&sslrootcert=${join(folder, "ca.pem")}`
    expect(() => open("db.example", query)).toThrow('does not match host name "db.example"')
    expect(open("db.example", `${query}&sslmode=verify-ca`).weakness).toContain("name in the certificate")
  })

  test("on this machine needs no certificate, over TCP and over a socket", () => {
    for (const place of ["127.0.0.1", "localhost"]) expect(open(place, "").weakness).toBeNull()
    const db = new PostgresDatabase(server.url("shop"))
    opened.push(db)
    expect(isEncrypted(db)).toBe(false)
    expect(db.weakness).toBeNull()
  })

  test("is used with a weaker mode only if the address names it, and the log says so once", async () => {
    const db = `postgres://kontor:hidden@${elsewhere}:${server.port}/shop?sslmode=require`
    const kontor = await serve({ args: ["--db", db] })
    await kontor.stop()
    const warnings = kontor.output.stderr.split("\n").filter((line) => line.includes('"level":"warn"'))
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      {
        message:
          "The connection to the database is weaker than with sslmode=verify-full. The certificate of the server is not verified, so another server could take its place.",
        db: `postgres://kontor@${elsewhere}:${server.port}/shop`,
      },
    ])
    const safe = await serve({ args: ["--db", server.url("shop")] })
    await safe.stop()
    expect(safe.output.stderr).not.toContain('"level":"warn"')
  })
})

describe("what an address says about TLS", () => {
  type Around = { around?: Record<string, string>; libpqVersion?: number; hasOwnRoots?: boolean }
  const of = (
    named: Record<string, string>,
    { around = {}, libpqVersion = 170_000, hasOwnRoots = false }: Around = {},
  ) => protectionOf({ named, around, libpqVersion, hasOwnRoots })

  test("with a current libpq, the certificates of the system are trusted", () => {
    expect(of({ host: "db.example" })).toEqual({
      options: { sslmode: "verify-full", sslrootcert: "system" },
      isDefault: true,
      weakness: null,
    })
  })

  test("an older libpq gets the file with these certificates", () => {
    const more: Record<string, string>[] = [{}, { sslrootcert: "system" }]
    for (const named of more)
      expect(of({ host: "db.example", ...named }, { libpqVersion: 150_000 }).options).toEqual({
        sslmode: "verify-full",
        sslrootcert: expect.stringMatching(/^\/etc\/.*\.(crt|pem)$/),
      })
  })

  test("certificates that are named are respected", () => {
    expect(of({ host: "db.example", sslrootcert: "/ca.pem" }).options).toEqual({ sslmode: "verify-full" })
    expect(of({ host: "db.example" }, { around: { sslrootcert: "/ca.pem" } }).options).toEqual({
      sslmode: "verify-full",
    })
    expect(of({ host: "db.example" }, { hasOwnRoots: true }).options).toEqual({ sslmode: "verify-full" })
    expect(() => of({ host: "db.example", sslrootcert: "system", sslmode: "require" })).toThrow(
      "sslrootcert=system needs sslmode=verify-full",
    )
  })

  test.each([
    [{}, {}],
    [{ host: "/run/postgresql" }, { hostaddr: "" }],
    [{ host: "127.0.0.2,localhost,::1" }, {}],
    [{ host: "db.example", hostaddr: "127.0.0.1" }, {}],
  ])("%o is on this machine", (named, around) => {
    expect(of(named, { around }).options).toEqual({})
  })

  test.each([
    [{ host: "127.db.example" }, {}],
    [{ host: "localhost.example" }, {}],
    [{ host: "localhost,db.example" }, {}],
    [{ host: "localhost", hostaddr: "10.0.0.1" }, {}],
    [{ host: "localhost" }, { hostaddr: "10.0.0.1" }],
    [{ service: "shop" }, {}],
    [{ service: "shop", host: "localhost" }, {}],
    [{}, { host: "db.example" }],
  ])("%o is elsewhere with %o around it", (named, around) => {
    expect(of(named, { around })).toMatchObject({ options: { sslmode: "verify-full" }, isDefault: true })
  })

  test.each(["disable", "allow", "prefer", "require", "verify-ca"])("sslmode=%s is a weakness", (sslmode) => {
    expect(of({ host: "db.example", sslmode })).toMatchObject({
      options: { sslmode },
      isDefault: false,
      weakness: expect.stringMatching(/^The .*\.$/),
    })
    expect(of({ host: "localhost", sslmode }).weakness).toBeNull()
  })
})
