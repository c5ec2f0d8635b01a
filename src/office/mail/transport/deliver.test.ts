import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, rmSync, writeFileSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  mailServer,
  type MailServerOptions,
  polite,
  readMail,
  refusal,
  scriptedServer,
  type Script,
  stopMailServers,
} from "../../../../test/support/mail-server"
import { receiver, stopReceivers } from "../../../../test/support/receiver"
import { networks } from "../../../core/http/request/address"
import { systemResolve } from "../../webhooks/addresses"
import { longestAnswer } from "../model"
import { compose, type Content } from "./compose"
import { deliver, type DeliveryDeps } from "./deliver"
import { accessTokens } from "./oauth"
import type { Server } from "./server"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kontor-mail-"))
  openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca")
})

afterAll(async () => {
  await stopMailServers()
  stopReceivers()
  rmSync(folder, { recursive: true })
})

function openssl(line: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...line.split(" ")], { cwd: folder })
  expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""])
}

/** A certificate for these names. */
function certificate(name: string, names: string): { key: string; cert: string } {
  writeFileSync(join(folder, `${name}.names`), `subjectAltName=${names}`)
  openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
  openssl(
    `x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out ${name}.pem -days 2 -extfile ${name}.names`,
  )
  const read = (type: string) => readFileSync(join(folder, `${name}.${type}`), "utf8")
  return { key: read("key"), cert: read("pem") }
}

const trusted = () => ({ ca: readFileSync(join(folder, "ca.pem"), "utf8") })
const network = { resolve: systemResolve, allowed: networks(["127.0.0.0/8"]) }

const plain = (port: number, auth: Server["auth"] = { type: "none" }): Server => ({
  host: "127.0.0.1",
  port,
  security: "none",
  auth,
})

const content: Content = {
  id: "msg_1",
  date: "2026-03-01T09:30:00.000Z",
  from: { name: 'Müller & Söhne, "GmbH"', address: "shop@shop.example" },
  replyTo: null,
  to: ["a@customer.example"],
  cc: [],
  subject: "Rechnung für Bürobedarf",
  message: "Guten Tag,\n\nÄÖÜ\n.\nEnde",
  language: "de",
  isAutomatic: false,
  logo: null,
  company: "Müller",
  files: [{ name: "Größe.pdf", type: "application/pdf", bytes: new TextEncoder().encode("%PDF-1.7\n.\n") }],
}

/** Hands a message to a server, and tells whether the last byte was reached. */
async function sent(server: Server, more: Partial<DeliveryDeps> & { to?: string[]; bcc?: string } = {}) {
  const { to = ["a@customer.example"], bcc = null, ...deps } = more
  const ends = { count: 0 }
  const outcome = await deliver(
    server,
    { from: "shop@shop.example", to, bcc, bytes: await compose({ ...content, to }) },
    {
      network,
      tokens: accessTokens(() => {}),
      signal: new AbortController().signal,
      beforeEnd: async () => (ends.count++, true),
      ...deps,
    },
  )
  return { ...outcome, ends: ends.count }
}

const shortTimes = { connect: 1_000, greeting: 300, command: 300, end: 300 }

describe("a message", () => {
  test("arrives as it was composed, with its files", async () => {
    const server = await mailServer()
    const outcome = await sent(plain(server.port))
    expect(outcome).toMatchObject({ result: "sent", step: "data", code: 250, rejected: [], ends: 1 })
    expect(outcome.steps.map(({ step, code }) => [step, code])).toEqual([
      ["connect", 220],
      ["sender", 250],
      ["recipient", 250],
      ["data", 250],
    ])
    const mail = await readMail(server.taken[0] as never)
    expect(mail).toMatchObject({
      messageId: "<msg_1@shop.example>",
      subject: "Rechnung für Bürobedarf",
      from: { name: 'Müller & Söhne, "GmbH"', address: "shop@shop.example" },
      attachments: [{ filename: "Größe.pdf", mimeType: "application/pdf" }],
    })
    expect(mail.text?.replaceAll("\r\n", "\n").trim()).toBe(content.message)
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe("%PDF-1.7\n.\n")
    expect(mail.html).toContain("ÄÖÜ<br />.<br />Ende")
    expect(mail.html).not.toMatch(/src="(?!cid:)|url\(|<link|<script/)
  })

  test("is for those whom the server takes, and names the others", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith("bad") ? refusal(550, "5.1.1 no such user") : null),
    })
    const outcome = await sent(plain(server.port), { to: ["a@customer.example", "bad@customer.example"] })
    expect(outcome).toMatchObject({ result: "sent", rejected: ["bad@customer.example"] })
    expect(outcome.text).toContain("no such user")
    expect(server.taken[0]?.to).toEqual(["a@customer.example"])
  })

  test("is refused when only the copy to the shop would be taken", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith("copy") ? null : refusal(550, "5.1.1 no such user")),
    })
    const outcome = await sent(plain(server.port), { bcc: "copy@shop.example" })
    expect(outcome).toMatchObject({ result: "refused", step: "recipient", code: 550, ends: 0 })
    expect(server.taken).toEqual([])
  })
})

describe("a refusal", () => {
  test.each<[string, number, MailServerOptions]>([
    ["auth", 535, { onAuth: (_, __, done) => done(refusal(535, "5.7.8 wrong")) }],
    ["sender", 550, { onMailFrom: (_, __, done) => done(refusal(550, "5.7.1 no")) }],
    ["recipient", 451, { onRcptTo: (_, __, done) => done(refusal(451, "4.7.1 later")) }],
    ["data", 552, { answer: () => Promise.reject(refusal(552, "5.3.4 too large")) }],
    ["data", 451, { answer: () => Promise.reject(refusal(451, "4.3.0 later")) }],
  ])("in the step %s with %i is told with its words", async (step, code, options) => {
    const server = await mailServer(options)
    const auth = { type: "password", user: "shop", password: "secret word" } as const
    const outcome = await sent({ ...plain(server.port), auth })
    expect(outcome).toMatchObject({ result: "refused", step, code })
    expect(outcome.steps.at(-1)).toMatchObject({ step, code })
    expect(JSON.stringify(outcome)).not.toContain("secret word")
  })

  test("of one address for now and of another for ever is for now", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith("a") ? refusal(450, "4.2.0 later") : refusal(550, "5.1.1 never")),
    })
    const outcome = await sent(plain(server.port), { to: ["b@x.example", "a@x.example", "b2@x.example"] })
    expect(outcome).toMatchObject({ result: "refused", step: "recipient", code: 450 })
  })

  test("in the greeting is told", async () => {
    const { port } = await scriptedServer(polite, "554 5.3.2 not here")
    expect(await sent(plain(port))).toMatchObject({ result: "refused", step: "connect", code: 554 })
  })
})

describe("a connection that ends", () => {
  const closesAt =
    (closes: (line: string, isData: boolean) => boolean): Script =>
    (line, socket, state) => {
      if (!closes(line, state.isData)) return polite(line, socket, state)
      socket.resetAndDestroy()
      return null
    }

  test.each([
    ["before the message", "sender", closesAt((line) => line.startsWith("MAIL"))],
    ["inside the message", "data", closesAt((line, isData) => isData && line.startsWith("Subject"))],
  ])("%s has not taken it", async (_, step, script) => {
    const { port } = await scriptedServer(script)
    // The last byte may be reached in memory before the reset is noticed: then nobody knows.
    const outcome = await sent(plain(port), {
      beforeEnd: async () => {
        await Bun.sleep(50)
        return true
      },
    })
    expect(outcome).toMatchObject({ step, code: null })
    expect(outcome.result).toBe("failed")
  })

  test("after the last byte leaves it unknown", async () => {
    const { port, lines } = await scriptedServer(closesAt((line, isData) => isData && line === "."))
    expect(await sent(plain(port))).toMatchObject({ result: "unknown", step: "data", code: null, ends: 1 })
    expect(lines).toContain(".")
  })

  test("because nobody listens is told", async () => {
    const { port } = await scriptedServer()
    await stopMailServers()
    const outcome = await sent(plain(port))
    expect(outcome).toMatchObject({ result: "failed", step: "connect", ends: 0 })
    expect(outcome.text).toBe("The receiver refused the connection.")
  })
})

describe("a server that does not follow the protocol", () => {
  test.each([
    ["greeting", polite, "", "connect", "failed"],
    [
      "first command",
      ((line, ...rest) => (line.startsWith("EHLO") ? null : polite(line, ...rest))) as Script,
      undefined,
      "connect",
      "failed",
    ],
    [
      "sender",
      ((line, ...rest) => (line.startsWith("MAIL") ? null : polite(line, ...rest))) as Script,
      undefined,
      "sender",
      "failed",
    ],
    [
      "last answer",
      ((line, ...rest) => (line === "." ? null : polite(line, ...rest))) as Script,
      undefined,
      "data",
      "unknown",
    ],
  ])("and hangs at the %s is given up", async (_, script, greeting, step, result) => {
    const { port } = await scriptedServer(script, greeting)
    const outcome = await sent(plain(port), { timeouts: shortTimes })
    expect(outcome).toMatchObject({ result: result as never, step: step as never, code: null })
    expect(outcome.text).toBe("The server did not answer in time.")
  })

  test("and sends megabytes is given up, and little of it is kept", async () => {
    const flood: Script = (line, socket, state) => {
      if (!line.startsWith("MAIL")) return polite(line, socket, state)
      for (let i = 0; i < 200; i++) socket.write(`250-${"x".repeat(20_000)}\r\n`)
      return null
    }
    const { port } = await scriptedServer(flood)
    const outcome = await sent(plain(port))
    expect(outcome).toMatchObject({ result: "failed", code: null })
    const { port: long } = await scriptedServer((line, ...rest) =>
      line.startsWith("MAIL") ? `550 ${"\u0007ä\u0000".repeat(10_000)}` : polite(line, ...rest),
    )
    const { text } = await sent(plain(long))
    expect(text.length).toBeLessThanOrEqual(longestAnswer)
    expect(text).toMatch(/^550 /)
    // eslint-disable-next-line no-control-regex -- these are the characters that must be gone
    expect(text).not.toMatch(/[\u0000-\u001f]/)
  })

  test("and takes the message before its end has not taken it", async () => {
    const early: Script = (line, socket, state) => {
      const answer = polite(line, socket, state)
      if (state.isData && line.startsWith("Subject")) return "250 2.0.0 taken already"
      return answer
    }
    const { port } = await scriptedServer(early)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const outcome = await sent(plain(port), { beforeEnd: () => promise })
    resolve(false)
    expect(outcome.result).toBe("failed")
    expect(outcome.text).toContain("before the end of the message")
  })

  test("gets no message that is given up before its last byte", async () => {
    const { port, lines } = await scriptedServer()
    const outcome = await sent(plain(port), { beforeEnd: async () => false })
    expect(outcome.result).toBe("failed")
    expect(lines).toContain("DATA")
    expect(lines).not.toContain(".")
  })

  test("is left when the server of Kontor stops", async () => {
    const stopping = new AbortController()
    const { port, lines } = await scriptedServer((line, ...rest) => {
      if (line.startsWith("RCPT")) stopping.abort()
      return polite(line, ...rest)
    })
    const outcome = await sent(plain(port), { signal: stopping.signal })
    expect(outcome).toMatchObject({ result: "stopped", ends: 0 })
    expect(lines).not.toContain(".")
  })
})

describe("encryption", () => {
  test("begins with the connection, or with STARTTLS, and needs a certificate for the host", async () => {
    const right = certificate("right", "DNS:localhost,IP:127.0.0.1")
    const wrong = certificate("wrong", "DNS:mail.example")
    for (const host of ["localhost", "127.0.0.1"])
      for (const security of ["tls", "starttls"] as const) {
        const options = { secure: security === "tls", disabledCommands: [] }
        const [good, bad] = [
          await mailServer({ ...options, ...right }),
          await mailServer({ ...options, ...wrong }),
        ]
        const auth = { type: "password", user: "shop", password: "word" } as const
        const serverAt = (port: number): Server => ({ host, port, security, auth })
        const outcome = await sent(serverAt(good.port), { tls: trusted() })
        expect([host, security, outcome]).toMatchObject([host, security, { result: "sent" }])
        expect(outcome.steps.map(({ step }) => step)).toEqual([
          "connect",
          "tls",
          "auth",
          "sender",
          "recipient",
          "data",
        ])
        expect(good.taken[0]?.session.secure).toBeTrue()
        const told = await sent(serverAt(bad.port), { tls: trusted() })
        expect([host, security, told]).toMatchObject([
          host,
          security,
          { result: "failed", step: "tls", text: "The certificate of the receiver is for another name." },
        ])
        const untrusted = await sent(serverAt(good.port))
        expect(untrusted).toMatchObject({ result: "failed", step: "tls" })
        expect(untrusted.text).toContain("is not trusted")
        expect([good.taken.length, bad.taken.length]).toEqual([1, 0])
      }
  })

  test("is required when the settings say so, also of a server that does not offer it", async () => {
    const server = await mailServer()
    const auth = { type: "password", user: "shop", password: "word" } as const
    const outcome = await sent({ ...plain(server.port, auth), security: "starttls" })
    expect(outcome).toMatchObject({ result: "refused", step: "tls", code: 500 })
    expect(server.taken).toEqual([])
  })

  test("may be missing only for addresses that are not on the internet", async () => {
    const resolve = async () => ["203.0.113.9", "8.8.8.8"]
    const outcome = await sent(
      { ...plain(25), host: "mail.example" },
      { network: { resolve, allowed: null } },
    )
    expect(outcome).toMatchObject({ result: "failed", step: "connect", ends: 0 })
    expect(outcome.text).toContain("would not be encrypted")
  })
})

describe("OAuth", () => {
  const client = { clientId: "kontor", clientSecret: "s3cret", refreshToken: "old", scope: "SMTP.Send" }
  /** A server that takes only the last token that was issued. */
  async function oauthWorld(issue: (form: URLSearchParams, number: number) => object | Response) {
    const forms: URLSearchParams[] = []
    const valid = { token: "" }
    const tokens = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const form = new URLSearchParams(await request.text())
        forms.push(form)
        const answer = issue(form, forms.length)
        if (answer instanceof Response) return answer
        valid.token = (answer as { access_token: string }).access_token
        return Response.json(answer)
      },
    })
    const server = await mailServer({
      authMethods: ["XOAUTH2"],
      onAuth: (auth, _, done) =>
        auth.accessToken === valid.token
          ? done(null, { user: auth.username })
          : done(null, { data: { status: "401", schemes: "bearer" } } as never),
    })
    const at = { ...client, tokenUrl: `http://127.0.0.1:${tokens.port}/token` }
    const auth = { type: "oauth2", user: "shop@shop.example", client: at } as const
    return { forms, valid, server, target: plain(server.port, auth), stop: () => tokens.stop(true) }
  }

  test("gets a token, keeps it, and gets another one when the server says that it has expired", async () => {
    const renewed: string[][] = []
    const world = await oauthWorld((_, number) => ({
      access_token: `token-${number}`,
      expires_in: 3_600,
      ...(number === 2 ? { refresh_token: "new" } : {}),
    }))
    const tokens = accessTokens((before, after) => void renewed.push([before, after]))
    expect(await sent(world.target, { tokens })).toMatchObject({ result: "sent" })
    expect(await sent(world.target, { tokens })).toMatchObject({ result: "sent" })
    expect(world.forms.length).toBe(1)
    expect(Object.fromEntries(world.forms[0] ?? [])).toEqual({
      grant_type: "refresh_token",
      client_id: "kontor",
      client_secret: "s3cret",
      refresh_token: "old",
      scope: "SMTP.Send",
    })
    world.valid.token = "another one"
    expect(await sent(world.target, { tokens })).toMatchObject({ result: "sent" })
    expect(world.forms.length).toBe(2)
    expect(renewed).toEqual([["old", "new"]])
    world.stop()
  })

  test("that is refused is told without its secrets", async () => {
    const world = await oauthWorld((form) =>
      Response.json(
        { error: "invalid_grant", error_description: `bad ${form.get("refresh_token")}` },
        { status: 400 },
      ),
    )
    const outcome = await sent(world.target)
    expect(outcome).toMatchObject({ result: "failed", step: "auth", code: null, ends: 0 })
    expect(outcome.text).toBe(
      "There is no access token: the server of the tokens answered with 400 and invalid_grant.",
    )
    world.stop()
  })

  test("calls no private address unless the server allows it", async () => {
    const hidden = receiver()
    const server = await mailServer({ authMethods: ["XOAUTH2"] })
    const auth = {
      type: "oauth2",
      user: "shop",
      client: { ...client, tokenUrl: `http://127.0.0.1:${hidden.port}/token` },
    } as const
    const outcome = await sent(plain(server.port, auth), { network: { ...network, allowed: null } })
    expect(outcome).toMatchObject({ result: "failed", step: "auth" })
    expect(outcome.text).toContain("must use https")
    expect(hidden.hits).toEqual([])
  })
})
