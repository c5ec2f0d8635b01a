// The load: wrk with a script of requests, and its cost for the server.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { cpuOf } from "./server"

/** The requests to send. `lua` is the body of wrk's request function; it can use `ids`, `random(n)` and `unique()`. */
export type Work = { lua: string; headers?: Record<string, string>; ids?: readonly string[] }
export type Side = { url: string; pid: number }
/** Requests per second, server CPU per request in µs, and the 99th percentile of latency in ms. */
export type Result = { rate: number; cpu: number; p99: number }

let scripts = 0

/** Writes the script of requests into a folder. */
export function scriptOf(folder: string, { lua, headers = {}, ids = [] }: Work): string {
  const file = join(folder, `work-${++scripts}.lua`)
  const lines = [
    `local ids = {${ids.map((id) => `"${id}"`).join(",")}}`,
    "local made = 0",
    "local run = ''",
    "local function random(n) return math.random(n) end",
    "local function unique() made = made + 1; return run .. made end",
    "function init(args)",
    "  math.randomseed(os.time() + tonumber(args[1]) * 7919)",
    "  run = args[1] .. '-' .. math.random(1e9) .. '-'",
    `  wrk.headers["Content-Type"] = "application/json"`,
    ...Object.entries(headers).map(([name, value]) => `  wrk.headers["${name}"] = "${value}"`),
    "end",
    `function request() ${lua} end`,
  ]
  writeFileSync(file, lines.join("\n"))
  return file
}

type LoadOptions = {
  connections?: number
  seconds?: number
  /** The number of the only core that sends requests. By default they are all used. */
  core?: number | null
}

/** Runs a script against a server. A refused request is an error in the benchmark and stops it. */
export async function load(
  side: Side,
  script: string,
  { connections = 32, seconds = 2, core = null }: LoadOptions = {},
): Promise<Result> {
  const before = cpuOf(side.pid)
  const wrk = Bun.spawn(
    [
      ...(core === null ? [] : ["taskset", "-c", String(core)]),
      "wrk",
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--latency",
      "-s",
      script,
      side.url,
      "--",
      String(++scripts),
    ],
    { stdout: "pipe", stderr: "pipe" },
  )
  const text = await new Response(wrk.stdout).text()
  const spent = cpuOf(side.pid) - before
  const requests = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0)
  if (requests === 0 || text.includes("Non-2xx")) throw new Error(`The load was refused:\n${text}`)
  const [, slow, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    cpu: spent / requests,
    p99: Number(slow) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"],
  }
}
