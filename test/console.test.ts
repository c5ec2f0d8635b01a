import { afterAll, beforeAll, expect, test } from "bun:test"
import { send } from "./support/api"
import { cleanUp, serve, type Kontor } from "./support/kontor"

let kontor: Kontor
beforeAll(async () => {
  kontor = await serve({ env: {} })
})
afterAll(cleanUp)

test.each([
  ["/setup", "text/html"],
  ["/setup.js", "text/javascript"],
  ["/setup.css", "text/css"],
])("%s is there with a strict policy", async (path, type) => {
  const answer = await send(kontor.url + path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get("content-type")).toStartWith(type)
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
})

test("the set-up page has no script or style of its own and loads nothing from elsewhere", async () => {
  const { text } = await send(`${kontor.url}/setup`)
  expect(text).not.toMatch(/<script>|<style|style=|onclick|https?:\/\//)
})
