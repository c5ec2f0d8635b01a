import type { Config } from "../config"
import { failure } from "../core/http/answer/envelope"
import type { FetchHandler } from "../core/http/answer/one-answer"
import type { Log } from "../core/lib/log"
import { Refusal } from "../core/lib/refusal"
import { Unusable } from "../core/lib/unusable"
import type { Tls } from "./tls"

/** A server that listens. */
export type Listening = Bun.Server<undefined>

type Deps = { tls: Tls | null; log: Log; fetch: FetchHandler }

/** In seconds. A connection that sends nothing is closed, but not one whose request waits on a busy machine. */
export const longestSilence = 30

export function listen({ host, port }: Config, { tls, log, fetch }: Deps): Listening {
  try {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls ? { tls } : {}),
      development: false,
      // Otherwise two servers could listen on one port, and each would get some of the requests.
      reusePort: false,
      idleTimeout: longestSilence,
      // Our own limit is far lower, and its response has the envelope. The response to Bun's limit has no envelope.
      maxRequestBodySize: 2 ** 40,
      fetch,
      error(error) {
        log.error("A request failed outside the app.", { error: String(error) })
        const refusal = new Refusal("INTERNAL_ERROR", "An internal error occurred.")
        return Response.json(failure(refusal), { status: refusal.status })
      },
    })
  } catch (error) {
    throw new Unusable(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`)
  }
}

const reasonOf = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? "the port is in use"
    : String(error instanceof Error ? error.message : error)

/** The address where the server listens, as a URL. */
export function urlOf({ host, tlsCert }: Config, server: Listening): string {
  const shown = host.includes(":") ? `[${host}]` : host
  return `${tlsCert === null ? "http" : "https"}://${shown}:${server.port}`
}

const longestDrain = 10_000

/** Waits for the requests in progress, up to a limit, then stops listening. */
export async function drainAndStop(server: Listening): Promise<void> {
  const deadline = Bun.sleep(longestDrain).then(() => "late")
  while (server.pendingRequests > 0) if ((await Promise.race([deadline, Bun.sleep(20)])) === "late") break
  await server.stop(true)
}
