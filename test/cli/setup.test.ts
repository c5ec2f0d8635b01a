import { afterAll, expect, test } from "bun:test"
import { refusalOf, send, signIn } from "../support/api"
import { cleanUp, run, serve } from "../support/kontor"

afterAll(cleanUp)

const linkOf = (stdout: string) => /Set up the first admin: (\S+)\/setup#token=(\S+)/.exec(stdout)
const person = { email: "owner@example.com", name: "Olga Owner", password: "long enough to do" }

test("an empty database prints a set-up link that makes the first admin, once", async () => {
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
  expect(refusalOf(faulty)).toEqual({
    status: 422,
    code: "VALIDATION_ERROR",
    fields: ["password", "role", "colour", "email", "name"],
  })

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

test("two who hold the link at once make one admin", async () => {
  const kontor = await serve({ env: {} })
  const token = linkOf(kontor.output.stdout)?.[2]
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) =>
      send(`${kontor.url}/api/v1/setup`, { body: { token, ...person, email: `${name}@example.com` } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
})

test("the link is new at each start", async () => {
  const first = await serve({ env: {} })
  await first.stop()
  const second = await serve({ env: {}, cwd: first.cwd })
  expect(linkOf(second.output.stdout)?.[2]).not.toBe(linkOf(first.output.stdout)?.[2])
})

test("the link follows --public-url", async () => {
  const kontor = await serve({ env: {}, args: ["--public-url", "https://kontor.example"] })
  expect(linkOf(kontor.output.stdout)?.[1]).toBe("https://kontor.example")
})

test("the first admin may come from the environment, named after the address or as told", async () => {
  const env = { KONTOR_ADMIN_EMAIL: "boss@example.com", KONTOR_ADMIN_PASSWORD: "long enough to do" }
  const kontor = await serve({ env: { ...env, KONTOR_ADMIN_NAME: "The Boss" } })
  expect(linkOf(kontor.output.stdout)).toBeNull()
  const listed = await run(["users", "list", "--json"], { cwd: kontor.cwd })
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { email: "boss@example.com", name: "The Boss", role: "admin" },
  ])
  expect(kontor.output.stderr + kontor.output.stdout).not.toContain("long enough")
})

test("a first admin with a poor password is refused in words, and nothing listens", async () => {
  const env = { KONTOR_ADMIN_EMAIL: "boss@example.com", KONTOR_ADMIN_PASSWORD: "short" }
  const refused = await run(["serve", "--port", "0"], { env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain("password must have at least 10 characters")
  const half = await run(["serve", "--port", "0"], { env: { KONTOR_ADMIN_EMAIL: "boss@example.com" } })
  expect(half.code).toBe(2)
  expect(half.stderr).toContain("go together")
})
