// What a hundred wrong passwords a second do to everybody else: p99 of reads alone and during the flood, in one run.
import { join } from "node:path"
import { median, needWrk, scratch, startServer } from "./server"

const rounds = 5
const seconds = 3
needWrk()
const { folder, remove } = scratch()
const server = await startServer(join(folder, "k.db"), ["--trusted-proxies", "127.0.0.1"])
const { url } = server
const { authorization } = server.headers
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
const made = await post("/api/v1/items", { itemCode: "B-1", itemName: "Bench" }, server.headers)
const { data: item } = (await made.json()) as { data: { id: string } }

const alone: number[] = []
const during: number[] = []
const answers: Record<number, number> = {}
for (let round = 0; round < rounds; round++) {
  alone.push(await p99())
  let flooding = true
  const flood = (async () => {
    for (let n = 0; flooding; n++) {
      const address = `10.${round}.${(n >> 8) & 255}.${n & 255}`
      void post(
        "/api/v1/auth/login",
        { email: `g${n}@example.com`, password: "wrong password" },
        { "x-forwarded-for": address },
      ).then(({ status }) => (answers[status] = (answers[status] ?? 0) + 1))
      await Bun.sleep(10)
    }
  })()
  during.push(await p99())
  flooding = false
  await flood
}
await server.stop()
remove()
console.log(
  `p99 of reads alone ${median(alone).toFixed(2)} ms, during the flood ${median(during).toFixed(2)} ms: × ${(median(during) / median(alone)).toFixed(1)}`,
)
console.log(`answers to the flood: ${JSON.stringify(answers)}`)

async function p99(): Promise<number> {
  const wrk = Bun.spawn(
    [
      "wrk",
      "-t1",
      "-c8",
      `-d${seconds}s`,
      "--latency",
      "-H",
      `Authorization: ${authorization}`,
      `${url}/api/v1/items/${item.id}`,
    ],
    {
      stdout: "pipe",
    },
  )
  const text = await new Response(wrk.stdout).text()
  const [, number, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return Number(number) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"]
}
