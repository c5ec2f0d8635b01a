// Accepts connections while the main thread waits for PostgreSQL: see stand-in.ts.
import { unreachable } from "../../core/engine/failures"
import { failure, ok } from "../../core/http/answer/envelope"
import type { End } from "../../core/lib/process/ending-worker"
import { messageOf, Refusal } from "../../core/lib/refusal"
import { longestSilence } from "../limits"
import { forwardedHeader, place, type StandInAnswer, type StandInJob } from "./messages"

declare const self: Worker

let server: Bun.Server<undefined> | null = null

self.onmessage = ({ data }: MessageEvent<StandInJob | End>) => {
  if ("end" in data) {
    void server?.stop(true)
    process.exit()
  }
  try {
    server = listen(data)
    self.postMessage({ isListening: true } satisfies StandInAnswer)
  } catch (error) {
    self.postMessage({ error: messageOf(error) } satisfies StandInAnswer)
  }
}

const listen = (job: StandInJob): Bun.Server<undefined> =>
  Bun.serve({
    hostname: job.host,
    port: job.port,
    ...(job.tls ? { tls: { cert: job.tls.cert, key: job.tls.key, ciphers: job.tls.ciphers } } : {}),
    development: false,
    reusePort: true,
    idleTimeout: longestSilence,
    maxRequestBodySize: 2 ** 40,
    fetch: (request, self) => answer(request, self, job),
    error: () => refused(new Refusal("SERVICE_UNAVAILABLE", "The server does not answer. Try again later.")),
  })

/** In milliseconds. */
const lookEvery = 10

async function answer(request: Request, self: Bun.Server<undefined>, job: StandInJob): Promise<Response> {
  const own = isStill(job) ? ownAnswer(request) : null
  if (own) return own
  self.timeout(request, 0)
  while (isStill(job)) {
    await Bun.sleep(lookEvery)
    if (request.signal.aborted) return new Response(null)
  }
  return forward(request, self.requestIP(request)?.address ?? "", job)
}

const isStill = ({ state }: StandInJob): boolean => Atomics.load(state, place.isStill) === 1

/** The answers to the health checks. Other requests wait. */
function ownAnswer({ method, url }: Request): Response | null {
  if (method !== "GET" && method !== "HEAD") return null
  const { pathname } = new URL(url)
  if (pathname === "/health") return Response.json(ok({ status: "ok" }), { headers: lastOne })
  if (pathname !== "/ready") return null
  return refused(new Refusal("SERVICE_UNAVAILABLE", unreachable.message), [{ check: "read", ...unreachable }])
}

/** The next request of the client should be one of the main thread. */
const lastOne = { connection: "close" }

function refused(refusal: Refusal, checks?: unknown[]): Response {
  const { success, error } = failure(refusal)
  return Response.json(
    { success, error: { ...error, ...(checks && { checks }) } },
    { status: refusal.status, headers: { ...lastOne, "retry-after": "5" } },
  )
}

/** Sends a request to the main thread, as if the client had sent it there. */
async function forward(request: Request, peer: string, job: StandInJob): Promise<Response> {
  const { state, secret } = job
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const name of ofConnection) headers.delete(name)
  // Otherwise headers of this program would be added.
  for (const name of ["user-agent", "accept"]) headers.set(name, headers.get(name) ?? "")
  headers.set("accept-encoding", headers.get("accept-encoding") ?? "identity")
  // A request that was forwarded to this thread again has the address of its client.
  if (!headers.get(forwardedHeader)?.startsWith(`${secret} `))
    headers.set(forwardedHeader, `${secret} ${peer}`)
  Atomics.add(state, place.forwarded, 1)
  try {
    const answered = await fetch(`${addressOf(job)}${pathname}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      decompress: false,
      keepalive: false,
      timeout: false,
      signal: request.signal,
      // It is the same program, and the certificate has the name by which clients reach it.
      tls: { rejectUnauthorized: false },
    } as RequestInit)
    const answeredHeaders = new Headers(answered.headers)
    for (const name of ofConnection) answeredHeaders.delete(name)
    answeredHeaders.set("connection", "close")
    return new Response(answered.body, { status: answered.status, headers: answeredHeaders })
  } finally {
    Atomics.sub(state, place.forwarded, 1)
  }
}

/** Headers of a connection, and not of a request. */
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"]

function addressOf({ host, port, tls }: StandInJob): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `${tls ? "https" : "http"}://${reached.includes(":") ? `[${reached}]` : reached}:${port}`
}
