import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { latestVersion } from "../../src/core/engine/schema/migrate"
import { commitIn } from "../../src/version"
import { signIn } from "../support/api"
import { codesOf } from "../support/authenticator"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve()
})
afterAll(cleanUp)

const kontorUsers = (args: string[], stdin = "") => run(["users", ...args], { cwd: kontor.cwd, stdin })

describe("help", () => {
  test.each([[[]], [["help"]], [["--help"]]])("%p lists every command on stdout", async (args: string[]) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stderr]).toEqual([0, ""])
    for (const command of ["serve", "migrate", "users", "events", "openapi", "client", "version", "help"])
      expect(stdout).toContain(`kontor ${command}`)
  })

  test.each(["serve", "migrate", "users", "events", "openapi", "client", "version", "help"])(
    "%s --help has an example",
    async (command) => {
      const { code, stdout } = await run([command, "--help"])
      expect(code).toBe(0)
      expect(stdout).toMatch(/Usage: kontor [\s\S]*Examples:\n {2}\S/)
      expect((await run(["help", command])).stdout).toBe(stdout)
      expect((await run(["--help", command])).stdout).toBe(stdout)
    },
  )

  test("defaults are shown as a person writes them", async () => {
    const { stdout } = await run(["serve", "--help"])
    expect(stdout).toContain("(KONTOR_BACKUP_EVERY, default 24h)")
    expect(stdout).not.toMatch(/default \d{5,}/)
  })

  test.each([
    ["an unknown command", ["bogus"]],
    ["an unknown option", ["serve", "--bogus"]],
    ["an invalid port", ["serve", "--port", "abc"]],
    ["an invalid proxy", ["serve", "--trusted-proxies", "10.0.0.0/33"]],
    ["an origin with a path", ["serve", "--cors-origins", "https://a.example/x"]],
    ["a public URL with a path", ["serve", "--public-url", "https://a.example/x"]],
    ["an invalid log level", ["serve", "--log-level", "loud"]],
    ["a host with a port", ["serve", "--allowed-hosts", "a.example:80"]],
    ["an unknown plan", ["serve", "--plans", "gold=1:1"]],
    ["a plan without requests", ["serve", "--plans", "pro=0:1"]],
    ["an extra argument", ["migrate", "foo.db"]],
    ["an extra argument for help", ["help", "serve", "foo"]],
    ["an option that an action does not take", ["users", "list", "--role", "viewer"]],
    ["users without an action", ["users"]],
    ["users with an unknown action", ["users", "delete"]],
    ["users create without an email", ["users", "create", "--role", "sales"]],
  ])("%s is wrong usage: exit code 2, a sentence on stderr, nothing on stdout", async (_, args) => {
    const { code, stdout, stderr } = await run(args, { cwd: kontor.cwd })
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^["A-Z-].+\.\n$/)
  })

  test.each([
    ["an unknown option", ["users", "list", "--bogus"], "There is no option --bogus."],
    ["an unknown option with a value", ["users", "list", "--bogus=1"], "There is no option --bogus."],
    ["an unknown short option", ["users", "list", "-j"], "There is no option -j."],
    ["an option name after a single hyphen", ["users", "list", "-json"], "There is no option -json."],
    ["a missing value", ["users", "list", "--db"], "--db needs a value."],
    [
      "an option where a value should be",
      ["users", "list", "--db", "--json"],
      "--db needs a value. If it begins with a hyphen, write --db=--json.",
    ],
    ["a value for a switch", ["users", "list", "--json=yes"], "--json takes no value."],
  ])("%s is reported in a sentence that names it", async (_, args, sentence) => {
    expect(await run(args, { cwd: kontor.cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: `${sentence} See "kontor users --help".\n`,
    })
  })
})

test("a value follows its option or an equals sign, and may then begin with a hyphen", async () => {
  const cwd = emptyFolder()
  expect(await run(["migrate", "--db=-a=b.db"], { cwd })).toMatchObject({ code: 0 })
  expect(await run(["migrate", "--status", "--db", "./-a=b.db"], { cwd })).toMatchObject({ code: 0 })
  expect(statSync(join(cwd, "-a=b.db")).size).toBeGreaterThan(0)
})

test("after two hyphens all arguments are positional", async () => {
  expect((await run(["help", "--", "serve"])).stdout).toBe((await run(["serve", "--help"])).stdout)
  expect(await run(["help", "--", "--help"])).toMatchObject({ code: 2, stdout: "" })
  expect(await run(["help", "--", "--json"])).toMatchObject({ code: 2, stdout: "" })
})

test("the last of two values is used", async () => {
  const cwd = emptyFolder()
  expect(await run(["migrate", "--db", "a.db", "--db", "b.db"], { cwd })).toMatchObject({ code: 0 })
  expect(await Bun.file(join(cwd, "a.db")).exists()).toBe(false)
  expect(await Bun.file(join(cwd, "b.db")).exists()).toBe(true)
})

test("an invalid environment variable of another command is ignored", async () => {
  expect(await run(["version"], { env: { KONTOR_PORT: "abc", KONTOR_TLS_CERT: "x" } })).toMatchObject({
    code: 0,
  })
})

test("version prints the version of package.json, the commit, and the version of the database", async () => {
  const { version } = await Bun.file(`${import.meta.dir}/../../package.json`).json()
  const described = Bun.spawnSync(["git", "-C", import.meta.dir, "rev-parse", "--short=12", "HEAD"])
  const commit = described.exitCode === 0 ? described.stdout.toString().trim() : "unknown"
  const { code, stdout, stderr } = await run(["version"])
  // A binary may have been built before the last commit of a clone that is worked in.
  const shown = process.env.KONTOR_BINARY ? "[0-9a-f]{12}|unknown" : commit
  expect([code, stderr]).toEqual([0, ""])
  expect(stdout).toMatch(
    new RegExp(`^${version} \\(commit (?:${shown})(?:-changed)?, schema ${latestVersion}\\)\n$`),
  )
  expect(JSON.parse((await run(["version", "--json"])).stdout)).toEqual({
    version,
    commit: stdout.slice(stdout.indexOf("commit ") + 7, stdout.indexOf(",")),
    schema: latestVersion,
  })
})

test("the commit of source without git is unknown", async () => {
  expect(commitIn(emptyFolder())).toBe("unknown")
})

describe("users", () => {
  test("create generates a password when none is given, and prints it once, separate from the result", async () => {
    const { code, stdout, stderr } = await kontorUsers([
      "create",
      "--email",
      "new@example.com",
      "--role",
      "sales",
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^usr_\w{26} {2}new@example\.com {2}sales {2}active\n$/)
    const password = /shown only here\): (\S+)/.exec(stderr)?.[1] ?? ""
    await signIn(kontor, "new@example.com", password)
  })

  test("create --json prints the record", async () => {
    const { stdout } = await kontorUsers(
      [
        "create",
        "--email",
        "j@example.com",
        "--name",
        "Jay",
        "--role",
        "viewer",
        "--password-stdin",
        "--json",
      ],
      "a fine password\n",
    )
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: "j@example.com",
      name: "Jay",
      role: "viewer",
      plan: null,
      isActive: true,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test.each([
    ["an invalid role", ["--email", "x@example.com", "--role", "boss"], "role must be one of"],
    ["an invalid email", ["--email", "x", "--role", "sales"], "email must be an email address"],
    [
      "an email that exists in another case",
      ["--email", "ADMIN@example.com", "--role", "sales"],
      "already used",
    ],
  ])("create refuses %s: exit code 1 and the field", async (_, args, words) => {
    const { code, stdout, stderr } = await kontorUsers(["create", ...args])
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(words)
  })

  test("set-password reads the password from standard input, and the old one no longer works", async () => {
    await kontorUsers(
      ["create", "--email", "pw@example.com", "--role", "sales", "--password-stdin"],
      "the old password",
    )
    const before = await signIn(kontor, "pw@example.com", "the old password")
    const changed = await kontorUsers(
      ["set-password", "--email", "pw@example.com", "--password-stdin"],
      "the new password\n",
    )
    expect(changed.code).toBe(0)
    expect((await before.get("/items")).status).toBe(401)
    await signIn(kontor, "pw@example.com", "the new password")
    const short = await kontorUsers(
      ["set-password", "--email", "pw@example.com", "--password-stdin"],
      "short\n",
    )
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 10 characters") })
  })

  test("reset-factors removes the second factors of a user who has lost them, and signs the user out", async () => {
    const [email, password] = ["lost@example.com", "the old password"]
    await kontorUsers(["create", "--email", email, "--role", "sales", "--password-stdin"], password)
    const before = await signIn(kontor, email, password)
    const body = { type: "totp", name: "Phone", currentPassword: password }
    const { id, secret } = (await before.post("/auth/factors", body)).body.data
    await before.post(`/auth/factors/${id}/confirm`, { code: codesOf(secret)() })
    const reset = await kontorUsers(["reset-factors", "--email", email])
    expect(reset).toMatchObject({ code: 0, stderr: expect.stringContaining("Removed second factors: 1.") })
    expect((await before.get("/items")).status).toBe(401)
    await signIn(kontor, email, password)
  })

  test("the last active admin can be neither demoted nor disabled", async () => {
    const demoted = await kontorUsers(["set-role", "--email", "admin@example.com", "--role", "sales"])
    expect(demoted).toMatchObject({ code: 1, stderr: expect.stringContaining("last active admin") })
    const disabled = await kontorUsers(["disable", "--email", "admin@example.com"])
    expect(disabled).toMatchObject({ code: 1, stderr: expect.stringContaining("last active admin") })
  })

  test("list shows all users, as a table or as JSON", async () => {
    const { stdout } = await kontorUsers(["list"])
    expect(stdout).toMatch(/^ID +EMAIL +NAME +ROLE +STATE\n/)
    expect(JSON.parse((await kontorUsers(["list", "--json"])).stdout).length).toBe(
      stdout.trim().split("\n").length - 1,
    )
  })

  test("an unknown user and a missing file are refused with a message", async () => {
    expect(await kontorUsers(["disable", "--email", "no@example.com"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not the email of a user"),
    })
    expect(await run(["users", "list"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no database"),
    })
  })
})

describe("migrate", () => {
  test("creates the database, prints its version, and has nothing to do the second time", async () => {
    const cwd = emptyFolder()
    expect(await run(["migrate", "--status"], { cwd })).toMatchObject({
      code: 1,
      stderr: "There is no database at ./kontor.db.\n",
    })
    expect(await run(["migrate"], { cwd })).toMatchObject({
      code: 0,
      stdout: `./kontor.db was upgraded from version 0 to ${latestVersion}.\n`,
    })
    expect(statSync(join(cwd, "kontor.db")).mode & 0o777).toBe(0o600)
    expect(await run(["migrate"], { cwd })).toMatchObject({
      code: 0,
      stdout: `./kontor.db is up to date at version ${latestVersion}.\n`,
    })
    const status = await run(["migrate", "--status", "--json"], { cwd })
    expect(JSON.parse(status.stdout)).toEqual({
      file: "./kontor.db",
      version: latestVersion,
      latest: latestVersion,
    })
  })

  test("migrate and serve refuse a newer file and name both versions", async () => {
    const cwd = emptyFolder()
    await run(["migrate"], { cwd })
    const db = new Database(join(cwd, "kontor.db"))
    db.run("PRAGMA user_version = 99")
    db.close()
    for (const command of [["migrate"], ["serve", "--port", "0"]]) {
      const refused = await run(command, { cwd })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(`at version 99; this Kontor supports up to version ${latestVersion}`)
    }
  })

  test("--status and refused commands do not change a file of another program", async () => {
    const cwd = emptyFolder()
    const file = join(cwd, "foreign.db")
    const db = new Database(file)
    db.run("CREATE TABLE notes (x)")
    db.close()
    chmodSync(file, 0o644)
    const before = readFileSync(file)
    for (const command of [
      ["migrate", "--status"],
      ["migrate"],
      ["users", "list"],
      ["serve", "--port", "0"],
    ]) {
      expect(await run([...command, "--db", file])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("another program"),
      })
      expect(readFileSync(file).equals(before)).toBeTrue()
      expect(statSync(file).mode & 0o777).toBe(0o644)
    }
  })

  test("is refused while a server uses the file, but --status works", async () => {
    expect(await run(["migrate"], { cwd: kontor.cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another Kontor process is using"),
    })
    expect(await run(["migrate", "--status"], { cwd: kontor.cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`at version ${latestVersion}`),
    })
  })
})
