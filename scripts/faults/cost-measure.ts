// Sends one request at a time and takes the longest that another caller had to wait meanwhile.
import { cpuOf } from "../bench/server"
import type { Case, Sent } from "./cost-case"
import { millis, type Watch } from "./cost-watch"

/** The longest that each may take, in ms. */
export type Bars = {
  hold: number
  /** For one document of the largest size, and for many requests at once. */
  largestHold: number
  /** For a sign-in while others try passwords. */
  signIn: number
}
/** How a request was answered: its status, or why there was none. */
export type Answer = {
  status: number
  failure: string | null
  retryAfter: string | null
  size: number
  /** Null where it is no JSON, or too long to be of interest. */
  body: unknown
}
/** What came of a case: without its texts and its answer, for there are thousands. */
export type Result = Pick<Case, "operation" | "parameter" | "value"> & {
  /** How long the server was held, in ms. */
  hold: number
  /** 0 where there was no answer. */
  status: number
  /** What is wrong, or null. */
  fault: string | null
}

/** The server that is measured now: it is replaced when it has to be started again. */
export type Target = { url: string; pid: number; watch: Watch }

const timeLimit = 30_000
/** So long a hold is no chance. */
const beyondDoubt = 1_000
const attempts = 3
/** The kernel counts the time of a process in steps. */
const step = 10
/** A refusal that says more than this, and five times what it was told, says too much. */
const longestRefusal = 256 * 1024

/** Nobody here wants to know what stands in a longer answer. */
const longestRead = 4_000_000

/** Sends a request and reads its answer to the end. */
export async function send(
  url: string,
  { method, path, headers, body }: Sent,
  patience = timeLimit,
): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
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

/** The longest that somebody else waited since `from`, as far as the server was at work and not the machine. */
export async function heldSince({ watch, pid }: Target, from: number, cpuBefore: number): Promise<number> {
  const waited = await watch.longestSince(from)
  return isLinux ? Math.min(waited, cpuMillis(pid) - cpuBefore + step) : waited
}

const isLinux = process.platform === "linux"

/** What a process has spent so far, in ms; nothing where it is gone, or the system does not tell. */
export function cpuMillis(pid: number): number {
  try {
    return cpuOf(pid) / 1000
  } catch {
    return 0
  }
}

/** Measures a case, again and again while it looks like a fault: noise does not come three times. */
export async function measure(
  asked: Case,
  bars: Bars,
  targetNow: () => Target,
  sendAs: (asked: Case, sent: Sent) => Promise<Answer>,
): Promise<Result> {
  const { operation, parameter, value } = asked
  const bar = asked.isLargest ? bars.largestHold : bars.hold
  let least: Result | null = null
  for (let attempt = 0; attempt < attempts; attempt++) {
    const target = targetNow()
    const made = asked.make()
    const sent = await made
    // What was asked to prepare it does not count.
    if (made instanceof Promise) await target.watch.longestSince(millis())
    const cpu = cpuMillis(target.pid)
    const from = millis()
    const answer = await sendAs(asked, sent)
    const hold = await heldSince(target, from, cpu)
    const result = { operation, parameter, value, hold, status: answer.status, fault: faultOf(sent, answer) }
    if (result.fault || hold <= bar) return result
    if (!least || hold < least.hold) least = { ...result, fault: heldFor(hold) }
    if (hold > beyondDoubt) break
  }
  return least as Result
}

export const heldFor = (hold: number): string => `held the server for ${Math.round(hold)} ms`

/** A result as one line. */
export const lineOf = ({ operation, parameter, value, hold, status, fault }: Result): string =>
  `${Math.round(hold).toString().padStart(6)} ms  ${operation}  ${parameter}  ${value}  → ${status}${fault ? `: ${fault}` : ""}`

function faultOf({ path, body = "" }: Sent, { status, failure, size }: Answer): string | null {
  if (failure) return `was not answered: ${failure}`
  if (status >= 500) return `answered ${status}`
  const told = path.length + body.length
  const isTooMuch = status >= 400 && size > longestRefusal && size > told * 5
  return isTooMuch ? `answered ${status} with ${size} bytes to ${told}` : null
}
