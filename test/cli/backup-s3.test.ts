import { Encrypter } from "age-encryption"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signIn } from "../support/api"
import { inFile } from "../support/file"
import { adminEmail, adminPassword, cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { startStorage, stopStorage, type Storage } from "../support/s3"
import { until } from "../support/until"

const passphrase = "twelve or more characters"
const wrongPassphrase = "twelve or more character"
const admin = { KONTOR_ADMIN_EMAIL: adminEmail, KONTOR_ADMIN_PASSWORD: adminPassword }
const named = /^kontor-\d{4}-\d\d-\d\dT\d{6}Z\.db$/

let storage: Storage
/** A folder with a database that no server uses. */
let home: string
beforeAll(async () => {
  storage = await startStorage()
  const kontor = await serve({ env: admin })
  await (await signIn(kontor)).create("/items", { itemCode: "KEPT", itemName: "Kept" })
  await kontor.stop()
  home = kontor.cwd
})
afterAll(async () => {
  await cleanUp()
  await stopStorage()
})

const logged = (kontor: Kontor, message: string) =>
  kontor.output.stderr.split("\n").filter((line) => line.includes(`"message":"${message}"`))
const leftIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".unfinished"))

/** A copy of the database with one item, in a folder of its own. */
function shop(): string {
  const cwd = emptyFolder()
  copyFileSync(join(home, "kontor.db"), join(cwd, "kontor.db"))
  return cwd
}
const upload = (prefix: string, more: string[] = []) => ["--backup-to", `s3://backups/${prefix}`, ...more]
const itemsOf = (file: string) =>
  inFile({ file }, (db) => db.query("SELECT item_code AS code FROM items").all())

describe("automatic uploads", () => {
  test("one is made at start and can be restored; the next start makes none while it is recent", async () => {
    const cwd = shop()
    const server = await serve({ cwd, env: storage.env, args: upload("first") })
    await until(() => logged(server, "A backup was uploaded.").length === 1)
    const [name = ""] = storage.names("first")
    expect(name).toMatch(named)
    expect(leftIn(cwd)).toEqual([])
    expect((await (await signIn(server)).get("/backups")).body.data.upload).toEqual({
      target: "s3://backups/first/",
      isEncrypted: false,
      latest: `s3://backups/first/${name}`,
      error: null,
    })
    await server.stop()
    const again = await serve({ cwd, env: storage.env, args: upload("first") })
    const { get } = await signIn(again)
    await until(async () => (await get("/backups")).body.data.upload.latest !== null)
    await again.stop()
    expect(storage.names("first")).toEqual([name])

    const other = emptyFolder()
    const restored = await run(["restore", "s3://backups/first/"], { cwd: other, env: storage.env })
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`s3://backups/first/${name} was`),
    })
    expect(itemsOf(join(other, "kontor.db"))).toEqual([{ code: "KEPT" }])
    expect(readdirSync(other)).toEqual(["kontor.db"])
    expect(await run(["check"], { cwd: other })).toMatchObject({ code: 0 })
  })

  test("the newest backup of the folder is uploaded; old ones are deleted, other objects are not", async () => {
    const cwd = shop()
    const old = [
      "kontor-2020-01-01T000000Z.db",
      "kontor-2020-01-02T000000Z.db.age",
      "kontor-2020-01-03T000000Z.db",
    ]
    const strange = [
      "kontor-2099-01-01T000000Z.db",
      "kontor-2020-99-99T000000Z.db",
      "kontor-mine.db",
      "mine.txt",
    ]
    for (const name of [...old, ...strange]) await storage.put(`kept/${name}`, "x")
    await storage.put("kept-too/kontor-2020-01-01T000000Z.db", "x")
    const args = upload("kept", ["--backup-dir", "copies", "--backup-keep", "2"])
    const server = await serve({ cwd, env: storage.env, args })
    await until(() => storage.names("kept").length === 6)
    await server.stop()
    const [local = ""] = readdirSync(join(cwd, "copies"))
    expect(storage.names("kept")).toEqual([old[2] ?? "", local, ...strange].toSorted())
    expect(storage.names("kept-too")).toHaveLength(1)
    expect(storage.read(`kept/${local}`).equals(readFileSync(join(cwd, "copies", local)))).toBeTrue()
    expect(server.output.stderr.split("\n").filter((line) => line.includes('"level":"warn"'))).toHaveLength(2)
  })

  test("a backup of the folder that was made without storage is uploaded later", async () => {
    const cwd = shop()
    const args = ["--backup-dir", "copies"]
    const before = await serve({ cwd, env: {}, args })
    await until(() => logged(before, "A backup was created.").length === 1)
    await before.stop()
    const after = await serve({ cwd, env: storage.env, args: upload("later", args) })
    await until(() => storage.names("later").length === 1)
    await after.stop()
    expect(storage.names("later")).toEqual(readdirSync(join(cwd, "copies")))
  })

  test("are tried again when the storage can be reached again", async () => {
    const cwd = shop()
    const gone = await startStorage()
    await gone.stop()
    const server = await serve({ cwd, env: gone.env, args: upload("again") })
    await until(() => logged(server, "A backup could not be uploaded.").length === 1)
    const { get } = await signIn(server)
    expect((await get("/backups")).body.data.upload).toMatchObject({
      latest: null,
      error: {
        code: "UNREACHABLE",
        message: expect.stringContaining("cannot be reached (ConnectionRefused)"),
      },
    })
    const back = await startStorage(gone.folder, gone.port)
    await until(() => back.names("again").length === 1)
    await until(async () => (await get("/backups")).body.data.upload.error === null)
    await server.stop()
  })

  test.each([
    ["a missing bucket", "s3://nothing/x", {}, "NO_BUCKET", "There is no bucket nothing"],
    [
      "a wrong key",
      "s3://backups/x",
      { KONTOR_S3_SECRET_ACCESS_KEY: "not-the-secret" },
      "ACCESS_DENIED",
      "refuses the access key",
    ],
  ])("%s is reported with what to do, and requests still work", async (_, to, wrong, code, text) => {
    const server = await serve({ cwd: shop(), env: { ...storage.env, ...wrong }, args: ["--backup-to", to] })
    await until(() => logged(server, "A backup could not be uploaded.").length === 1)
    const [line = ""] = logged(server, "A backup could not be uploaded.")
    expect(line).toContain(text)
    expect(line).toContain("nextAttemptAt")
    const { error } = (await (await signIn(server)).get("/backups")).body.data.upload
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
    await server.stop()
    expect(server.output.stderr).not.toContain("not-the-secret")
  })

  test("a server that is killed during an upload leaves a file, which the next start deletes", async () => {
    const cwd = shop()
    const hanging = hangingStorage()
    const env = { ...storage.env, KONTOR_S3_ENDPOINT: hanging.url }
    const killed = await serve({ cwd, env, args: upload("killed") })
    await hanging.uploading
    const [file = ""] = leftIn(cwd)
    expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600)
    await killed.stop("SIGKILL")
    expect(leftIn(cwd)).toEqual([file])
    const next = await serve({ cwd, env: storage.env, args: upload("killed") })
    await until(() => storage.names("killed").length === 1)
    await until(() => leftIn(cwd).length === 0)
    await next.stop()
  })

  test("a server that is stopped during an upload ends at once and leaves no file", async () => {
    const cwd = shop()
    const hanging = hangingStorage()
    const env = { ...storage.env, KONTOR_S3_ENDPOINT: hanging.url }
    const server = await serve({ cwd, env, args: upload("stopped") })
    await hanging.uploading
    expect(await server.stop()).toBe(0)
    expect(leftIn(cwd)).toEqual([])
    expect(logged(server, "A backup could not be uploaded.")).toEqual([])
  })

  test.if(process.platform === "linux")(
    "secrets are in no log and cannot be read from the running process",
    async () => {
      const secrets = { KONTOR_BACKUP_PASSPHRASE: passphrase, KONTOR_S3_SECRET_ACCESS_KEY: "very-secret-key" }
      const server = await serve({
        cwd: shop(),
        env: { ...storage.env, ...secrets },
        args: upload("x", ["--log-level", "debug"]),
      })
      await until(() => logged(server, "A backup could not be uploaded.").length === 1)
      const seen = readFileSync(`/proc/${server.process.pid}/environ`, "latin1")
      await server.stop()
      expect(seen).toContain("KONTOR_S3_ACCESS_KEY_ID=S3RVER")
      for (const secret of Object.values(secrets)) expect(seen + server.output.stderr).not.toContain(secret)
    },
  )
})

/** Storage with an empty bucket that stores only the first bytes of an upload. */
const cuttingStorage = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ method }) =>
      method === "GET"
        ? new Response("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
        : new Response(method === "HEAD" ? "first" : "", { headers: { etag: '"1"' } }),
  }).url.origin

/** Storage with an empty bucket that never answers to an upload. */
function hangingStorage() {
  const started = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      if (request.method === "GET")
        return new Response("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
      started.resolve()
      return new Promise<Response>(() => {})
    },
  })
  return { url: server.url.origin, uploading: started.promise }
}

describe("encrypted backups", () => {
  let file = ""
  let env: Record<string, string>
  beforeAll(async () => {
    env = { ...storage.env, KONTOR_BACKUP_PASSPHRASE: passphrase }
    const server = await serve({ cwd: shop(), env, args: upload("secret") })
    await until(() => storage.names("secret").length === 1)
    await server.stop()
    file = `secret/${storage.names("secret")[0]}`
  })
  /** The database as another program encrypts it, with a passphrase that takes less time to check. */
  const encryptedElsewhere = async () => {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    encrypter.setScryptWorkFactor(12)
    return encrypter.encrypt(readFileSync(join(home, "kontor.db")))
  }
  /** Runs a restore that must be refused and must change nothing. */
  const refused = async (from: string, given: Record<string, string>) => {
    const cwd = shop()
    const before = readFileSync(join(cwd, "kontor.db"))
    const { code, stderr, stdout } = await run(["restore", from], { cwd, env: given })
    expect([code, stdout]).toEqual([1, ""])
    expect(readFileSync(join(cwd, "kontor.db")).equals(before)).toBeTrue()
    expect(readdirSync(cwd)).toEqual(["kontor.db"])
    return stderr
  }

  test("have the name and the header of an age file, and no readable content", () => {
    expect(file).toMatch(/^secret\/kontor-.*Z\.db\.age$/)
    const bytes = storage.read(file).toString("latin1")
    expect(bytes).toStartWith("age-encryption.org/v1\n-> scrypt ")
    expect(bytes).not.toContain("SQLite format 3")
    expect(bytes).not.toContain("KEPT")
  })

  test("are restored from storage and from a file, with the passphrase in a variable or in a file", async () => {
    const cwd = emptyFolder()
    expect(await run(["restore", "s3://backups/secret/"], { cwd, env })).toMatchObject({ code: 0 })
    expect(itemsOf(join(cwd, "kontor.db"))).toEqual([{ code: "KEPT" }])
    const other = emptyFolder()
    writeFileSync(join(other, "copy.age"), await encryptedElsewhere())
    writeFileSync(join(other, "passphrase"), `${passphrase}\n`)
    const fromFile = await run(["restore", "copy.age"], {
      cwd: other,
      env: { KONTOR_BACKUP_PASSPHRASE_FILE: "passphrase" },
    })
    expect(fromFile).toMatchObject({ code: 0, stdout: expect.stringContaining(join(other, "copy.age")) })
    expect(readdirSync(other).toSorted()).toEqual(["copy.age", "kontor.db", "passphrase"])
    expect(statSync(join(other, "kontor.db")).mode & 0o777).toBe(0o600)
  })

  test("are not replaced by a newer plain copy in the storage or on the disk, unless --plain is given", async () => {
    const plain = "mixed/kontor-2020-01-02T000000Z.db"
    await storage.put("mixed/kontor-2020-01-01T000000Z.db.age", storage.read(file))
    await storage.put(plain, readFileSync(join(shop(), "kontor.db")))
    const sentence = (name: string) =>
      `${name} is not encrypted, but there is a passphrase, so it may come from somebody else. If you trust it, restore it with --plain.\n`
    for (const from of ["s3://backups/mixed/", `s3://backups/${plain}`])
      expect(await refused(from, env)).toBe(sentence(`s3://backups/${plain}`))
    const onDisk = join(shop(), "kontor.db")
    expect(await refused(onDisk, env)).toBe(sentence(onDisk))
    const cwd = emptyFolder()
    expect(await run(["restore", "s3://backups/mixed/", "--plain"], { cwd, env })).toMatchObject({ code: 0 })
    expect(itemsOf(join(cwd, "kontor.db"))).toEqual([{ code: "KEPT" }])
  })

  test("without the passphrase, or with a wrong one, are refused and nothing is changed", async () => {
    await storage.put("elsewhere.age", await encryptedElsewhere())
    const from = "s3://backups/elsewhere.age"
    expect(await refused(from, storage.env)).toBe(
      `${from} is encrypted. Set KONTOR_BACKUP_PASSPHRASE or KONTOR_BACKUP_PASSPHRASE_FILE to its passphrase.\n`,
    )
    expect(await refused(from, { ...env, KONTOR_BACKUP_PASSPHRASE: wrongPassphrase })).toBe(
      `${from} cannot be decrypted: the passphrase is wrong, or the file is damaged.\n`,
    )
  })

  test("that are changed or cut off are refused and nothing is changed", async () => {
    const bytes = await encryptedElsewhere()
    const cwd = emptyFolder()
    const changed = Buffer.from(bytes)
    changed[changed.length - 1_000] = (changed.at(-1_000) ?? 0) ^ 1
    writeFileSync(join(cwd, "changed"), changed)
    writeFileSync(join(cwd, "cut"), bytes.subarray(0, 200_000))
    for (const name of ["changed", "cut"])
      expect(await refused(join(cwd, name), env)).toContain("is damaged and was not used")
  })

  test("that another program encrypted are restored, and leave no other files", async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, "raw.age"), await encryptedElsewhere())
    expect(await run(["restore", "raw.age"], { cwd, env })).toMatchObject({ code: 0 })
    expect(readdirSync(cwd).toSorted()).toEqual(["kontor.db", "raw.age"])
    expect(itemsOf(join(cwd, "kontor.db"))).toEqual([{ code: "KEPT" }])
  })

  test("a passphrase of fewer than 12 characters is refused", async () => {
    for (const command of [
      ["serve", ...upload("x")],
      ["backup", "s3://backups/"],
      ["restore", "s3://backups/"],
    ])
      expect(
        await run(command, { cwd: shop(), env: { ...env, KONTOR_BACKUP_PASSPHRASE: "eleven char" } }),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining("at least 12 characters") })
  })
})

describe("kontor backup and restore", () => {
  test("upload and download a large backup in parts", async () => {
    const cwd = shop()
    // A part has 8 MB.
    const [rows, least] = isLong ? [50_000, 20 << 20] : [24_000, 9 << 20]
    inFile({ file: join(cwd, "kontor.db") }, (db) =>
      db.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        INSERT INTO rate_days SELECT hex(randomblob(200)), '2026-01-01', i FROM n`),
    )
    const made = await run(["backup", "s3://backups/large.db", "--json"], { cwd, env: storage.env })
    expect(made).toMatchObject({ code: 0, stderr: "" })
    const { file, bytes } = JSON.parse(made.stdout)
    expect(file).toBe("s3://backups/large.db")
    expect(bytes).toBeGreaterThan(least)
    expect(storage.read("large.db").length).toBe(bytes)
    expect(leftIn(cwd)).toEqual([])
    const restored = await run(["restore", "s3://backups/large.db", "--json"], { cwd, env: storage.env })
    expect(JSON.parse(restored.stdout)).toMatchObject({ from: "s3://backups/large.db", isNew: false })
    expect(await run(["check"], { cwd })).toMatchObject({ code: 0 })
  })

  test("an upload fails if the stored object has another size", async () => {
    const env = { ...storage.env, KONTOR_S3_ENDPOINT: cuttingStorage() }
    expect(await run(["backup", "s3://backups/cut.db"], { cwd: shop(), env })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^cut\.db has 5 bytes in the bucket instead of \d{6,}\.\n$/),
    })
  })

  test("a folder gets the usual name", async () => {
    const made = await run(["backup", "s3://backups/by-hand/", "--json"], { cwd: shop(), env: storage.env })
    expect(storage.names("by-hand")[0]).toMatch(named)
    expect(JSON.parse(made.stdout).file).toBe(`s3://backups/by-hand/${storage.names("by-hand")[0]}`)
  })

  test("what cannot be done is refused with a sentence, and no file is left", async () => {
    const cwd = shop()
    await storage.put(
      "strange.db",
      "not a database at all, and longer than a header of such a file ".repeat(9),
    )
    const fails = async (command: string[], sentence: string, code = 1, env = {}) => {
      const failed = await run(command, { cwd, env: { ...storage.env, ...env } })
      expect(failed).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) })
      expect(readdirSync(cwd)).toEqual(["kontor.db"])
    }
    await fails(["backup", "s3://nothing/"], "There is no bucket nothing")
    await fails(["restore", "s3://nothing/"], "There is no bucket nothing")
    await fails(["restore", "s3://backups/none.db"], "There is no backup at s3://backups/none.db.")
    await fails(["restore", "s3://backups/none/"], "There is no backup at s3://backups/none/.")
    await fails(["restore", "s3://backups/strange.db"], "s3://backups/strange.db is not a database.")
    await fails(["backup", "s3://backups/a b"], "must be of the form s3://bucket/prefix", 2)
    await fails(["backup", "s3://backups/../x"], "must be of the form s3://bucket/prefix", 2)
    await fails(["backup", "s3://backups/"], "access key to s3://backups is missing", 2, {
      KONTOR_S3_SECRET_ACCESS_KEY: "",
    })
    await fails(
      ["serve", ...upload("x"), "--s3-endpoint", "ftp://x"],
      "--s3-endpoint must be an http or https URL",
      2,
    )
    await fails(["serve", "--backup-to", "/folder"], "--backup-to must be of the form s3://bucket/prefix", 2)
  })
})
