import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { contextFiles, dockerfile, packagesOf, runImage } from "../../scripts/packaging/docker"
import { imageOf } from "../../scripts/packaging/dockerfile"
import { whyNoRoot } from "../../scripts/packaging/root"
import { signIn } from "../support/api"
import { adminEmail, adminPassword } from "../support/kontor"
import { freePort, untilReady } from "../support/packaging"

const binary = process.env.KONTOR_BINARY
const reason = binary ? await whyNoRoot() : "there is no binary"
if (reason) console.log(`The steps of the Dockerfile are left out: ${reason}.`)

test("the image stores its data in a volume, and runs the server as another user than root", () => {
  const image = imageOf(readFileSync(dockerfile, "utf8"))
  expect(image).toMatchObject({
    from: expect.stringMatching(/^debian:bookworm-slim@sha256:[0-9a-f]{64}$/),
    user: "kontor",
    folder: "/var/lib/kontor",
    volumes: ["/var/lib/kontor"],
    env: { KONTOR_DB: "/var/lib/kontor/kontor.db", KONTOR_HOST: "0.0.0.0" },
    entryPoint: ["kontor"],
    command: ["serve"],
    healthCheck: ["kontor", "ready"],
  })
})

test("the image has what a connection to PostgreSQL needs", () => {
  const { steps } = imageOf(readFileSync(dockerfile, "utf8"))
  expect(steps.flatMap(packagesOf)).toEqual(["libpq5", "ca-certificates"])
})

test("every image that the Dockerfile begins with is named by its digest", () => {
  const images = readFileSync(dockerfile, "utf8").match(/^FROM \S+/gm) ?? []
  expect(images).toHaveLength(2)
  for (const image of images) expect(image).toMatch(/^FROM [a-z]+:[a-z0-9-]+@sha256:[0-9a-f]{64}$/)
})

test("the build gets only what it reads, and no database", async () => {
  const files = await contextFiles()
  expect(files).toContain("src")
  expect(files.filter((file) => !existsSync(file) || file.includes("*") || file.endsWith(".db"))).toEqual([])
})

test.if(reason === null)(
  "its steps make a server that becomes healthy, works, and stops on SIGTERM",
  async () => {
    const port = freePort()
    const container = await runImage(binary ?? "", {
      KONTOR_PORT: port,
      KONTOR_ADMIN_EMAIL: adminEmail,
      KONTOR_ADMIN_PASSWORD: adminPassword,
    })
    try {
      const url = `http://127.0.0.1:${port}`
      await untilReady(url)
      expect(container.isHealthy()).toBeTrue()
      const api = await signIn({ url })
      expect((await api.post("/items", { itemCode: "A", itemName: "Desk" })).status).toBe(201)
      expect((await api.get("/items/export?format=xlsx")).status).toBe(200)
      const address = "postgres://kontor@127.0.0.1:1/shop"
      const opened = container.run(["kontor", "check", "--db", address])
      expect(opened).toEqual({ code: 1, output: expect.stringContaining("Connection refused") })
      const { output } = container.run([
        "stat",
        "--format=%a %u",
        "/var/lib/kontor",
        "/var/lib/kontor/kontor.db",
      ])
      expect(output).toBe("700 10001\n600 10001\n")
      expect(container.run(["sh", "-c", "grep -E '^(Uid|CapBnd|NoNewPrivs)' /proc/1/status"]).output).toBe(
        "Uid:\t10001\t10001\t10001\t10001\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n",
      )
      container.signal("SIGTERM")
      expect(await container.exited).toBe(0)
      expect(container.output()).toContain('"message":"Stopped."')
    } finally {
      await container.end()
    }
  },
)
