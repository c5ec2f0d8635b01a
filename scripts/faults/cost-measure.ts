// Sends one request at a time and measures how much of the server's work another client had to wait for meanwhile.
import type { Case, Sent } from "./cost-case"
import { slowness } from "./cost-cpu"
import { millis, type Watch } from "./cost-watch"

/** The limits, in ms of CPU time. */
export type Limits = {
  hold: number
  /** For one document of the maximum size, and for concurrent requests. */
  largestHold: number
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
  /** How long the server was blocked, in ms of CPU time. */
  hold: number
  /** 0 when there was no response. */
  status: number
  /** The problem, or null. */
  problem: string | null
}

/** The server under test. It changes when the server is restarted. */
export type Target = { url: string; pid: number; watch: Watch }

const timeLimit = 5 * 60_000
const attempts = 5
/** A refusal must not be larger than this and more than five times its request. */
const longestRefusal = 256 * 1024

/** Longer responses are not parsed. */
const longestRead = 4_000_000

/** Sends a request and reads the whole response. `fetch` accepts gzip, so compressing large responses is measured too. */
export async function send(url: string, { method, path, headers, body }: Sent): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimit),
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

/** The most CPU time that another client had to wait for since `from`, in ms. */
export const heldSince = ({ watch }: Target, from: number): Promise<number> => watch.mostSince(from)

/**
 * Measures something up to five times, as long as it blocks the server for too long. If the machine is so busy that the
 * second client gets its response late, work counts that the server did after the response; this is unlikely five times.
 */
export async function measured(limit: number, attempt: () => Promise<Result>): Promise<Result> {
  let least: Result | null = null
  for (let i = 0; i < attempts; i++) {
    const result = await attempt()
    const { problem, hold } = result
    if (problem !== null || hold <= limit || hold <= limit * slowness()) return result
    if (!least || hold < least.hold)
      least = { ...result, problem: `blocked the server for ${Math.round(hold)} ms of CPU time` }
  }
  return least as Result
}

/** Measures a case. */
export function measure(
  testCase: Case,
  limits: Limits,
  targetNow: () => Target,
  sendAs: (testCase: Case, sent: Sent) => Promise<Answer>,
): Promise<Result> {
  const { operation, parameter, value } = testCase
  return measured(testCase.isLargest ? limits.largestHold : limits.hold, async () => {
    const target = targetNow()
    const made = testCase.make()
    const sent = await made
    // Requests that prepare the case do not count.
    if (made instanceof Promise) await heldSince(target, millis())
    const from = millis()
    const answer = await sendAs(testCase, sent)
    const hold = await heldSince(target, from)
    return { operation, parameter, value, hold, status: answer.status, problem: problemOf(sent, answer) }
  })
}

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
