import { failure } from "../core/http/answer/envelope"
import type { FetchHandler } from "../core/http/answer/record-answer"
import { steadyMillis } from "../core/lib/clock"
import { closeConnection, handOver } from "../core/lib/process/sockets"
import type { Log } from "../core/lib/process/log"
import { messageOf, Refusal, Unusable } from "../core/lib/refusal"
import type { Config } from "../config"
import { longestSilence } from "./limits"
import { openStandIn, type StandIn } from "./stand-in/stand-in"
import type { Tls } from "./tls"

type Server = Bun.Server<undefined>

type Deps = { tls: Tls | null; log: Log; fetch: FetchHandler }

/** Addresses that only programs on this machine reach. */
export const loopback = /^(127\.|::1$|localhost$)/

/** In milliseconds. */
const retireEvery = 60_000
/** The time without a request after which a server has no connections: longer than any of them may be silent. */
const unusedFor = 10 * 60_000
const againAfter = 1_000

/**
 * Listens. Bun cannot change the certificate of a server, so `useCertificate` starts another one on the same port. The one
 * before keeps its connections, also those that are idle, and only accepts no new ones.
 */
export function openListener({ host, port }: Pick<Config, "host" | "port">, { tls, log, fetch }: Deps) {
  const listenOn = (at: number, certificate: Tls | null, sharesPort = false): Server =>
    listen({ host, port: at, sharesPort }, { tls: certificate, log, fetch })
  let current = listenOn(port, tls)
  let used = tls
  const earlier = new Set<Server>()
  let standIn: StandIn | null = null
  const all = () => [...new Set([current, ...earlier])]
  const chosen = current.port ?? port

  /** Stops, and listens again. Another program may have taken the port in this moment. */
  const replace = (next: Tls): void => {
    try {
      current = listenOn(chosen, next)
      used = next
    } catch (error) {
      log.error("The server does not listen any more. It is tried again.", { error: messageOf(error) })
      setTimeout(() => replace(next), againAfter)
    }
  }
  return {
    port: chosen,
    peerOf: (request: Request): string =>
      standIn?.peerOf(request) ?? current.requestIP(request)?.address ?? "",
    timeout: (request: Request, seconds: number): void => current.timeout(request, seconds),
    /** Closes the connection of a request without an answer. Returns false where that is not possible. */
    close(request: Request): boolean {
      const { port: from } = current.requestIP(request) ?? {}
      return from !== undefined && closeConnection(chosen, from)
    },
    pendingRequests: (): number => all().reduce((sum, server) => sum + server.pendingRequests, 0),
    certificate: (): Tls | null => used,

    /** Lets a thread answer health checks while this one waits for a database. */
    async useStandIn(): Promise<void> {
      standIn = await openStandIn({ host, port: chosen, tls: used, log })
    },

    /** Uses another certificate for connections that are opened from now on. */
    async useCertificate(next: Tls): Promise<void> {
      const hadStandIn = standIn !== null
      await standIn?.stop()
      standIn = null
      // The sockets are told apart by their order, so the thread listens again when the one before is closed.
      if (hadStandIn) setTimeout(() => void this.useStandIn(), againAfter).unref()
      const before = current
      const after = handOver(chosen, () => listenOn(chosen, next, true))
      if (!after) {
        // Elsewhere than on Linux. It closes idle connections, and others when their requests have ended.
        earlier.add(before)
        void before.stop().then(() => earlier.delete(before))
        return replace(next)
      }
      current = after
      used = next
      earlier.add(before)
      retireWhenUnused(before, { fetch, log }, () => void earlier.delete(before))
    },

    async stop(): Promise<void> {
      await standIn?.stop()
      await Promise.all(all().map((server) => server.stop(true)))
    },
  }
}

export type Listener = ReturnType<typeof openListener>

/** Stops a server when all of its connections have ended. */
function retireWhenUnused(server: Server, { fetch, log }: Answering, onEnd: () => void): void {
  let usedAt = steadyMillis()
  const noteUse: FetchHandler = (request) => {
    usedAt = steadyMillis()
    return fetch(request)
  }
  server.reload(answering({ fetch: noteUse, log }))
  const timer = setInterval(() => {
    if (server.pendingRequests > 0) usedAt = steadyMillis()
    if (steadyMillis() - usedAt < unusedFor) return
    clearInterval(timer)
    onEnd()
    void server.stop(true)
  }, retireEvery).unref()
}

type Answering = Pick<Deps, "fetch" | "log">

const answering = ({ fetch, log }: Answering) => ({
  fetch,
  error(error: unknown): Response {
    log.error("A request failed outside the app.", { error: String(error) })
    const refusal = new Refusal("INTERNAL_ERROR", "An internal error occurred.")
    return Response.json(failure(refusal), { status: refusal.status })
  },
})

type Address = Pick<Config, "host" | "port"> & { sharesPort: boolean }

function listen({ host, port, sharesPort }: Address, { tls, log, fetch }: Deps): Server {
  try {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls ? { tls: { cert: tls.cert, key: tls.key, ciphers: tls.ciphers } } : {}),
      development: false,
      // Otherwise two servers could listen on one port, and each would get some of the requests.
      reusePort: sharesPort,
      idleTimeout: longestSilence,
      // Our own limit is far lower, and its response has the envelope. The response to Bun's limit has no envelope.
      maxRequestBodySize: 2 ** 40,
      ...answering({ fetch, log }),
    })
  } catch (error) {
    throw new Unusable(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`)
  }
}

const reasonOf = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? "the port is in use"
    : messageOf(error)

const longestDrain = 10_000

/** Waits for the requests in progress, up to a limit, then stops listening. */
export async function drainAndStop(listener: Listener): Promise<void> {
  const deadline = Bun.sleep(longestDrain).then(() => "late")
  while (listener.pendingRequests() > 0) if ((await Promise.race([deadline, Bun.sleep(20)])) === "late") break
  await listener.stop()
}
