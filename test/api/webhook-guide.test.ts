import { afterAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { signIn } from "../support/api"
import { cleanUp, emptyFolder, serve } from "../support/kontor"
import { allowLoopback, itemOf, webhookOf } from "../support/receiver"
import { until } from "../support/until"

afterAll(cleanUp)

const page = readFileSync(join(import.meta.dir, "../../docs/guide/webhooks.md"), "utf8")
const [, source = ""] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []

/** Returns a port where nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === "object" ? (address?.port ?? 0) : 0
}

test("the receiver in the guide has at most 30 lines, prints each event once, and refuses a wrong signature", async () => {
  expect(source.trim().split("\n").length).toBeLessThanOrEqual(30)
  const admin = await signIn(await serve({ args: allowLoopback }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const webhook = await webhookOf(admin, url, { types: ["items.created"] })
  const file = join(emptyFolder(), "receiver.mjs")
  writeFileSync(file, source)
  const env = { SECRET: webhook.secret, PORT: String(port) }
  const child = Bun.spawn([Bun.which("node") ?? process.execPath, file], {
    env,
    stdout: "pipe",
    stderr: "inherit",
  })
  try {
    await until(() =>
      fetch(url, { method: "POST", body: "{}" }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    )
    const item = await itemOf(admin, "GUIDE")
    const deliveries = async () => (await admin.get(`/webhooks/${webhook.id}/deliveries`)).body.data
    await until(async () => (await deliveries())[0]?.status === "succeeded")
    const [{ id }] = await deliveries()
    const again = await admin.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
    expect(again.body.data).toMatchObject({ status: "succeeded", responseStatus: 204, attempts: 2 })
    const other = await webhookOf(admin, url)
    expect((await admin.post(`/webhooks/${other.id}/test`)).body.data).toMatchObject({ responseStatus: 401 })
    child.kill()
    expect(await new Response(child.stdout).text()).toBe(`items.created ${item.id}\n`)
  } finally {
    child.kill()
  }
})
