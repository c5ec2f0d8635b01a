import { afterAll, expect, test } from "bun:test"
import { cleanUp, run, serve } from "../support/kontor"

afterAll(cleanUp)

test("kontor ready succeeds while the server can read and write, and fails after it has stopped", async () => {
  const kontor = await serve()
  const { port } = new URL(kontor.url)
  const url = `http://127.0.0.1:${port}`
  expect(await run(["ready", "--port", port])).toEqual({
    code: 0,
    stdout: `The server at ${url} is ready.\n`,
    stderr: "",
  })
  await kontor.stop()
  expect(await run(["ready", "--port", port])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`No server responds at ${url}/ready: `),
  })
})

test("kontor ready takes the address of the server from the environment, and uses no proxy", async () => {
  const kontor = await serve({ args: ["--host", "0.0.0.0"] })
  const { port } = new URL(kontor.url)
  const env = {
    KONTOR_HOST: "0.0.0.0",
    KONTOR_PORT: port,
    http_proxy: "http://127.0.0.1:9",
    HTTP_PROXY: "http://127.0.0.1:9",
  }
  expect(await run(["ready"], { env })).toMatchObject({
    code: 0,
    stdout: `The server at http://127.0.0.1:${port} is ready.\n`,
  })
})

test("kontor ready fails when something else responds", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status: 503 }) })
  const port = String(other.port)
  const result = await run(["ready", "--port", port])
  await other.stop(true)
  expect(result).toMatchObject({
    code: 1,
    stderr: `The server at http://127.0.0.1:${port} is not ready: it responds with 503.\n`,
  })
})
