import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { get } from "node:http"
import { join } from "node:path"
import { connect as connectTls, type ConnectionOptions } from "node:tls"
import { refusalOf, send, signIn } from "../support/api"
import { selfSigned } from "../support/certificate"
import { cleanUp, emptyFolder, program, run, serve } from "../support/kontor"
import { isLong } from "../support/long"
import { heard, until } from "../support/until"

afterAll(cleanUp)

test("the first line on stdout is the actual URL, and the log has one JSON object per line on stderr", async () => {
  const kontor = await serve({ isFirst: true })
  expect(kontor.output.stdout).toMatch(/^Kontor listening on http:\/\/127\.0\.0\.1:\d+\n$/)
  await kontor.stop()
  const lines = kontor.output.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const messages = lines.map(({ message }) => message)
  // The end of the audit log is logged at stop, and by maintenance if that has begun.
  expect(messages.at(-2)).toBe("The end of the audit log.")
  expect(messages.filter((message) => message !== "The end of the audit log.")).toEqual([
    "The first admin was created.",
    "Started.",
    "Stopping.",
    "Stopped.",
  ])
  for (const line of lines) expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), level: "info" })
})

test("requests are logged only at level debug, refused access at level info", async () => {
  const quiet = await serve()
  const loud = await serve({ args: ["--log-level", "debug"] })
  for (const kontor of [quiet, loud]) {
    await send(`${kontor.url}/health`)
    await send(`${kontor.url}/api/v1/items`, { headers: { "x-request-id": "find-me" } })
    await kontor.stop()
  }
  expect(loud.output.stderr).toContain('"message":"Request completed."')
  expect(quiet.output.stderr).not.toContain('"message":"Request completed."')
  expect(quiet.output.stderr).toMatch(/Access was refused.*find-me|find-me.*Access was refused/)
})

describe("the file", () => {
  test("and its -wal and -shm files are private, and there are no other files", async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    await api.create("/items", { itemCode: "A", itemName: "A" })
    expect(readdirSync(kontor.cwd).toSorted()).toEqual(["kontor.db", "kontor.db-shm", "kontor.db-wal"])
    for (const name of readdirSync(kontor.cwd))
      expect(statSync(join(kontor.cwd, name)).mode & 0o777).toBe(0o600)
  })

  test("is used by one server at a time, even after a kill", async () => {
    const kontor = await serve()
    const second = await run(["serve", "--port", "0"], { cwd: kontor.cwd })
    expect(second.code).toBe(1)
    expect(second.stderr).toBe(
      "Another Kontor process is using ./kontor.db. Stop it first, or choose another file with --db.\n",
    )
    await kontor.stop("SIGKILL")
    const third = await serve({ cwd: kontor.cwd })
    expect((await send(`${third.url}/health`)).status).toBe(200)
  })

  test("has every acknowledged write after a kill", async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        api.create("/items", { itemCode: `K-${i}`, itemName: `Kill ${i}` }),
      ),
    )
    await kontor.stop("SIGKILL")
    const again = await signIn(await serve({ cwd: kontor.cwd, env: {} }))
    const { data } = (await again.get("/items?perPage=100")).body
    expect(data).toEqual(made.toSorted((a, b) => (a.id < b.id ? 1 : -1)))
    expect((await again.get("/items?search=kill")).body.meta.total).toBe(60)
  })

  test.each([
    [
      "of another program",
      (file: string) => new Database(file).run("CREATE TABLE notes (x)"),
      "another program",
    ],
    [
      "that is not a database",
      (file: string) => writeFileSync(file, "hello ".repeat(500)),
      "is not a database",
    ],
    ["in a missing folder", () => {}, "no such file or directory"],
  ])("%s is refused with a message", async (_, make, words) => {
    const cwd = emptyFolder()
    const file = words === "no such file or directory" ? "nowhere/kontor.db" : "kontor.db"
    make(join(cwd, file))
    const refused = await run(["serve", "--port", "0", "--db", file], { cwd })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).not.toMatch(/\bat .*:\d+|SQLITE/)
  })
})

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("on %s leaves one clean file and exits 0", async (signal) => {
    const kontor = await serve()
    await (await signIn(kontor)).create("/items", { itemCode: "A", itemName: "A" })
    expect(await kontor.stop(signal)).toBe(0)
    expect(readdirSync(kontor.cwd)).toEqual(["kontor.db"])
    const db = new Database(kontor.file, { readonly: true })
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    expect(db.query("SELECT count(*) AS n FROM items").get()).toEqual({ n: 1 })
    db.close()
  })

  test("finishes requests in progress and refuses new ones", async () => {
    const kontor = await serve()
    const api = await signIn(kontor)
    const body = JSON.stringify({ itemCode: "SLOW", itemName: "Slow" })
    const { hostname, port } = new URL(kontor.url)
    let answer = ""
    const socket = connect(Number(port), hostname)
    socket.on("data", (chunk) => (answer += chunk.toString()))
    const head =
      `POST /api/v1/items HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${api.credential.authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
    await new Promise((sent) => socket.write(head, sent))
    await heard(kontor)
    kontor.process.kill("SIGTERM")
    let late = await api.get("/items")
    while (late.status === 200) late = await api.get("/items")
    expect(refusalOf(late)).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0)
    socket.write(body.slice(5))
    expect(await kontor.process.exited).toBe(0)
    expect(answer).toStartWith("HTTP/1.1 201")
  })
})

describe("https", () => {
  let args: string[]
  beforeAll(() => {
    args = pair(emptyFolder(), "a")
  })
  const pair = (folder: string, name: string) => {
    const { cert, key } = selfSigned(folder, name)
    return ["--tls-cert", cert, "--tls-key", key]
  }

  test("works with a certificate and its key, and sends Strict-Transport-Security", async () => {
    const kontor = await serve({ args })
    expect(kontor.url).toStartWith("https://127.0.0.1:")
    expect(await run(["ready", "--port", new URL(kontor.url).port, ...args])).toMatchObject({ code: 0 })
    const api = await signIn(kontor)
    const answer = await api.get("/items")
    expect(answer.status).toBe(200)
    expect(answer.headers.get("strict-transport-security")).toContain("max-age=")
    expect((await api.get("/items/itm_0")).status).toBe(404)
    expect((await send(`${kontor.url}/api/v1/items`)).status).toBe(401)
  })

  test("uses only forward secrecy and authenticated ciphers, in TLS 1.2 and 1.3", async () => {
    const { url } = await serve({ args })
    const one2 = (ciphers: string) => handshake(url, { maxVersion: "TLSv1.2", ciphers })
    for (const good of ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"])
      expect(await one2(`ECDHE-RSA-${good}`)).toBe(`TLSv1.2 ECDHE-RSA-${good}`)
    for (const weak of [
      "AES128-GCM-SHA256",
      "AES256-GCM-SHA384",
      "AES128-SHA",
      "AES256-SHA",
      "ECDHE-RSA-AES128-SHA",
      "ECDHE-RSA-AES256-SHA",
    ])
      expect(`${weak} ${await one2(weak)}`).toBe(`${weak} refused`)
    expect(await handshake(url, {})).toStartWith("TLSv1.3 ")
    for (const version of ["TLSv1", "TLSv1.1"] as const)
      expect(await handshake(url, { minVersion: version, maxVersion: version })).toBe("refused")
  })

  test("a host name too short to route by is refused, even when it is allowed", async () => {
    const kontor = await serve({ args: [...args, "--allowed-hosts", "ab,abc"] })
    const ask = (host: string) => send(`${kontor.url}/health`, { headers: { host } })
    expect((await ask("abc")).status).toBe(200)
    expect(refusalOf(await ask("ab"))).toMatchObject({ status: 400, code: "BAD_REQUEST" })
  })

  test("plain http sends no Strict-Transport-Security", async () => {
    const kontor = await serve()
    expect((await send(`${kontor.url}/health`)).headers.get("strict-transport-security")).toBeNull()
  })

  test("a wrong key, a missing file and a missing key are refused with a message", async () => {
    const [, cert = ""] = args
    const [, , , otherKey = ""] = pair(emptyFolder(), "b")
    const wrongKey = await run(["serve", "--port", "0", "--tls-cert", cert, "--tls-key", otherKey])
    expect(wrongKey).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not match the certificate"),
    })
    const missing = await run(["serve", "--port", "0", "--tls-cert", "/no/cert", "--tls-key", otherKey])
    expect(missing).toMatchObject({ code: 1, stderr: "The file /no/cert cannot be read.\n" })
    const half = await run(["serve", "--port", "0", "--tls-cert", cert])
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("must be set together") })
  })

  test("plain http on a public address prints a warning with both solutions", async () => {
    const kontor = await serve({ args: ["--host", "0.0.0.0"] })
    await until(() => /Warning: .*--tls-cert.*reverse proxy/.test(kontor.output.stderr))
  })
})

test("no configuration is read from the current folder", async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, ".env"), "KONTOR_PORT=1\nKONTOR_ADMIN_EMAIL=evil@example.com\n")
  writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./evil.ts"]\n')
  writeFileSync(join(cwd, "evil.ts"), 'await Bun.write("evil-was-here", "")')
  if (!process.env.KONTOR_BINARY) return
  await serve({ cwd })
  expect(existsSync(join(cwd, "evil-was-here"))).toBeFalse()
})

test("a port in use and a database in use are reported with different messages", async () => {
  const kontor = await serve()
  const again = ["serve", "--port", new URL(kontor.url).port]
  const refused = await run(again)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("the port is in use") })
  const twice = await run(again, { cwd: kontor.cwd })
  expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("Another Kontor process is using") })
})

describe("concurrent starts", () => {
  /** Returns a free port. */
  const freePort = () => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    const { port } = server
    void server.stop(true)
    return String(port)
  }
  const start = (cwd: string, port: string) =>
    Bun.spawn([...program, "serve", "--port", port, "--log-level", "error"], {
      cwd,
      env: { PATH: process.env.PATH ?? "" },
      stdout: "ignore",
      stderr: "pipe",
    })
  const isUp = (port: string) =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  /** Starts two servers `apart` milliseconds apart. Returns how many keep running, and the messages of the others. */
  const race = async (folders: [string, string], ports: [string, string], apart: number) => {
    const first = start(folders[0], ports[0])
    await Bun.sleep(apart)
    const second = start(folders[1], ports[1])
    const both = [first, second]
    await until(() => both.some(({ exitCode }) => exitCode !== null))
    const port = first.exitCode === null ? ports[0] : ports[1]
    await until(async () => (await isUp(port)) || both.every(({ exitCode }) => exitCode !== null))
    const gone = both.filter(({ exitCode }) => exitCode !== null)
    const said = (await Promise.all(gone.map(({ stderr }) => new Response(stderr).text()))).join("")
    for (const each of both) each.kill("SIGKILL")
    await Promise.all(both.map(({ exited }) => exited))
    return { staying: both.length - gone.length, said }
  }
  const migrated = emptyFolder()
  beforeAll(() => run(["migrate"], { cwd: migrated }))
  const shop = () => {
    const cwd = emptyFolder()
    copyFileSync(join(migrated, "kontor.db"), join(cwd, "kontor.db"))
    return cwd
  }
  /** In milliseconds. */
  const gaps = isLong ? [0, 2, 4, 6, 8, 10, 12, 16] : [0, 6, 12]

  test("with one file and port: one keeps running", async () => {
    const cwd = shop()
    for (const apart of gaps) {
      const port = freePort()
      const { staying, said } = await race([cwd, cwd], [port, port], apart)
      expect([apart, staying]).toEqual([apart, 1])
      expect(said).toContain("Another Kontor process is using")
    }
  })

  test("with one file and two ports: one keeps running", async () => {
    const cwd = shop()
    for (const apart of gaps) {
      const { staying, said } = await race([cwd, cwd], [freePort(), freePort()], apart)
      expect([apart, staying]).toEqual([apart, 1])
      expect(said).toContain("Another Kontor process is using")
    }
  })

  test("with two files and one port: one keeps running", async () => {
    const folders: [string, string] = [shop(), shop()]
    for (const apart of isLong ? [0, 1, 2, 3, 4, 6] : [0, 2, 4]) {
      const port = freePort()
      const { staying, said } = await race(folders, [port, port], apart)
      expect([apart, staying]).toEqual([apart, 1])
      expect(said).toContain("the port is in use")
    }
  })

  test("a stop during the start exits normally", async () => {
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const port = freePort()
      const child = start(shop(), port)
      await until(
        () =>
          new Promise<boolean>((resolve) => {
            const socket = connect(Number(port), "127.0.0.1", () => {
              child.kill("SIGTERM")
              socket.destroy()
              resolve(true)
            })
            socket.on("error", () => resolve(false))
          }),
      )
      expect(await child.exited).toBe(0)
    }
  })
})

test("a client that is not a trusted proxy cannot set another address", async () => {
  const kontor = await serve({ args: ["--trusted-proxies", "127.0.0.1"] })
  await new Promise<void>((resolve, reject) =>
    get(
      `${kontor.url}/api/v1/items`,
      { localAddress: "127.0.0.2", headers: { "x-forwarded-for": "203.0.113.9" } },
      (answer) => answer.resume().on("end", resolve),
    ).on("error", reject),
  )
  await kontor.stop()
  expect(kontor.output.stderr).toContain('"address":"127.0.0.2"')
  expect(kontor.output.stderr).not.toContain("203.0.113.9")
})

test("a folder instead of the file is refused with a message", async () => {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, "kontor.db"))
  const refused = await run(["serve", "--port", "0"], { cwd })
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\.\/kontor\.db cannot be opened: /),
  })
})

test("a file that a power failure left incomplete is created again", async () => {
  const cwd = emptyFolder()
  const half = `
    import { Database } from "bun:sqlite"
    const db = new Database("kontor.db")
    db.run("PRAGMA cache_size = 2")
    db.run("BEGIN")
    db.run("CREATE TABLE half (x)")
    for (let i = 0; i < 200; i++) db.run("INSERT INTO half VALUES (zeroblob(3000))")
    process.kill(process.pid, "SIGKILL")`
  Bun.spawnSync([process.execPath, "-e", half], { cwd })
  expect(statSync(join(cwd, "kontor.db-journal")).size).toBeGreaterThan(0)
  const kontor = await serve({ cwd })
  expect((await send(`${kontor.url}/health`)).status).toBe(200)
})

test("pages that only read respond while another program locks the file", async () => {
  const kontor = await serve()
  // The first maintenance writes. It would wait for the lock, and the pages for it.
  await until(() => kontor.output.stderr.includes("The end of the audit log."))
  const other = new Database(join(kontor.cwd, "kontor.db"))
  other.run("PRAGMA busy_timeout = 300000")
  other.run("BEGIN IMMEDIATE")
  try {
    for (const path of ["/openapi.json", "/docs", "/.well-known/oauth-authorization-server", "/console"])
      expect([path, (await send(kontor.url + path)).status]).toEqual([path, 200])
  } finally {
    other.close()
  }
})

test("every option can be set by its environment variable, and a flag overrides it", async () => {
  const cwd = emptyFolder()
  const kontor = await serve({
    cwd,
    env: { KONTOR_DB: "other.db", KONTOR_PORT: "1", KONTOR_ALLOWED_HOSTS: "shop.test" },
  })
  expect(existsSync(join(cwd, "other.db"))).toBeTrue()
  expect((await send(`${kontor.url}/health`, { headers: { host: "shop.test" } })).status).toBe(200)
  expect(new URL(kontor.url).port).not.toBe("1")
})

/** Returns the TLS version and cipher that a client with these options negotiates. */
function handshake(url: string, spoken: ConnectionOptions): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectTls(
      { host: hostname, port: Number(port), rejectUnauthorized: false, ...spoken },
      () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
        socket.destroy()
      },
    )
    socket.on("error", () => resolve("refused"))
  })
}

test("the recorded client address is the same on a loopback address and on all addresses", async () => {
  const recorded = async (host: string) => {
    const kontor = await serve({ args: ["--host", host] })
    const api = await signIn({ ...kontor, url: kontor.url.replace("0.0.0.0", "127.0.0.1") })
    await api.create("/items", { itemCode: "A", itemName: "A" })
    const { data } = (await api.get("/audit-logs?action=items.create")).body
    return data.map(({ ip }: { ip: string }) => ip)
  }
  expect(await recorded("127.0.0.1")).toEqual(["127.0.0.1"])
  expect(await recorded("0.0.0.0")).toEqual(["127.0.0.1"])
})
