import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { refusalOf, send, signIn } from "../support/api"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"

afterAll(cleanUp)

const linkOf = (stdout: string) => /Set up the first admin: (\S+)\/setup#token=(\S+)/.exec(stdout)
const person = { email: "owner@example.com", name: "Olga Owner", password: "long enough to do" }

test("an empty database prints a setup link that creates the first admin, once", async () => {
  const kontor = await serve({ env: {} })
  const [, address, token] = linkOf(kontor.output.stdout) ?? []
  expect(address).toBe(kontor.url)
  const setUp = (body: unknown) => send(`${kontor.url}/api/v1/setup`, { body })

  expect(refusalOf(await setUp({ ...person, token: "wrong" }))).toMatchObject({
    status: 401,
    code: "INVALID_TOKEN",
  })
  expect(refusalOf(await setUp(person))).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
  const faulty = await setUp({ token, email: "x", password: "short", role: "viewer", colour: 1 })
  const { fields, ...refusal } = refusalOf(faulty)
  expect(refusal).toEqual({ status: 422, code: "VALIDATION_ERROR" })
  expect(fields.toSorted()).toEqual(["colour", "email", "name", "password", "role"])

  const answer = await setUp({ token, ...person })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ expiresIn: 3600, user: { email: person.email, role: "admin" } })
  const use = await send(`${kontor.url}/api/v1/items`, {
    headers: { authorization: `Bearer ${answer.body.data.token}` },
  })
  expect(use.status).toBe(200)
  expect(refusalOf(await setUp({ token, ...person, email: "second@example.com" }))).toMatchObject({
    status: 404,
  })
  await signIn(kontor, person.email, person.password)

  await kontor.stop()
  const again = await serve({ cwd: kontor.cwd, env: {} })
  expect(linkOf(again.output.stdout)).toBeNull()
})

test("concurrent uses of the setup link create one admin", async () => {
  const kontor = await serve({ env: {} })
  const token = linkOf(kontor.output.stdout)?.[2]
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) =>
      send(`${kontor.url}/api/v1/setup`, { body: { token, ...person, email: `${name}@example.com` } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
})

test("the setup link is new at each start", async () => {
  const first = await serve({ env: {} })
  await first.stop()
  const second = await serve({ env: {}, cwd: first.cwd })
  expect(linkOf(second.output.stdout)?.[2]).not.toBe(linkOf(first.output.stdout)?.[2])
})

test("the setup link uses --public-url, also the one of kontor setup-link", async () => {
  const kontor = await serve({ env: {}, args: ["--public-url", "https://kontor.example"] })
  expect(linkOf(kontor.output.stdout)?.[1]).toBe("https://kontor.example")
  const { stdout } = await run(["setup-link", "--json"], { cwd: kontor.cwd })
  expect(JSON.parse(stdout).link).toMatch(/^https:\/\/kontor\.example\/setup#token=\S{43}$/)
})

describe("kontor setup-link", () => {
  const tokenOf = (link: string) => /#token=(\S+)/.exec(link)?.[1]

  test("prints a new link while the server runs; only this link works, and only once", async () => {
    const kontor = await serve({ env: {} })
    const setUp = (token?: unknown) =>
      send(`${kontor.url}/api/v1/setup`, { body: { ...person, ...(token === undefined ? {} : { token }) } })
    const first = await run(["setup-link"], { cwd: kontor.cwd })
    const second = await run(["setup-link", "--db", kontor.file])
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Earlier links no longer work."),
    })
    expect(second.stdout.startsWith(`${kontor.url}/setup#token=`)).toBeTrue()
    const earlier = [linkOf(kontor.output.stdout)?.[2], tokenOf(first.stdout)]
    for (const token of [...earlier, undefined, "", null, 1, "wrong"])
      expect(refusalOf(await setUp(token))).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
    const token = tokenOf(second.stdout)
    expect((await setUp(token)).status).toBe(200)
    expect((await setUp(token)).status).toBe(404)
    const late = await run(["setup-link"], { cwd: kontor.cwd })
    expect(late).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("already has an admin"),
    })
  })

  test("an old link does not work after the only admin was disabled", async () => {
    const kontor = await serve({ env: {} })
    const token = linkOf(kontor.output.stdout)?.[2]
    await kontor.stop()
    const admin = ["--email", "cli@example.com"]
    await run(["users", "create", ...admin, "--role", "admin"], { cwd: kontor.cwd })
    const again = await serve({ cwd: kontor.cwd, env: {} })
    const db = new Database(kontor.file)
    db.run("UPDATE users SET is_active = 0")
    db.close()
    const refused = await send(`${again.url}/api/v1/setup`, { body: { token, ...person } })
    expect(refusalOf(refused)).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
  })

  test("a link that is replaced while it is used creates nobody", async () => {
    const kontor = await serve({ env: {} })
    const token = linkOf(kontor.output.stdout)?.[2]
    const db = new Database(kontor.file)
    // The server still reads the old token, and its write waits until this one ends.
    db.run("BEGIN IMMEDIATE")
    db.run("UPDATE secrets SET value = 'another' WHERE name = 'setup-token'")
    const used = send(`${kontor.url}/api/v1/setup`, { body: { token, ...person } })
    await Bun.sleep(700)
    db.run("COMMIT")
    expect(refusalOf(await used)).toMatchObject({ status: 401, code: "INVALID_TOKEN" })
    expect(db.query("SELECT count(*) AS n FROM users").get()).toEqual({ n: 0 })
    db.close()
  })

  test("is refused where there is no database, or no server has used it yet", async () => {
    expect(await run(["setup-link"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no database at"),
    })
    const kontor = await serve({ env: {} })
    await kontor.stop()
    const db = new Database(kontor.file)
    db.run("DELETE FROM secrets")
    db.close()
    expect(await run(["setup-link"], { cwd: kontor.cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"kontor serve" prints a setup link.'),
    })
  })
})

test("the first admin can be set by environment variables, with an optional name", async () => {
  const env = { KONTOR_ADMIN_EMAIL: "boss@example.com", KONTOR_ADMIN_PASSWORD: "long enough to do" }
  const kontor = await serve({ env: { ...env, KONTOR_ADMIN_NAME: "The Boss" } })
  expect(linkOf(kontor.output.stdout)).toBeNull()
  const listed = await run(["users", "list", "--json"], { cwd: kontor.cwd })
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { email: "boss@example.com", name: "The Boss", role: "admin" },
  ])
  expect(kontor.output.stderr + kontor.output.stdout).not.toContain("long enough")
})

test("a first admin with a short password is refused with a message, and the server does not start", async () => {
  const env = { KONTOR_ADMIN_EMAIL: "boss@example.com", KONTOR_ADMIN_PASSWORD: "short" }
  const refused = await run(["serve", "--port", "0"], { env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain("password must have at least 10 characters")
  const half = await run(["serve", "--port", "0"], { env: { KONTOR_ADMIN_EMAIL: "boss@example.com" } })
  expect(half.code).toBe(2)
  expect(half.stderr).toContain("must be set together")
})

describe("the password of the first admin", () => {
  const email = "boss@example.com"
  const password = "long enough to do"
  const env = { KONTOR_ADMIN_EMAIL: email, KONTOR_ADMIN_PASSWORD: password }
  const fileWith = (text: string) => {
    const file = join(emptyFolder(), "password")
    writeFileSync(file, text)
    return file
  }
  const fromFile = (file: string) => ({ KONTOR_ADMIN_EMAIL: email, KONTOR_ADMIN_PASSWORD_FILE: file })

  describe.if(process.platform === "linux")("cannot be read from the running process", () => {
    const seen = ({ process: { pid } }: { process: { pid: number } }) =>
      readFileSync(`/proc/${pid}/environ`, "latin1")

    test("after the admin was created, nor at the next start", async () => {
      const first = await serve({ env })
      await signIn(first, email, password)
      expect(seen(first)).toContain(email)
      expect(seen(first)).not.toContain("long enough")
      await first.stop()
      const second = await serve({ env, cwd: first.cwd })
      expect(seen(second)).not.toContain("long enough")
      await signIn(second, email, password)
    })

    test("when it has characters of several bytes", async () => {
      const long = "pässwörter mit ünd öhne €uro"
      const kontor = await serve({ env: { ...env, KONTOR_ADMIN_PASSWORD: long } })
      expect(readFileSync(`/proc/${kontor.process.pid}/environ`, "utf8")).not.toMatch(/pässw|öhne|uro/)
      await signIn(kontor, email, long)
    })
  })

  test.each(["", "\n", "\r\n"])("can be in a file that ends with %j", async (end) => {
    const kontor = await serve({ env: fromFile(fileWith(password + end)) })
    await signIn(kontor, email, password)
  })

  test("in a file: only one line break at the end is removed", async () => {
    const kontor = await serve({ env: fromFile(fileWith(` ${password} \n\n`)) })
    await signIn(kontor, email, ` ${password} \n`)
  })

  test("in a file must follow the same rules", async () => {
    for (const text of ["", "\n", "short\n"]) {
      const refused = await run(["serve", "--port", "0"], { env: fromFile(fileWith(text)) })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 10 characters") })
    }
  })

  test("set twice, in an unreadable file, or without an email is wrong usage", async () => {
    const wrong = async (given: Record<string, string>, words: string) =>
      expect(await run(["serve", "--port", "0"], { env: given })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      })
    const file = fileWith(password)
    await wrong({ ...env, KONTOR_ADMIN_PASSWORD_FILE: file }, "set only one of them")
    await wrong(fromFile("/no/such/file"), "must name a file that can be read, not /no/such/file")
    await wrong(fromFile(emptyFolder()), "must name a file that can be read")
    await wrong({ KONTOR_ADMIN_PASSWORD_FILE: file }, "must be set together")
  })
})
