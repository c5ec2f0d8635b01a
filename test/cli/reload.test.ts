import { afterAll, expect, test } from "bun:test"
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect, type TLSSocket } from "node:tls"
import { send, signIn } from "../support/api"
import { selfSigned } from "../support/certificate"
import { openStream } from "../support/events"
import { cleanUp, emptyFolder, program, run, serve, type Kontor } from "../support/kontor"
import { until } from "../support/until"

afterAll(cleanUp)

/** Opens a connection and waits until it is secure. */
const open = ({ url }: Kontor): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () =>
      resolve(socket),
    )
    socket.on("error", reject)
  })

/** The name in the certificate that a new connection gets. */
async function served(kontor: Kontor): Promise<string> {
  const socket = await open(kontor)
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return String(CN)
}

/** Sends a request on a connection, and returns the first line of the response. */
function ask(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("data", (bytes) => resolve(bytes.toString().split("\r\n")[0] ?? ""))
    socket.once("close", () => reject(new Error("The connection was closed.")))
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
  })
}

test("SIGHUP reloads the certificate, and open connections and streams go on", async () => {
  const folder = emptyFolder()
  const pairs = ["first", "second", "third"].map((name) => selfSigned(folder, name))
  const [cert, key] = [join(folder, "live.crt"), join(folder, "live.key")]
  const use = (pair = pairs[0]) => {
    copyFileSync(pair?.cert ?? "", cert)
    copyFileSync(pair?.key ?? "", key)
  }
  use()
  const kontor = await serve({ args: ["--tls-cert", cert, "--tls-key", key] })
  const api = await signIn(kontor)
  const reload = async (message: string) => {
    const before = kontor.output.stderr.split(message).length
    kontor.process.kill("SIGHUP")
    await until(() => kontor.output.stderr.split(message).length > before)
  }
  const stream = await openStream(api, kontor.url)
  const [idle, unused] = [await open(kontor), await open(kontor)]
  expect(await ask(idle)).toBe("HTTP/1.1 200 OK")
  expect(await served(kontor)).toBe("first")

  use(pairs[1])
  await reload("The TLS certificate was reloaded.")
  expect(await served(kontor)).toBe("second")
  expect(await run(["serve", "--port", new URL(kontor.url).port])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the port is in use"),
  })
  // These were opened with the certificate before.
  expect([await ask(idle), await ask(unused)]).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"])
  const { id } = await api.create("/items", { itemCode: "A", itemName: "A" })
  expect((await stream.take(1)).map(({ recordId }) => recordId)).toEqual([id])

  // A certificate that cannot be read, one with another key, and a chain that is damaged.
  writeFileSync(cert, "-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n")
  await reload("The TLS certificate could not be reloaded. The one before is still used.")
  expect(kontor.output.stderr).toContain("cannot be read as a certificate and a private key in PEM")
  copyFileSync(pairs[2]?.cert ?? "", cert)
  await reload("The TLS certificate could not be reloaded.")
  expect(kontor.output.stderr).toContain("does not match the certificate")
  use(pairs[2])
  appendFileSync(cert, "-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n")
  await reload("The TLS certificate could not be reloaded.")
  expect(await served(kontor)).toBe("second")

  use(pairs[2])
  await reload("The TLS certificate was reloaded.")
  await reload("The TLS certificate has not changed.")
  expect(await served(kontor)).toBe("third")
  const metrics = await send(`${kontor.url}/metrics`)
  const expiry = Number(/^kontor_tls_certificate_expiry_timestamp_seconds (\d+)$/m.exec(metrics.text)?.[1])
  const validUntil = [...kontor.output.stderr.matchAll(/"validUntil":"([^"]+)"/g)].at(-1)?.[1]
  expect(new Date(expiry * 1_000).toISOString()).toBe(validUntil ?? "")
  expect([await ask(idle), await ask(unused)]).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"])
  await api.create("/items", { itemCode: "B", itemName: "B" })
  expect(await stream.take(1)).toHaveLength(1)
  // The stop also closes the connections of the certificates before.
  expect(await kontor.stop()).toBe(0)
})

test("SIGHUP without a certificate changes nothing", async () => {
  const kontor = await serve()
  kontor.process.kill("SIGHUP")
  await until(() => kontor.output.stderr.includes("There is nothing to reload"))
  expect((await send(`${kontor.url}/health`)).status).toBe(200)
  expect(await kontor.stop()).toBe(0)
})

test.skipIf(Bun.which("script") === null)(
  "a server ends with the terminal that it was started in",
  async () => {
    const cwd = emptyFolder()
    const command = [...program, "serve", "--port", "0"].map((word) => `'${word}'`).join(" ")
    const terminal = Bun.spawn(["script", "--quiet", "--command", `exec ${command} 2>log`, "/dev/null"], {
      cwd,
      env: { PATH: process.env.PATH ?? "" },
      stdin: "pipe",
      stdout: "ignore",
    })
    const log = join(cwd, "log")
    const said = (text: string) => existsSync(log) && readFileSync(log, "utf8").includes(text)
    await until(() => said('"message":"Started."'))
    terminal.kill("SIGKILL")
    await until(() => said('"message":"Stopped."'))
  },
)
