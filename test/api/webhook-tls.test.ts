import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { adminEmail, adminPassword, cleanUp, emptyFolder, serve } from "../support/kontor"
import { allowLoopback, receiver, stopReceivers, webhookOf } from "../support/receiver"

afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

let folder: string
beforeAll(() => {
  folder = emptyFolder()
  openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca")
})

function openssl(line: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...line.split(" ")], { cwd: folder })
  expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""])
}

/** A receiver whose certificate is for these names. */
function secureReceiver(name: string, names: string) {
  writeFileSync(join(folder, "names"), `subjectAltName=${names}`)
  openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
  openssl(
    `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out ${name}.pem -days 2 -extfile names`,
  )
  const [key, cert] = ["key", "pem"].map((type) => readFileSync(join(folder, `${name}.${type}`), "utf8"))
  return receiver(undefined, { tls: { key: key ?? "", cert: cert ?? "" } })
}

test("a certificate must be valid for the host of the URL, and trusted", async () => {
  const env = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }
  const right = secureReceiver("right", "IP:127.0.0.1,DNS:localhost")
  const wrong = secureReceiver("wrong", "DNS:shop.example")
  const admin = await signIn(await serve({ args: allowLoopback, env: trusting }))
  const tested = async (api: typeof admin, url: string) => {
    const { id } = await webhookOf(api, url)
    return (await api.post(`/webhooks/${id}/test`)).body.data
  }
  expect(await tested(admin, `https://127.0.0.1:${right.port}/`)).toMatchObject({ responseStatus: 200 })
  expect(await tested(admin, `https://localhost:${right.port}/`)).toMatchObject({ responseStatus: 200 })
  expect(right.hits[1]?.headers.get("host")).toBe(`localhost:${right.port}`)
  for (const host of ["127.0.0.1", "localhost"])
    expect(await tested(admin, `https://${host}:${wrong.port}/`)).toMatchObject({
      responseStatus: null,
      error: "The certificate of the receiver is for another name.",
    })
  const strict = await signIn(
    await serve({ args: allowLoopback, env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: "0" } }),
  )
  expect(await tested(strict, `https://127.0.0.1:${right.port}/`)).toMatchObject({
    responseStatus: null,
    error: expect.stringContaining("VERIFY"),
    errorCode: "CERTIFICATE_UNTRUSTED",
  })
  expect([right.hits.length, wrong.hits.length]).toEqual([2, 0])
})
