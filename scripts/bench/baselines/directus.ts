import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fillTable, goodsOf } from "./goods"
import { cacheFolder, freePort, install, until, type Baseline } from "./start"

const token = "bench-token"
const admin = { email: "admin@example.com", password: "bench bench bench" }

/** Starts Directus on SQLite, with a collection of the shop's items and the index that a list needs. */
export async function startDirectus(shop: string, folder: string): Promise<Baseline | string> {
  const home = cacheFolder("directus")
  const failure = install(home, ["directus-package.json"])
  if (failure) return `directus: skipped, because it cannot be installed: ${failure}`
  const cwd = join(folder, "directus")
  mkdirSync(cwd)
  const file = join(cwd, "data.db")
  const port = freePort()
  const env = {
    ...process.env,
    NODE_ENV: "production",
    DB_CLIENT: "sqlite3",
    DB_FILENAME: file,
    KEY: "bench",
    SECRET: "bench-bench-bench-bench-bench-bench",
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    HOST: "127.0.0.1",
    PORT: String(port),
    RATE_LIMITER_ENABLED: "false",
    LOG_LEVEL: "fatal",
    TELEMETRY: "false",
  }
  const program = ["node", join(home, "node_modules/directus/cli.js")]
  const options = { cwd, env, stdout: "ignore", stderr: "ignore" } as const
  if ((await Bun.spawn([...program, "bootstrap"], options).exited) !== 0)
    return "directus: skipped, because it does not start with this version of Node"
  const child = Bun.spawn([...program, "start"], options)
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/server/ping`)).ok)

  const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`Directus refused ${path}: ${await response.text()}`)
    return (await response.json()) as { data: { access_token: string } }
  }
  const { data } = await send("POST", "/auth/login", admin)
  const signedIn = { authorization: `Bearer ${data.access_token}` }
  await send("PATCH", "/users/me", { token }, signedIn)
  const field = (name: string, type: string, schema: object = {}) => ({ field: name, type, schema })
  await send(
    "POST",
    "/collections",
    {
      collection: "goods",
      schema: {},
      fields: [
        field("id", "string", { is_primary_key: true }),
        field("seq", "integer"),
        field("item_code", "string", { is_unique: true }),
        field("item_name", "string", { is_indexed: true }),
        field("category", "string", { is_indexed: true }),
        field("description", "text"),
        field("selling_price", "float"),
        field("created_at", "string", { is_indexed: true }),
      ],
    },
    signedIn,
  )
  fillTable(file, "goods", goodsOf(shop))
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { url, pid: child.pid, stop }
}
