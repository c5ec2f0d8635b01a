import { failure } from "../../core/http/answer/envelope"
import type { FetchHandler } from "../../core/http/answer/record-answer"
import { pathStart } from "../../core/http/request/call"
import { isObject } from "../../core/kind/object"
import { allCodes, fieldError, type FieldError, type GeneralCode, Refusal } from "../../core/lib/refusal"

/** What happens to requests of a method and a path: an error, a connection that is lost, a delay. */
export type Fault = {
  method: string | null
  path: string | null
  status: number | null
  drop: "before" | "after" | null
  delayMs: number
  /** The share of the requests that it happens to. */
  rate: number
  /** How often it happens at most; null for always. */
  count: number | null
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
const base = "/api/v1"
const [mostFaults, longestDelay, longestPath] = [100, 60_000, 500]

/** A proxy in front of the server answers these, without our envelope. */
const ofProxies: Record<number, string> = { 502: "Bad Gateway", 504: "Gateway Timeout" }
const codes = Object.entries(allCodes([]))
const codeOf = (status: number): string | undefined => codes.find(([, each]) => each === status)?.[0]
const statuses = [
  ...new Set([...codes.map(([, status]) => status), ...Object.keys(ofProxies).map(Number)]),
].toSorted((a, b) => a - b)

/** What the faults need of the server. */
export type Connections = {
  /** Closes the connection of a request without an answer. Returns false where that is not possible. */
  close(request: Request): boolean
  /** Lets the connection be silent for a time, in seconds. */
  keepOpen(request: Request, seconds: number): void
}

/** The faults of a demo. Which requests they happen to depends on the seed and on the requests before. */
export function faultsOf(seed: number) {
  let faults: { fault: Fault; left: number }[] = []
  let draw = drawOf(seed)

  const find = (method: string, path: string): Fault | null => {
    for (const each of faults) {
      const { fault } = each
      if (each.left <= 0 || !matches(fault, method, path) || draw() >= fault.rate) continue
      each.left--
      return fault
    }
    return null
  }
  return {
    list: (): (Fault & { left: number | null })[] =>
      faults.map(({ fault, left }) => ({ ...fault, left: fault.count === null ? null : left })),

    set(given: unknown): void {
      const read = readFaults(given)
      faults = read.map((fault) => ({ fault, left: fault.count ?? Infinity }))
      draw = drawOf(seed)
    },

    clear: (): void => void (faults = []),

    /** Returns a handler that lets faults happen before and after another one. */
    around(handle: FetchHandler, connections: Connections): FetchHandler {
      return (request) => {
        if (faults.length === 0) return handle(request)
        const path = pathOf(request)
        const fault = path === null || isSandboxPath(path) ? null : find(request.method, path)
        return fault ? withFault(fault, handle, connections, request) : handle(request)
      }
    },
  }
}

async function withFault(fault: Fault, handle: FetchHandler, connections: Connections, request: Request) {
  const { status, drop, delayMs } = fault
  if (delayMs > 0) {
    connections.keepOpen(request, Math.ceil(delayMs / 1000) + 30)
    await Bun.sleep(delayMs)
  }
  if (status !== null) return answerOf(status)
  if (drop === "before") return lost(request, connections)
  const response = await handle(request)
  if (drop === null) return response
  void response.body?.cancel().catch(() => {})
  return lost(request, connections)
}

/** Closes the connection. Where that is not possible, the answer breaks off. */
function lost(request: Request, { close }: Connections): Response {
  if (close(request)) return new Response(null)
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error("The connection was closed."))
    },
  })
  return new Response(broken)
}

function answerOf(status: number): Response {
  const ofProxy = ofProxies[status]
  if (ofProxy) return new Response(ofProxy, { status, headers: { "content-type": "text/plain" } })
  const refusal = new Refusal(codeOf(status) as GeneralCode, "The sandbox was asked to answer so.")
  const headers: HeadersInit = status === 429 || status === 503 ? { "retry-after": "0" } : {}
  return Response.json(failure(refusal), { status, headers })
}

/** The path below the base of the API, without its query; null elsewhere. */
function pathOf({ url }: Request): string | null {
  const [whole = ""] = url.slice(pathStart(url)).split("?", 1)
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : null
}

const isSandboxPath = (path: string): boolean => path === "/sandbox" || path.startsWith("/sandbox/")

/** True for requests to the controls. */
export const isOfSandbox = (request: Request): boolean => isSandboxPath(pathOf(request) ?? "")

const matches = ({ method, path }: Fault, asked: string, at: string): boolean =>
  (method === null || method === asked) &&
  (path === null || (path.endsWith("*") ? at.startsWith(path.slice(0, -1)) : at === path))

function readFaults(given: unknown): Fault[] {
  if (!Array.isArray(given)) throw new Refusal("INVALID_JSON", "The body must be a list of faults.")
  const errors: FieldError[] = []
  if (given.length > mostFaults)
    errors.push(fieldError("faults", "TOO_LONG", `must be at most ${mostFaults}`, { max: mostFaults }))
  const faults = given.slice(0, mostFaults).map((each: unknown, i) => readFault(each, `faults[${i}]`, errors))
  if (errors.length > 0)
    throw new Refusal("VALIDATION_ERROR", "The faults have invalid values.", { details: errors })
  return faults
}

/** A field, the values that it may have, and what stands for it when it is missing. */
type Rule = { is: (value: unknown) => boolean; text: string; missing: unknown }

const isWhole = (min: number, max: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max

const rules: Record<keyof Fault, Rule> = {
  method: {
    is: (value) => methods.includes(String(value)),
    text: `must be one of ${methods.join(", ")}`,
    missing: null,
  },
  path: {
    is: (value) =>
      typeof value === "string" &&
      value.length <= longestPath &&
      /^\/[^?]*$/.test(value) &&
      !isSandboxPath(value),
    text: "must be a path below /api/v1 that begins with a slash, and not one of the sandbox",
    missing: null,
  },
  status: {
    is: (value) => statuses.includes(Number(value)) && typeof value === "number",
    text: `must be one of ${statuses.join(", ")}`,
    missing: null,
  },
  drop: {
    is: (value) => value === "before" || value === "after",
    text: "must be before or after",
    missing: null,
  },
  delayMs: {
    is: isWhole(0, longestDelay),
    text: `must be a whole number from 0 to ${longestDelay}`,
    missing: 0,
  },
  rate: {
    is: (value) => typeof value === "number" && value >= 0 && value <= 1,
    text: "must be a number from 0 to 1",
    missing: 1,
  },
  count: { is: isWhole(1, 1_000_000), text: "must be a whole number from 1 to 1000000", missing: null },
}

function readFault(given: unknown, at: string, errors: FieldError[]): Fault {
  if (!isObject(given)) {
    errors.push(fieldError(at, "TYPE", "must be an object", { type: "object" }))
    return {} as Fault
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(rules, name)) errors.push(fieldError(`${at}.${name}`, "UNKNOWN_FIELD", "is unknown"))
  const values = Object.entries(rules).map(([name, { is, text, missing }]) => {
    const value = given[name] ?? null
    if (value === null) return [name, missing]
    if (!is(value)) errors.push(fieldError(`${at}.${name}`, "RULE", text, { rule: "MISMATCH" }))
    return [name, value]
  })
  const fault = Object.fromEntries(values) as Fault
  if (fault.status !== null && fault.drop !== null)
    errors.push(fieldError(`${at}.drop`, "RULE", "cannot be combined with status", { rule: "EXCLUSIVE" }))
  if (fault.status === null && fault.drop === null && fault.delayMs === 0)
    errors.push(fieldError(at, "REQUIRED", "needs status, drop or delayMs"))
  return fault
}

/** Numbers from 0 to 1 that depend on the seed. */
function drawOf(seed: number): () => number {
  let count = 0
  return () => Number(BigInt(Bun.hash(`${seed} ${count++}`)) >> 11n) / 2 ** 53
}
