// The memory of exports above idle, and their time: all items of a shop in each format, and all data.
import { show, type Line } from "./bars"
import { learned, residentOf, startServer, type Server } from "./server"

/** In MB. */
const mostMemory = 150

export async function measureExport(shop: string): Promise<Line[]> {
  const server = await startServer(shop)
  await learned(server)
  const idle = residentOf(server.pid)
  const files: Record<string, string> = {
    "100,000 items as CSV": "items/export?format=csv",
    "100,000 items as XLSX": "items/export?format=xlsx",
    "100,000 items as NDJSON": "items/export?format=ndjson",
    "all data": "export.zip",
  }
  const lines: Line[] = []
  for (const [name, path] of Object.entries(files)) {
    const { most, seconds, size } = await costOf(server, path)
    lines.push(
      show({
        work: `memory of an export of ${name} above idle`,
        value: most - idle,
        unit: " MB",
        atMost: mostMemory,
        note: `${size.toFixed(1)} MB in ${seconds.toFixed(1)} s`,
      }),
    )
  }
  await server.stop()
  return lines
}

/** Downloads a file and throws its bytes away. */
async function costOf({ url, pid, headers }: Server, path: string) {
  const began = performance.now()
  let [most, bytes] = [0, 0]
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid))
  }, 20)
  const answer = await fetch(`${url}/api/v1/${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}.`)
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  clearInterval(timer)
  return { most, seconds: (performance.now() - began) / 1000, size: bytes / 1e6 }
}
