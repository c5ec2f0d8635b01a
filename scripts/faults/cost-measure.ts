// Sends one request at a time and measures how long another client had to wait in the meantime.
import { cpuOf } from "../bench/server"
import type { Case, Sent } from "./cost-case"
import { millis, type Watch } from "./cost-watch"

/** The limits, in ms. */
export type Limits = {
  hold: number
  /** For one document of the maximum size, and for concurrent requests. */
  largestHold: number
  /** For a sign-in while other clients try passwords. */
  signIn: number
}
/** The response to a request: its status, or why there is none. */
export type Answer = {
  status: number
  failure: string | null
  retryAfter: string | null
  size: number
  /** Null when it is not JSON, or too long. */
  body: unknown
}
/** The result of a case, without its texts and response, because there are thousands. */
export type Result = Pick<Case, "operation" | "parameter" | "value"> & {
  /** How long the server was blocked, in ms. */
  hold: number
  /** 0 when there was no response. */
  status: number
  /** The problem, or null. */
  problem: string | null
}

/** The server under test. It changes when the server is restarted. */
export type Target = { url: string; pid: number; watch: Watch }

const timeLimit = 30_000
/** A block longer than this, in ms, is not random noise and is not measured again. */
const certainMillis = 1_000
const attempts = 3
/** The kernel counts the CPU time of a process in steps of this many ms. */
const step = 10
/** A refusal must not be larger than this and more than five times its request. */
const longestRefusal = 256 * 1024

/** Longer responses are not parsed. */
const longestRead = 4_000_000

/** Sends a request and reads the whole response. `fetch` accepts gzip, so compressing large responses is measured too. */
export async function send(
  url: string,
  { method, path, headers, body }: Sent,
  timeout = timeLimit,
): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
    })
    const bytes = await response.arrayBuffer()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false
    const isRead = isJson && bytes.byteLength < longestRead
    return {
      status: response.status,
      failure: null,
      retryAfter: response.headers.get("retry-after"),
      size: bytes.byteLength,
      body: isRead ? JSON.parse(new TextDecoder().decode(bytes)) : null,
    }
  } catch (error) {
    return { status: 0, failure: String(error).slice(0, 200), retryAfter: null, size: 0, body: null }
  }
}

/**
 * The longest wait of another client since `from`, limited to the CPU time of the server, so that other load does not
 * count.
 */
export async function heldSince({ watch, pid }: Target, from: number, cpuBefore: number): Promise<number> {
  const waited = await watch.longestSince(from)
  return isLinux ? Math.min(waited, cpuMillis(pid) - cpuBefore + step) : waited
}

const isLinux = process.platform === "linux"

/** The CPU time of a process, in ms; 0 when it has ended or the system does not report it. */
export function cpuMillis(pid: number): number {
  try {
    return cpuOf(pid) / 1000
  } catch {
    return 0
  }
}

/** Measures a case. A case over the limit is measured up to three times, because noise is unlikely three times. */
export async function measure(
  testCase: Case,
  limits: Limits,
  targetNow: () => Target,
  sendAs: (testCase: Case, sent: Sent) => Promise<Answer>,
): Promise<Result> {
  const { operation, parameter, value } = testCase
  const limit = testCase.isLargest ? limits.largestHold : limits.hold
  let least: Result | null = null
  for (let attempt = 0; attempt < attempts; attempt++) {
    const target = targetNow()
    const made = testCase.make()
    const sent = await made
    // Requests that prepare the case do not count.
    if (made instanceof Promise) await target.watch.longestSince(millis())
    const cpu = cpuMillis(target.pid)
    const from = millis()
    const answer = await sendAs(testCase, sent)
    const hold = await heldSince(target, from, cpu)
    const result = {
      operation,
      parameter,
      value,
      hold,
      status: answer.status,
      problem: problemOf(sent, answer),
    }
    if (result.problem || hold <= limit) return result
    if (!least || hold < least.hold) least = { ...result, problem: heldFor(hold) }
    if (hold > certainMillis) break
  }
  return least as Result
}

export const heldFor = (hold: number): string => `blocked the server for ${Math.round(hold)} ms`

/** Formats a result as one line. */
export const lineOf = ({ operation, parameter, value, hold, status, problem }: Result): string =>
  `${Math.round(hold).toString().padStart(6)} ms  ${operation}  ${parameter}  ${value}  → ${status}${problem ? `: ${problem}` : ""}`

function problemOf({ path, body = "" }: Sent, { status, failure, size }: Answer): string | null {
  if (failure) return `got no response: ${failure}`
  if (status >= 500) return `returned ${status}`
  const requestSize = path.length + body.length
  const isTooMuch = status >= 400 && size > longestRefusal && size > requestSize * 5
  return isTooMuch ? `returned ${status} with ${size} bytes to a request of ${requestSize}` : null
}
