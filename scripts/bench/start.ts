// The time from the start of the process to the first response, and the memory of an idle server.
import { join } from "node:path"
import { show, type Line } from "./bars"
import { learned, median, residentOf, startServer } from "./server"
import { freePort } from "./baselines/start"

const rounds = 9

export async function measureStart(folder: string, largest: string): Promise<Line[]> {
  const empty = join(folder, "empty.db")
  // The file is created first, so that a normal start is measured and not the first one.
  await (await startServer(empty)).stop()
  const serve = (file: string) => (port: number) => [
    "dist/kontor",
    "serve",
    "--db",
    file,
    "--port",
    String(port),
    "--log-level",
    "error",
  ]
  const bare = (port: number) => [
    process.execPath,
    "-e",
    `Bun.serve({ port: ${port}, hostname: "127.0.0.1", fetch: () => new Response("ok") })`,
  ]
  const sides = { bare, empty: serve(empty), largest: serve(largest) }
  const times: Record<keyof typeof sides, number[]> = { bare: [], empty: [], largest: [] }
  const names = Object.keys(sides) as (keyof typeof sides)[]
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      times[name].push(await firstResponse(sides[name]))
  const base = median(times.bare)
  const lines = [
    { work: "cold start, empty file", side: times.empty },
    { work: "cold start, 1,000,000 items", side: times.largest },
  ].map(({ work, side }) =>
    show({
      work,
      value: median(side),
      unit: " ms",
      atMost: 100,
      note: `${(median(side) / base).toFixed(1)} × an empty Bun.serve, which takes ${Math.round(base)} ms`,
    }),
  )

  for (const { work, file, atMost } of [
    { work: "resident memory after start, idle, empty file", file: empty, atMost: 90 },
    { work: "resident memory after start with 1,000,000 items known", file: largest, atMost: undefined },
  ]) {
    const server = await startServer(file)
    await learned(server)
    const value = residentOf(server.pid)
    lines.push(show({ work, value, unit: " MB", ...(atMost === undefined ? {} : { atMost }) }))
    await server.stop()
  }
  return lines
}

/** Milliseconds from the start of a process to its first response. */
async function firstResponse(command: (port: number) => string[]): Promise<number> {
  const port = freePort()
  const began = performance.now()
  const child = Bun.spawn(command(port), { stdout: "ignore", stderr: "ignore" })
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) break
    await Bun.sleep(1)
  }
  const took = performance.now() - began
  child.kill("SIGKILL")
  await child.exited
  return took
}
