// How long it takes to the first answer, and what the server holds in memory when it rests.
import { join } from "node:path"
import { show, type Line } from "./bars"
import { learned, median, residentOf, startServer } from "./server"
import { freePort } from "./baselines/start"

const rounds = 9

export async function measureStart(folder: string, largest: string): Promise<Line[]> {
  const empty = join(folder, "empty.db")
  // Made once, so that what is measured is a start and not a first run.
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
      times[name].push(await firstAnswer(sides[name]))
  const base = median(times.bare)
  const lines = [
    { work: "cold start, empty file ÷ an empty Bun.serve", side: times.empty },
    { work: "cold start, 1,000,000 items ÷ an empty Bun.serve", side: times.largest },
  ].map(({ work, side }) =>
    show({
      work,
      value: median(side) / base,
      atMost: 4,
      note: `${Math.round(median(side))} and ${Math.round(base)} ms`,
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

/** Milliseconds from the start of a process to its first answer. */
async function firstAnswer(command: (port: number) => string[]): Promise<number> {
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
